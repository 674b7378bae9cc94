import { errorWordsDe } from '#shared/desk/error-texts/de.ts';
import type { CliTexts } from './texts.ts';

export const cliTextsDe: CliTexts = {
  description: 'Fälle eines Experten auf diesem Laptop, mit oder ohne Netz',
  commands: {
    connect: 'speichert eine Verbindung mit ihrem Schlüssel und prüft sie',
    sync: 'holt Änderungen, übermittelt die Warteschlange, lädt Dokumente',
    cases: 'die Fallliste auf diesem Laptop',
    case: 'ein Fall',
    documents: 'die Dokumente eines Falles',
    reports: 'die Berichte eines Falles',
    download: 'schreibt Dokumente entschlüsselt in Dateien',
    comment: 'setzt den Kommentar; geht auch ohne Netz',
    amounts: 'setzt die Beträge; geht auch ohne Netz',
    reopen: 'öffnet einen abgeschlossenen Fall wieder; geht auch ohne Netz',
    report: 'stellt einen Bericht zusammen; geht auch ohne Netz',
    queue: 'was wartet, warum, und der Beweis des Übermittelten',
    queueShow: 'ein Eintrag der Warteschlange',
    queueRetry: 'versucht einen Eintrag erneut',
    queueDiscard: 'verwirft einen Eintrag',
  },
  columns: {
    key: 'Fall',
    status: 'Status',
    category: 'Kategorie',
    party: 'Partei',
    subject: 'Gegenstand',
    place: 'Ort',
    file: 'Datei',
    size: 'Grösse',
    onLaptop: 'Auf dem Laptop',
    sequence: 'Nr.',
    submitted: 'Eingereicht',
    comment: 'Kommentar',
    id: 'Eintrag',
    act: 'Was',
    state: 'Zustand',
    attempts: 'Versuche',
    problem: 'Grund',
    path: 'Gespeichert als',
  },
  kinds: { amounts: 'Beträge', comment: 'Kommentar', reopen: 'Wiedereröffnung', report: 'Bericht' },
  states: errorWordsDe.queueStates,
  yes: 'ja',
  no: 'nein',
  connected: (name, cases) => `Verbunden mit ${name}; ${String(cases)} Fälle.`,
  connectedUntested: (name) =>
    `Die Verbindung ${name} ist gespeichert, liess sich aber noch nicht prüfen.`,
  synced: (r) =>
    `${String(r.pulled)} Fälle gelesen, ${String(r.delivered)} Einträge übermittelt, ${String(r.documents)} Dokumente geladen; ${String(r.waiting)} warten, ${String(r.attention)} brauchen Aufmerksamkeit.`,
  queued: (id) => `Auf diesem Laptop gespeichert als Eintrag ${String(id)} der Warteschlange.`,
  draftKept: (id) => `Entwurf ${id} ist gespeichert; mit --submit kommt er in die Warteschlange.`,
  usageConnect:
    'Nötig sind --base-url, --audience, --client-id und --key, oder --credentials mit der Datei.',
  usageAmounts: 'Nötig ist --estimate oder --approved, mit einem Betrag oder none.',
  progress: {
    pulling: (read, total) =>
      `Fälle lesen: ${String(read)}${total === null ? '' : ` von ${String(total)}`}`,
    delivering: (waiting) => `Übermitteln: ${String(waiting)} warten`,
    fetching: 'Dokumente laden',
  },
};
