import { errorWordsDe } from '#shared/desk/error-texts/de.ts';
import type { CliTexts } from './texts.ts';

export const cliTextsDe: CliTexts = {
  description: 'Fälle eines Experten auf diesem Laptop, mit oder ohne Netz',
  commands: {
    connect: 'speichert eine Verbindung mit ihrem Schlüssel und prüft sie',
    doctor: 'prüft die Verbindung Schritt für Schritt',
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
    queueRetry:
      'versucht einen Eintrag erneut; --decision sagt, was mit dem geschieht, was beim Partner neben einem Bericht liegt',
    queueDiscard: 'verwirft einen Eintrag',
    queueEdit: 'ändert einen Eintrag, der nicht unterwegs ist; ein Bericht wird wieder zum Entwurf',
    batch: 'viele Berichte nach Datei- und Ordnernamen',
    export: 'schreibt die Fallliste in eine Datei',
    storage: 'welche Dokumente offline bleiben und was sie belegen; --free entfernt, was weg kann',
    diagnostics: 'schreibt ein Paket für den Support, ohne Personendaten',
    backup:
      'schreibt die nicht übermittelte Arbeit in eine verschlüsselte Datei, für einen anderen Laptop',
    restore: 'übernimmt die nicht übermittelte Arbeit eines anderen Laptops',
  },
  casesAtLeast: (total) =>
    `Mindestens ${total} Fälle: mehr Dokumente haben diese Wörter, als eine Suche ansieht.`,
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
    step: 'Schritt',
    result: 'Ergebnis',
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
  storage: (s) =>
    `Dokumente: ${s.documents}, davon können ${s.freeable} freigegeben werden. Angefügte Dateien: ${s.attachments}. Offline gehalten: ${{ none: 'nichts von selbst', due: 'fällige Fälle', all: 'alles' }[s.keep]}; Dokumente abgeschlossener Fälle ${s.closedDays === null ? 'bleiben' : `gehen nach ${String(s.closedDays)} Tagen`}.`,
  exported: (x) => `${String(x.cases)} Fälle sind in ${x.file}.`,
  diagnosed: (x) =>
    `Das Paket ist in ${x.file}. Es enthält keine Personendaten; schauen Sie es an, bevor Sie es senden.`,
  backedUp: (w) =>
    `${String(w.entries)} Einträge, ${String(w.drafts)} Entwürfe und ${String(w.files)} Dateien sind in ${w.file}. Bewahren Sie die Passphrase auf: Ohne sie kann sie niemand lesen. Übermitteln Sie dieselbe Arbeit nicht von beiden Laptops.`,
  restored: (w) =>
    `${String(w.entries)} Einträge, ${String(w.drafts)} Entwürfe und ${String(w.files)} Dateien übernommen; ${String(w.known)} waren schon hier, ${String(w.superseded)} sind durch neuere überholt.`,
  workBackup: (w) =>
    `${String(w.entries)} Einträge, ${String(w.drafts)} Entwürfe und ${String(w.views)} gespeicherte Ansichten, gesichert am ${w.backedUpAt}`,
  workBackupLeft: (w) =>
    `Die Sicherung vom ${w.backedUpAt} wird nicht mehr angeboten. Ihre Dateien bleiben, wo sie sind.`,
  usageTakeOrLeave:
    'Eine Sicherung wird entweder zurückgeholt (--backup) oder liegen gelassen (--leave), oder eine Datei wird genannt: nur eines davon.',
  usageNoBackup:
    'Es wartet keine Sicherung beschädigter Arbeit. Geben Sie die Datei einer Sicherung an.',
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
  doctor: {
    steps: {
      address: 'Adresse',
      connection: 'Verbindung',
      encryption: 'Verschlüsselung',
      partner: 'Antworten des Partners',
      clock: 'Uhr',
      token: 'Anmeldung (Client-ID, Schlüssel, Audience)',
      proof: 'Signierte Anfragen',
      list: 'Fallliste',
      limits: 'Limiten',
    },
    ok: 'in Ordnung',
    failed: 'fehlgeschlagen',
    skipped: 'nicht geprüft',
    clockOff: (s) =>
      `in Ordnung; die Uhr dieses Laptops geht ${String(s)} Sekunden falsch, was nicht schadet`,
    caseCount: (n) => `in Ordnung; ${String(n)} Fälle`,
    limits: (a, b) => `in Ordnung; ${String(a)} Anfragen pro Minute, für Dokumente ${String(b)}`,
  },
  usageConnect:
    'Nötig sind --base-url, --audience, --client-id und --key, oder --credentials mit der Datei.',
  usageAmounts: 'Nötig ist --estimate oder --approved, mit einem Betrag oder none.',
  usageEdit:
    'Nötig ist, was sich ändern soll: --estimate oder --approved für Beträge, --text für einen Kommentar, --reason für eine Wiedereröffnung; bei einem Bericht --comment oder nichts.',
  edited: (id) => `Eintrag ${String(id)} ist geändert.`,
  progress: {
    pulling: (read, total) =>
      `Fälle lesen: ${String(read)}${total === null ? '' : ` von ${String(total)}`}`,
    delivering: (waiting) => `Übermitteln: ${String(waiting)} warten`,
    fetching: 'Dokumente laden',
    uploading: (id) => `Eintrag ${String(id)} wird hochgeladen`,
    seconds: (n) => `noch mindestens ${String(n)} s`,
    minutes: (n) => `noch mindestens ${String(n)} min`,
    tasks: {
      backup: 'Wird verpackt',
      restore: 'Wird übernommen',
      batch: 'Dateien werden gelesen',
      export: 'Fälle werden geschrieben',
    },
  },
};
