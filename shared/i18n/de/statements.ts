import { isOne } from '../plural.ts';

const one = (n: number) => isOne(n, 'de');

/** What the user reads of the outbox, of closing and of leaving, by the states of `desk/statements.ts`. */
export const statementTexts = {
  outbox: {
    attention: (n: number) =>
      one(n) ? `${String(n)} Eintrag ist zu klären.` : `${String(n)} Einträge sind zu klären.`,
    part: (done: string, total: string) => `${done} von ${total} zugestellt`,
    next: (time: string) => `weiter um ${time}`,
    done: (time: string) => `fertig um ${time}`,
    noTime: 'Zeitpunkt ohne Verbindung nicht bekannt',
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
  closing: {
    unsaved: 'In einem Fall oder Bericht gibt es Eingaben, die noch nicht gespeichert sind.',
    adding: 'Dateien werden gerade hinzugefügt oder bearbeitet.',
    temporary: 'Diese Übungsumgebung wird beim Schliessen gelöscht.',
    stored: 'Was noch nicht gesendet ist, ist auf diesem Gerät gespeichert. Sie können schliessen.',
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
