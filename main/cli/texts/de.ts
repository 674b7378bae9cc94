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
    batch: 'viele Berichte nach Datei- und Ordnernamen',
    backup:
      'schreibt die nicht übermittelte Arbeit in eine verschlüsselte Datei, für einen anderen Laptop',
    restore: 'übernimmt die nicht übermittelte Arbeit eines anderen Laptops',
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
    matchedBy: 'Erkannt an',
    salvage: 'Restwert',
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
  backedUp: (w) =>
    `${String(w.entries)} Einträge, ${String(w.drafts)} Entwürfe und ${String(w.files)} Dateien sind in ${w.file}. Bewahren Sie die Passphrase auf: Ohne sie kann sie niemand lesen. Übermitteln Sie dieselbe Arbeit nicht von beiden Laptops.`,
  restored: (w) =>
    `${String(w.entries)} Einträge, ${String(w.drafts)} Entwürfe und ${String(w.files)} Dateien übernommen; ${String(w.known)} waren schon hier, ${String(w.superseded)} sind durch neuere überholt, ${String(w.unsure)} müssen Sie anschauen.`,
  askPassphrase: 'Passphrase: ',
  askPassphraseAgain: 'Passphrase noch einmal: ',
  passphrasesDiffer: 'Die beiden Passphrasen sind nicht gleich.',
  usagePassphrase:
    'Nötig ist eine Passphrase mit mindestens 8 Zeichen: im Terminal eingeben oder als DESK_BACKUP_PASSPHRASE setzen.',
  batch: {
    identifiers: { externalKey: 'Fall', policyNumber: 'Police', licensePlate: 'Kontrollschild' },
    likely: 'wahrscheinlich',
    refusals: {
      nothing_recognized: 'nichts im Namen oder in den Ordnern gehört zu einem Fall',
      several_cases: 'es könnten mehrere Fälle sein',
      names_disagree: 'die Namen gehören zu verschiedenen Fällen',
    },
    outcomes: {
      ready: 'würde übernommen',
      added: 'im Bericht',
      known: 'schon übernommen',
      duplicate: 'derselbe Inhalt kommt im Stapel zweimal vor',
    },
    inDraft: 'in einem Entwurf',
    made: (q, d) =>
      `${String(q)} Berichte in der Warteschlange, ${String(d)} als Entwurf behalten.`,
  },
  usageConnect:
    'Nötig sind --base-url, --audience, --client-id und --key, oder --credentials mit der Datei.',
  usageAmounts: 'Nötig ist --estimate oder --approved, mit einem Betrag oder none.',
  progress: {
    pulling: (read, total) =>
      `Fälle lesen: ${String(read)}${total === null ? '' : ` von ${String(total)}`}`,
    delivering: (waiting) => `Übermitteln: ${String(waiting)} warten`,
    fetching: 'Dokumente laden',
    uploading: (id) => `Eintrag ${String(id)} wird hochgeladen`,
    tasks: {
      backup: 'Wird verpackt',
      restore: 'Wird übernommen',
      batch: 'Dateien werden gelesen',
      export: 'Fälle werden geschrieben',
    },
  },
};
