import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Readiness } from '#shared/desk/day.ts';
import type { DeskProblem } from '#shared/desk/errors.ts';
import { type ReadinessStatement, readinessStatement } from '#shared/desk/statements.ts';
import { type Language, languages } from '#shared/i18n/language.ts';
import { sayReadiness } from '#shared/i18n/say-statement.ts';

/** 09:23 in Zurich. */
const nowMs = Date.parse('2026-06-15T07:23:00Z');
const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();
type Sentences = Readonly<Record<Language, string>>;

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
      fr: 'Non vérifié: hors ligne (depuis: 09:18).',
      it: 'Non verificato: senza rete (dal: 09:18).',
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
      fr: 'Les 2 dossiers et tous leurs documents (7) sont sur cet appareil (contrôle: 09:22).',
      it: 'I 2 casi e tutti i loro documenti (7) sono su questo dispositivo (verifica: 09:22).',
      en: 'All 2 cases and all their documents (7) are on this device. Checked 09:22.',
    },
  ],
  [
    { state: 'complete', n: 1, documents: 7, at: at(-1) },
    {
      de: 'Der Fall ist mit allen Dokumenten (7) auf diesem Gerät. Geprüft 09:22.',
      fr: 'Le dossier et tous ses documents (7) sont sur cet appareil (contrôle: 09:22).',
      it: 'Il caso e tutti i suoi documenti (7) sono su questo dispositivo (verifica: 09:22).',
      en: 'The case and all its documents (7) are on this device. Checked 09:22.',
    },
  ],
];

describe.each(languages)('in %s', (language) => {
  test.each(readiness)('the days that are %j', (statement, sentences) => {
    expect(sayReadiness(statement, language, nowMs)).toBe(sentences[language]);
  });
});

const time = fc.option(fc.integer({ min: -90, max: 90 }).map(at));

describe('of any facts', () => {
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
