import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Readiness } from '#shared/desk/day.ts';
import type { DeskProblem } from '#shared/desk/errors.ts';
import {
  type ClosingReason,
  closingStatement,
  type OutboxCount,
  outboxCounts,
  type OutboxFacts,
  type OutboxStatement,
  outboxStatements,
  type ReadinessStatement,
  readinessStatement,
} from '#shared/desk/statements.ts';
import { shellTexts } from '#shared/i18n/catalogue.ts';
import { type Language, languages } from '#shared/i18n/language.ts';
import { sayClosing, sayOutbox, sayOutboxCount, sayReadiness } from '#shared/i18n/say-statement.ts';

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
      fr: '3 sur 12 transmis, transmission en pause',
      it: '3 di 12 trasmessi, trasmissione in pausa',
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
    de: 'Was noch nicht gesendet ist, ist auf diesem Gerät gespeichert. Sie können schliessen.',
    fr: 'Ce qui n’est pas encore transmis est enregistré sur cet appareil. Vous pouvez fermer.',
    it: 'Ciò che non è ancora trasmesso è salvato su questo dispositivo. Può chiudere.',
    en: 'Anything not sent yet is saved on this device. You can close Appraiser Desk.',
  },
  nothing: {
    de: 'Es ist nichts zu senden. Entwürfe sind auf diesem Gerät gespeichert.',
    fr: 'Rien n’est à transmettre. Les brouillons sont enregistrés sur cet appareil.',
    it: 'Nulla da trasmettere. Le bozze sono salvate su questo dispositivo.',
    en: 'There is nothing to send. Drafts are saved on this device.',
  },
};

const readiness: readonly [ReadinessStatement, Sentences][] = [
  [
    { state: 'notKnown' },
    {
      de: 'Nicht bekannt: Die Fallliste des Versicherers liess sich nicht vollständig lesen.',
      fr: 'Inconnu: la liste des dossiers de l’assureur n’a pas pu être lue en entier.',
      it: 'Non si sa: l’elenco dei casi dell’assicuratore non si è potuto leggere per intero.',
      en: 'Not known: the insurer’s list of cases could not be read completely.',
    },
  ],
  [
    { state: 'unchecked' },
    {
      de: 'Diese Tage sind noch nicht geprüft.',
      fr: 'Ces jours ne sont pas encore vérifiés.',
      it: 'Questi giorni non sono ancora verificati.',
      en: 'These days have not been checked yet.',
    },
  ],
  [
    { state: 'offline', since: at(-5) },
    {
      de: 'Nicht geprüft: offline seit 09:18.',
      fr: 'Non vérifié: hors ligne (dernière connexion: 09:18).',
      it: 'Non verificato: senza rete (ultima connessione: 09:18).',
      en: 'Not checked: offline since 09:18.',
    },
  ],
  [
    { state: 'missing', n: 1, total: 1200, at: at(-1) },
    {
      de: '1 von 1’200 Fällen ist unvollständig. Geprüft 09:22.',
      fr: '1 dossier sur 1\u202f200 n’est pas complet (contrôle: 09:22).',
      it: '1 caso su 1’200 non è completo (verifica: 09:22).',
      en: '1 of 1’200 cases is not complete, checked 09:22.',
    },
  ],
  [
    { state: 'none', at: at(-1) },
    {
      de: 'Keine Besichtigungen an diesen Tagen. Geprüft 09:22.',
      fr: 'Aucune inspection ces jours-là (contrôle: 09:22).',
      it: 'Nessuna ispezione in questi giorni (verifica: 09:22).',
      en: 'No inspection is due on these days, checked 09:22.',
    },
  ],
  [
    { state: 'complete', n: 2, documents: 7, at: at(-1) },
    {
      de: 'Alle 2 Fälle sind mit allen Dokumenten (7) auf diesem Gerät. Geprüft 09:22.',
      fr: 'Les 2 dossiers sont sur cet appareil (documents: 7; contrôle: 09:22).',
      it: 'Tutti i 2 casi sono su questo dispositivo (documenti: 7; verifica: 09:22).',
      en: 'All 2 cases and all their documents (7) are on this device. Checked 09:22.',
    },
  ],
];

describe.each(languages)('in %s', (language) => {
  test.each(outbox)('the outbox that is %j', (statement, sentences) => {
    expect(sayOutbox(statement, language, nowMs)).toBe(sentences[language]);
  });
  test.each(counts)('the count %j', (statement, sentences) => {
    expect(sayOutboxCount(statement, language)).toBe(sentences[language]);
  });
  test.each(Object.keys(closing) as ClosingReason[])('closing: %s', (reason) => {
    expect(sayClosing(reason, language)).toBe(closing[reason][language]);
  });
  test.each(readiness)('the days that are %j', (statement, sentences) => {
    expect(sayReadiness(statement, language, nowMs)).toBe(sentences[language]);
  });
});

const minutes = fc.integer({ min: -90, max: 90 });
const time = fc.option(minutes.map(at));
const facts: fc.Arbitrary<OutboxFacts & { waiting: number }> = fc
  .record({
    attention: fc.nat(3),
    paused: fc.boolean(),
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

  it('header, status bar, closing and the box at the end agree on whether anything waits', () => {
    fc.assert(
      fc.property(facts, fc.boolean(), (all, isStored) => {
        const { goesOut, awaits } = all.delivery;
        const isOpen = all.waiting + all.attention > 0;
        const header = outboxStatements(all, nowMs).map(({ state }) => state);
        const bar = outboxCounts(all);
        const { isSafe, reasons } = closingStatement({
          ...{ ...all, isStored, unsaved: false, adding: false },
        });
        const box = shellTexts.en.quitDetail({ ...all, goesOut, awaits });
        expect(header.includes('nothing')).toBe(!isOpen);
        expect(bar.some(({ count }) => count === 'nothing')).toBe(!isOpen);
        expect(reasons.includes('nothing')).toBe(isStored && !isOpen);
        expect(reasons.includes('stored')).toBe(isStored && isOpen);
        expect(isSafe).toBe(isStored || !isOpen);
        expect(box.split('\n').length > 1).toBe(isOpen);
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

  it('days are called complete only if a check reached its end and found nothing missing', () => {
    const ready = fc.record<Readiness>({
      ...{ from: fc.constant('2026-06-15'), to: fc.constant('2026-06-16') },
      verdict: fc.constantFrom('notKnown', 'unchecked', 'missing', 'none', 'complete'),
      ...{ cases: fc.nat(9), complete: fc.nat(9), documents: fc.nat(9) },
      missing: fc.constant([]),
      checkedAt: time,
      problem: fc.option(
        fc.constant<DeskProblem>({ code: 'address_unknown', params: { host: 'partner.example' } }),
      ),
      listProblem: fc.constant(null),
      offlineSince: time,
      checking: fc.constant(false),
    });
    fc.assert(
      fc.property(ready, (given) => {
        const { state } = readinessStatement(given);
        if (state === 'complete')
          expect([given.verdict, given.checkedAt === null]).toEqual([state, false]);
        if (state === 'offline') expect(given.offlineSince).not.toBeNull();
      }),
    );
  });
});
