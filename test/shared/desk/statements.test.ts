import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type ClosingReason,
  closingStatement,
  type OutboxCount,
  outboxCounts,
  type OutboxFacts,
  type OutboxStatement,
  outboxStatements,
  type QuitStatement,
  quitStatements,
} from '#shared/desk/statements.ts';
import type { OpenAtEnd } from '#shared/desk/sync.ts';
import { type Language, languages } from '#shared/i18n/language.ts';
import { sayClosing, sayOutbox, sayOutboxCount, sayQuit } from '#shared/i18n/say-statement.ts';

/** 09:23 in Zurich. */
const nowMs = Date.parse('2026-06-15T07:23:00Z');
const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();
const part = { done: 3, total: 12 };
type Sentences = Readonly<Record<Language, string>>;

/** Every state of the outbox with its sentence in four languages. */
const outbox: readonly [OutboxStatement, Sentences][] = [
  [
    { state: 'nothing' },
    {
      de: 'Nichts zu senden.',
      fr: 'Rien à transmettre.',
      it: 'Nulla da trasmettere.',
      en: 'Nothing to send.',
    },
  ],
  [
    { state: 'attention', n: 1 },
    {
      de: '1 Eintrag ist zu klären.',
      fr: '1 entrée demande votre attention.',
      it: '1 voce richiede la sua attenzione.',
      en: '1 entry needs attention.',
    },
  ],
  [
    { state: 'attention', n: 2 },
    {
      de: '2 Einträge sind zu klären.',
      fr: '2 entrées demandent votre attention.',
      it: '2 voci richiedono la sua attenzione.',
      en: '2 entries need attention.',
    },
  ],
  [
    { state: 'paused', ...part },
    {
      de: '3 von 12 zugestellt, Versand angehalten',
      fr: '3 sur 12 transmis, transmission suspendue',
      it: '3 di 12 trasmessi, trasmissione sospesa',
      en: '3 of 12 delivered, delivery is paused',
    },
  ],
  [
    { state: 'noTime', ...part },
    {
      de: '3 von 12 zugestellt, Zeitpunkt ohne Verbindung nicht bekannt',
      fr: '3 sur 12 transmis, sans réseau, l’heure de fin n’est pas connue',
      it: '3 di 12 trasmessi, senza rete l’ora di fine non è nota',
      en: '3 of 12 delivered, completion time not known while offline',
    },
  ],
  [
    { state: 'notYet', ...part },
    {
      de: '3 von 12 zugestellt, Zeitpunkt noch nicht bekannt',
      fr: '3 sur 12 transmis, heure de fin pas encore connue',
      it: '3 di 12 trasmessi, ora di fine non ancora nota',
      en: '3 of 12 delivered, completion time not known yet',
    },
  ],
  [
    { state: 'soon', ...part },
    {
      de: '3 von 12 zugestellt, bald fertig',
      fr: '3 sur 12 transmis, bientôt terminé',
      it: '3 di 12 trasmessi, quasi finito',
      en: '3 of 12 delivered, done soon',
    },
  ],
  [
    { state: 'sending', ...part, doneAt: at(2) },
    {
      de: '3 von 12 zugestellt, fertig um 09:25',
      fr: '3 sur 12 transmis, fin prévue: 09:25',
      it: '3 di 12 trasmessi, fine prevista: 09:25',
      en: '3 of 12 delivered, done at 09:25',
    },
  ],
  [
    { state: 'pacing', ...part, nextAt: at(1), doneAt: at(2) },
    {
      de: '3 von 12 zugestellt, weiter um 09:24:00, fertig um 09:25',
      fr: '3 sur 12 transmis, reprise à 09:24:00, fin prévue: 09:25',
      it: '3 di 12 trasmessi, prosegue alle 09:24:00, fine prevista: 09:25',
      en: '3 of 12 delivered, next at 09:24:00, done at 09:25',
    },
  ],
  [
    { state: 'awaits', n: 1 },
    {
      de: '1 Eintrag wartet, bis der Versicherer den Fall angenommen hat.',
      fr: '1 entrée attend que l’assureur ait accepté le dossier.',
      it: '1 voce attende che l’assicuratore abbia accettato il caso.',
      en: '1 entry waits until the insurer has accepted the case.',
    },
  ],
  [
    { state: 'awaits', n: 2 },
    {
      de: '2 Einträge warten, bis der Versicherer den Fall angenommen hat.',
      fr: '2 entrées attendent que l’assureur ait accepté le dossier.',
      it: '2 voci attendono che l’assicuratore abbia accettato il caso.',
      en: '2 entries wait until the insurer has accepted the case.',
    },
  ],
];

const counts: readonly [OutboxCount, Sentences][] = [
  [
    { count: 'nothing' },
    {
      de: 'Nichts zu senden',
      fr: 'Rien à transmettre',
      it: 'Nulla da trasmettere',
      en: 'Nothing to send',
    },
  ],
  [
    { count: 'waiting', n: 2 },
    { de: '2 zu senden', fr: '2 à transmettre', it: '2 da trasmettere', en: '2 to send' },
  ],
  [
    { count: 'attention', n: 1 },
    {
      de: '1 zu klären',
      fr: '1 demande votre attention',
      it: '1 richiede attenzione',
      en: '1 needs attention',
    },
  ],
];

const quitting: readonly [QuitStatement, Sentences][] = [
  [
    { state: 'stored' },
    {
      de: 'Was wartet, ist auf diesem Gerät gespeichert.',
      fr: 'Ce qui est en attente est enregistré sur cet appareil.',
      it: 'Ciò che è in attesa è salvato su questo dispositivo.',
      en: 'What is waiting is saved on this device.',
    },
  ],
  [
    { state: 'deleted' },
    {
      de: 'Auf diesem Gerät ist kein Schlüsselbund erreichbar. Die Übungsumgebung wird beim Beenden gelöscht.',
      fr: 'Aucun trousseau de clés n’est accessible sur cet appareil. L’espace d’exercice est effacé à la fermeture.',
      it: 'Su questo dispositivo non è raggiungibile alcun portachiavi. Lo spazio di esercitazione viene eliminato alla chiusura.',
      en: 'No keychain can be reached on this device. The practice workspace is deleted when you quit.',
    },
  ],
  [
    { state: 'goesOut', n: 3 },
    {
      de: 'Wird nach dem nächsten Start gesendet: 3.',
      fr: 'À transmettre après le prochain démarrage: 3.',
      it: 'Da trasmettere dopo il prossimo avvio: 3.',
      en: 'Will be sent after the next start: 3.',
    },
  ],
  [
    { state: 'paused', n: 3 },
    {
      de: 'Angehalten: 3.',
      fr: 'Transmission suspendue: 3.',
      it: 'Trasmissione sospesa: 3.',
      en: 'Paused: 3.',
    },
  ],
  [
    { state: 'awaits', n: 2 },
    {
      de: 'Wartet, bis der Versicherer den Fall angenommen hat: 2.',
      fr: 'En attente de l’acceptation du dossier par l’assureur: 2.',
      it: 'In attesa che l’assicuratore accetti il caso: 2.',
      en: 'Waiting until the insurer has accepted the case: 2.',
    },
  ],
  [
    { state: 'attention', n: 1 },
    {
      de: 'Zu klären: 1.',
      fr: 'Demande votre attention: 1.',
      it: 'Richiede la sua attenzione: 1.',
      en: 'Needs attention: 1.',
    },
  ],
];

/** Of two reasons the sentences differ, and none promises that closing is safe where it is not. */
const closing: Readonly<Record<ClosingReason, Sentences>> = {
  unsaved: {
    de: 'In einem Fall oder Bericht gibt es Eingaben, die noch nicht gespeichert sind.',
    fr: 'Un dossier ou un rapport contient une saisie qui n’est pas encore conservée sur cet appareil.',
    it: 'In un caso o in un rapporto c’è un’immissione non ancora conservata su questo dispositivo.',
    en: 'A case or report contains changes that are not saved yet.',
  },
  adding: {
    de: 'Dateien werden gerade hinzugefügt oder bearbeitet.',
    fr: 'Des fichiers sont en train d’être ajoutés à un rapport ou d’y être traités.',
    it: 'Alcuni file vengono aggiunti a un rapporto o elaborati in esso.',
    en: 'Files are being added or processed.',
  },
  temporary: {
    de: 'Diese Übungsumgebung wird beim Schliessen gelöscht.',
    fr: 'Cet espace d’exercice est supprimé à la fermeture.',
    it: 'Questo spazio di esercitazione viene eliminato alla chiusura.',
    en: 'This practice workspace is deleted when you close.',
  },
  stored: {
    de: 'Was im Postausgang ist, ist auf diesem Gerät gespeichert.',
    fr: 'Le contenu de la file d’attente est enregistré sur cet appareil.',
    it: 'Il contenuto della coda è salvato su questo dispositivo.',
    en: 'What is in the outbox is saved on this device.',
  },
  nothing: {
    de: 'Es ist nichts zu senden. Entwürfe sind auf diesem Gerät gespeichert.',
    fr: 'Rien n’est à transmettre. Les brouillons sont enregistrés sur cet appareil.',
    it: 'Nulla da trasmettere. Le bozze sono salvate su questo dispositivo.',
    en: 'There is nothing to send. Drafts are saved on this device.',
  },
};

const open = { goesOut: 3, awaits: 2, attention: 1 };
const none = { goesOut: 0, awaits: 0, attention: 0 };
const quitFacts: readonly [OpenAtEnd, readonly QuitStatement[]][] = [
  [{ ...none, paused: false }, []],
  [{ ...none, paused: true }, []],
  [{ ...none, goesOut: 3, paused: false }, [{ state: 'goesOut', n: 3 }]],
  [{ ...none, goesOut: 3, paused: true }, [{ state: 'paused', n: 3 }]],
  [{ ...none, awaits: 2, paused: false }, [{ state: 'awaits', n: 2 }]],
  [{ ...none, awaits: 2, paused: true }, [{ state: 'awaits', n: 2 }]],
  [{ ...none, attention: 1, paused: false }, [{ state: 'attention', n: 1 }]],
  [
    { ...open, paused: false },
    [
      { state: 'goesOut', n: 3 },
      { state: 'awaits', n: 2 },
      { state: 'attention', n: 1 },
    ],
  ],
  [
    { ...open, paused: true },
    [
      { state: 'paused', n: 3 },
      { state: 'awaits', n: 2 },
      { state: 'attention', n: 1 },
    ],
  ],
];

describe('at the end', () => {
  it.each(quitFacts)('only what goes out by itself is promised to be sent: %j', (facts, said) => {
    expect(quitStatements({ ...facts, kept: true })).toEqual([{ state: 'stored' }, ...said]);
    expect(quitStatements({ ...facts, kept: false })).toEqual([{ state: 'deleted' }]);
  });
});

describe.each(languages)('in %s', (language) => {
  test.each(outbox)('the outbox that is %j', (statement, sentences) => {
    expect(sayOutbox(statement, language, nowMs)).toBe(sentences[language]);
  });
  test.each(counts)('the count %j', (statement, sentences) => {
    expect(sayOutboxCount(statement, language)).toBe(sentences[language]);
  });
  test.each(quitting)('quitting with what is %j', (statement, sentences) => {
    expect(sayQuit(statement, language)).toBe(sentences[language]);
  });
  test.each(Object.keys(closing) as ClosingReason[])('closing: %s', (reason) => {
    expect(sayClosing(reason, language)).toBe(closing[reason][language]);
  });
});

/** What no reason promises while the headline says that closing is not safe yet. */
const promised = /können schliessen|pouvez fermer|può chiudere|can close/i;

const minutes = fc.integer({ min: -90, max: 90 });
const time = fc.option(minutes.map(at));
const facts: fc.Arbitrary<OutboxFacts & { waiting: number }> = fc
  .record({
    attention: fc.nat(3),
    paused: fc.boolean(),
    network: fc.constantFrom('unknown' as const, 'online' as const, 'offline' as const),
    delivery: fc.record({
      done: fc.nat(9),
      total: fc.integer({ min: 9, max: 20 }),
      ...{ goesOut: fc.nat(3), awaits: fc.nat(3), nextAt: time, doneAt: time },
    }),
  })
  // The engine counts each entry that needs nobody's decision in one of the two.
  .map((all) => ({ ...all, waiting: all.delivery.goesOut + all.delivery.awaits }));

describe('of any facts', () => {
  it('no time that is over is named as one to come', () => {
    fc.assert(
      fc.property(facts, (all) => {
        for (const statement of outboxStatements(all, nowMs)) {
          const times = Object.entries(statement).filter(([name]) => name.endsWith('At'));
          for (const [, iso] of times)
            expect(Date.parse(String(iso))).toBeGreaterThanOrEqual(nowMs);
        }
      }),
    );
  });

  it('a time is promised only for what goes out, and not while it is paused', () => {
    fc.assert(
      fc.property(facts, (all) => {
        const isPromised = outboxStatements(all, nowMs).some((statement) => 'doneAt' in statement);
        const { goesOut, doneAt } = all.delivery;
        const isKnown = doneAt !== null && Date.parse(doneAt) >= nowMs;
        expect(isPromised).toBe(goesOut > 0 && !all.paused && isKnown);
      }),
    );
  });

  it('the desk is called offline only if it is', () => {
    fc.assert(
      fc.property(facts, (all) => {
        const states = outboxStatements(all, nowMs).map(({ state }) => state);
        expect(states.includes('noTime') && all.network !== 'offline').toBe(false);
        expect(states.includes('notYet') && all.network === 'offline').toBe(false);
      }),
    );
  });

  it('header, status bar, closing and the box at the end agree on whether anything waits', () => {
    fc.assert(
      fc.property(facts, fc.boolean(), fc.boolean(), (all, isStored, unsaved) => {
        const { goesOut, awaits } = all.delivery;
        const isOpen = all.waiting + all.attention > 0;
        const header = outboxStatements(all, nowMs).map(({ state }) => state);
        const bar = outboxCounts(all);
        const { isSafe, reasons } = closingStatement({
          ...{ ...all, isStored, unsaved, adding: false },
        });
        const box = quitStatements({ ...all, goesOut, awaits, kept: isStored });
        expect(header.includes('nothing')).toBe(!isOpen);
        expect(bar.some(({ count }) => count === 'nothing')).toBe(!isOpen);
        expect(reasons.includes('nothing')).toBe(isStored && !isOpen && !unsaved);
        expect(reasons.includes('stored')).toBe(isStored && isOpen);
        expect(isSafe).toBe(!unsaved && (isStored || !isOpen));
        for (const language of languages)
          for (const reason of isSafe ? [] : reasons)
            expect(sayClosing(reason, language)).not.toMatch(promised);
        expect(box.length > 1).toBe(isStored && isOpen);
        expect(box.some(({ state }) => state === 'deleted')).toBe(!isStored);
        expect(header.includes('attention')).toBe(bar.some(({ count }) => count === 'attention'));
      }),
    );
  });

  it('closing is never safe with something that only a window has', () => {
    fc.assert(
      fc.property(facts, fc.boolean(), fc.boolean(), fc.boolean(), (all, ...[a, b, isStored]) => {
        const { isSafe, reasons } = closingStatement({ ...all, unsaved: a, adding: b, isStored });
        if (a || b) expect(isSafe).toBe(false);
        expect(reasons.includes('unsaved')).toBe(a);
        expect(reasons.includes('adding')).toBe(b);
        expect(reasons).not.toHaveLength(0);
      }),
    );
  });
});
