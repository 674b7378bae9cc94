import { isOne } from '../plural.ts';

const one = (n: number) => isOne(n, 'de');

/** What the user reads by the states of `desk/statements.ts`. */
export const statementTexts = {
  outbox: {
    attention: (n: number) =>
      one(n) ? `${String(n)} Eintrag ist zu klären.` : `${String(n)} Einträge sind zu klären.`,
    part: (done: string, total: string) => `${done} von ${total} zugestellt`,
    next: (time: string) => `weiter um ${time}`,
    done: (time: string) => `fertig um ${time}`,
    noTime: 'Zeitpunkt ohne Verbindung nicht bekannt',
    notYet: 'Zeitpunkt noch nicht bekannt',
    soon: 'bald fertig',
    paused: 'Versand angehalten',
    awaits: (n: number) =>
      one(n)
        ? `${String(n)} Eintrag wartet, bis der Versicherer den Fall angenommen hat.`
        : `${String(n)} Einträge warten, bis der Versicherer den Fall angenommen hat.`,
    nothing: 'Nichts zu senden.',
  },
  counts: {
    waiting: (n: number) => `${String(n)} zu senden`,
    attention: (n: number) => `${String(n)} zu klären`,
    nothing: 'Nichts zu senden',
  },
  entry: {
    saved: 'Auf diesem Gerät gespeichert',
    network: 'Wartet auf eine Verbindung',
    acceptance: 'Wartet auf die Annahme des Falls',
    turn: 'Wartet auf eine frühere Sendung zu diesem Fall',
    paused: 'Versand angehalten',
    waits: 'wartet',
    sending: 'Wird gesendet',
    unknown: 'Zustellung wird geprüft',
    attention: 'Zu klären',
    discarded: 'Verworfen',
    uploading: (percent: string) => `Wird hochgeladen: ${percent}\u00a0%`,
    delivered: (when: string) => `Zugestellt ${when}`,
    retry: (when: string) => `Nächster Versuch ${when}`,
    pacing: (time: string) => `Weiter um ${time}`,
    part: (done: string, total: string) => `${done} von ${total}`,
  },
  report: {
    draft: 'Der Entwurf wird automatisch gespeichert.',
    paused: 'Wird auf diesem Gerät gespeichert. Der Versand ist angehalten.',
    awaits:
      'Wird auf diesem Gerät gespeichert und gesendet, sobald der Versicherer den Fall angenommen hat.',
    goesOut: 'Wird auf diesem Gerät gespeichert und gesendet, sobald Sie online sind.',
  },
  fetch: {
    counting: 'Dokumente werden geladen',
    part: (done: string, total: string) => `Dokumente: Fall ${done} von ${total}`,
    paused: 'angehalten',
    lists: 'Ende offen, Listen werden gelesen',
  },
  forecast: {
    doneAt: (time: string) => `Voraussichtlich zugestellt: ${time}`,
    notKnown: 'Zeitpunkt der Zustellung noch nicht bekannt.',
  },
  quit: {
    stored: 'Was wartet, ist auf diesem Gerät gespeichert.',
    deleted:
      'Auf diesem Gerät ist kein Schlüsselbund erreichbar. Die Übungsumgebung wird beim Beenden gelöscht.',
    goesOut: (n: string) => `Wird nach dem nächsten Start gesendet: ${n}.`,
    paused: (n: string) => `Angehalten: ${n}.`,
    awaits: (n: string) => `Wartet, bis der Versicherer den Fall angenommen hat: ${n}.`,
    attention: (n: string) => `Zu klären: ${n}.`,
  },
  closing: {
    unsaved: 'In einem Fall oder Bericht gibt es Eingaben, die noch nicht gespeichert sind.',
    adding: 'Dateien werden gerade hinzugefügt oder bearbeitet.',
    temporary: 'Diese Übungsumgebung wird beim Schliessen gelöscht.',
    stored: 'Was im Postausgang ist, ist auf diesem Gerät gespeichert.',
    nothing: 'Es ist nichts zu senden. Entwürfe sind auf diesem Gerät gespeichert.',
  },
  readiness: {
    notKnown: 'Nicht bekannt: Die Fallliste des Versicherers liess sich nicht vollständig lesen.',
    unchecked: 'Diese Tage sind noch nicht geprüft.',
    offline: (time: string) => `Nicht geprüft: offline seit ${time}.`,
    none: (at: string) => `Keine Besichtigungen an diesen Tagen. Geprüft ${at}.`,
    missing: (n: number, count: string, total: string, at: string) =>
      `${count} von ${total} Fällen ${one(n) ? 'ist' : 'sind'} unvollständig. Geprüft ${at}.`,
    complete: (n: number, count: string, documents: string, at: string) =>
      one(n)
        ? `Der Fall ist mit allen Dokumenten (${documents}) auf diesem Gerät. Geprüft ${at}.`
        : `Alle ${count} Fälle sind mit allen Dokumenten (${documents}) auf diesem Gerät. Geprüft ${at}.`,
  },
};
