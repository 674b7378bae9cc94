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
        ? `${String(n)} Eintrag wartet, bis der Fall angenommen ist.`
        : `${String(n)} Einträge warten, bis der Fall angenommen ist.`,
    nothing: 'Nichts zu senden.',
  },
  counts: {
    waiting: (n: number) => `${String(n)} zu senden`,
    attention: (n: number) => `${String(n)} zu klären`,
    begun: (n: number) => `${String(n)} angefangen`,
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
    awaits: 'Wird auf diesem Gerät gespeichert und gesendet, sobald der Fall angenommen ist.',
    goesOut: 'Wird auf diesem Gerät gespeichert und gesendet, sobald Sie online sind.',
  },
  day: {
    open: (n: number) =>
      one(n) ? `${String(n)} Sache ist noch offen.` : `${String(n)} Sachen sind noch offen.`,
    postponed: (n: number) => `Auf morgen verschoben: ${String(n)}.`,
    earlier: (n: number) => `Frühere Besichtigungen ohne Beträge oder Bericht: ${String(n)}.`,
    unseen: (n: number) =>
      one(n)
        ? `${String(n)} Eintrag ist zugestellt, beim Versicherer aber noch nicht nachgesehen.`
        : `${String(n)} Einträge sind zugestellt, beim Versicherer aber noch nicht nachgesehen.`,
    all: 'Alles ist zugestellt und beim Versicherer gesehen.',
    others: 'Alles andere ist zugestellt und beim Versicherer gesehen.',
  },
  turn: {
    values: 'Inzwischen geändert, vermutlich in Ihrem Büro. Welcher Wert gilt?',
    returned: (n: string) => `Bericht ${n}zurückgegeben`,
    reasonUnknown: 'Grund nicht bekannt',
    typed: 'Erfasst, nicht gespeichert',
    draft: 'Bericht angefangen, nicht eingereicht',
    visit: (when: string) => `Besichtigung ${when}`,
    missing: {
      amounts: 'Beträge fehlen',
      report: 'Bericht fehlt',
      both: 'Beträge und Bericht fehlen',
    },
  },
  clock: {
    behind: (by: string) =>
      `Die Uhr dieses Geräts geht ${by} nach; es gilt die Zeit des Versicherers, bis Sie die Uhr auf automatisch stellen.`,
    ahead: (by: string) =>
      `Die Uhr dieses Geräts geht ${by} vor; es gilt die Zeit des Versicherers, bis Sie die Uhr auf automatisch stellen.`,
    wasBehind: (by: string) =>
      `Die Uhr dieses Geräts ging ${by} nach, als der Versicherer zuletzt antwortete; mit diesem Unterschied wird bis zur nächsten Synchronisierung gerechnet: Prüfen Sie die Uhr.`,
    wasAhead: (by: string) =>
      `Die Uhr dieses Geräts ging ${by} vor, als der Versicherer zuletzt antwortete; mit diesem Unterschied wird bis zur nächsten Synchronisierung gerechnet: Prüfen Sie die Uhr.`,
    leastBehind: (by: string) =>
      `Die Uhr dieses Geräts geht mindestens ${by} nach; bis zur nächsten Synchronisierung gilt die Zeit der letzten Antwort des Versicherers: Stellen Sie die Uhr auf automatisch.`,
    minutes: (n: number) => (one(n) ? `${String(n)} Minute` : `${String(n)} Minuten`),
    hours: (n: number) => (one(n) ? `${String(n)} Stunde` : `${String(n)} Stunden`),
    days: (n: number) => (one(n) ? `${String(n)} Tag` : `${String(n)} Tage`),
  },
  fetch: {
    counting: 'Dokumente werden geladen',
    cases: (done: string, total: string) => `Dokumente: Fall ${done} von ${total}`,
    paused: 'angehalten',
    noEnd: 'Ende noch nicht bekannt',
    lists: (done: string, total: string) => `Dokumentlisten: ${done} von ${total}`,
    about: (time: string) => `fertig um etwa ${time}`,
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
    awaits: (n: string) => `Wartet, bis der Fall angenommen ist: ${n}.`,
    attention: (n: string) => `Zu klären: ${n}.`,
    begun: (n: string) => `Angefangen, noch nicht eingereicht oder gespeichert: ${n}.`,
  },
  closing: {
    unsaved: 'In einem Fall oder Bericht gibt es Eingaben, die noch nicht gespeichert sind.',
    adding: 'Dateien werden gerade hinzugefügt oder bearbeitet.',
    temporary: 'Diese Übungsumgebung wird beim Schliessen gelöscht.',
    stored: 'Was im Postausgang ist, ist auf diesem Gerät gespeichert.',
    begun:
      'Was angefangen ist, bleibt auf diesem Gerät. Eingereicht oder gespeichert wird es erst von Ihnen.',
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
  visit: {
    subject: (key: string) => `Besichtigung zum Schaden ${key}`,
    greeting: 'Guten Tag',
    text: (day: string, time: string, place: string) =>
      `Ich bin${day === '' ? '' : ` am ${day}`} um ${time} Uhr für die Besichtigung bei Ihnen${place === '' ? '' : ` (${place})`}.`,
    closing: 'Freundliche Grüsse',
  },
};
