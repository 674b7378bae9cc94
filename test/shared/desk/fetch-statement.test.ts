import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type FetchFacts, type FetchStatement, fetchStatement } from '#shared/desk/statements.ts';
import { type Language, languages } from '#shared/i18n/language.ts';
import { sayFetch } from '#shared/i18n/say-statement.ts';

/** 09:23 in Zurich. */
const nowMs = Date.parse('2026-06-15T07:23:00Z');
const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();
const part = { done: 12, total: 1240 };
type Sentences = Readonly<Record<Language, string>>;

const fetching: readonly [FetchStatement, Sentences][] = [
  [
    { state: 'counting' },
    {
      de: 'Dokumente werden geladen',
      fr: 'Téléchargement des documents',
      it: 'Scaricamento dei documenti',
      en: 'Downloading documents',
    },
  ],
  [
    { state: 'lists', ...part },
    {
      de: 'Dokumente: Fall 12 von 1’240, Ende offen, Listen werden gelesen',
      fr: 'Documents: dossier 12 sur 1\u202f240, fin inconnue, listes en cours de lecture',
      it: 'Documenti: caso 12 di 1’240, fine non nota, lettura degli elenchi',
      en: 'Documents: case 12 of 1’240, end not known, lists are being read',
    },
  ],
  [
    { state: 'loading', ...part, doneAt: at(2) },
    {
      de: 'Dokumente: Fall 12 von 1’240, fertig um 09:25',
      fr: 'Documents: dossier 12 sur 1\u202f240, fin prévue: 09:25',
      it: 'Documenti: caso 12 di 1’240, fine prevista: 09:25',
      en: 'Documents: case 12 of 1’240, done at 09:25',
    },
  ],
  [
    { state: 'soon', ...part },
    {
      de: 'Dokumente: Fall 12 von 1’240, bald fertig',
      fr: 'Documents: dossier 12 sur 1\u202f240, bientôt terminé',
      it: 'Documenti: caso 12 di 1’240, quasi finito',
      en: 'Documents: case 12 of 1’240, done soon',
    },
  ],
  [
    { state: 'noTime', ...part },
    {
      de: 'Dokumente: Fall 12 von 1’240, Zeitpunkt ohne Verbindung nicht bekannt',
      fr: 'Documents: dossier 12 sur 1\u202f240, sans réseau, l’heure de fin n’est pas connue',
      it: 'Documenti: caso 12 di 1’240, senza rete l’ora di fine non è nota',
      en: 'Documents: case 12 of 1’240, completion time not known while offline',
    },
  ],
  [
    { state: 'paused', ...part },
    {
      de: 'Dokumente: Fall 12 von 1’240, angehalten',
      fr: 'Documents: dossier 12 sur 1\u202f240, suspendu',
      it: 'Documenti: caso 12 di 1’240, sospeso',
      en: 'Documents: case 12 of 1’240, paused',
    },
  ],
];

describe.each(languages)('in %s', (language) => {
  test.each(fetching)('the download that is %j', (statement, sentences) => {
    expect(sayFetch(statement, language, nowMs)).toBe(sentences[language]);
  });
});

describe('of the facts of a download', () => {
  const ahead: FetchFacts = {
    ...{ fetched: 12, fetchTotal: 1240, fetchDoneAt: at(2) },
    ...{ network: 'online', paused: false },
  };
  test.each<readonly [string, Partial<FetchFacts>, FetchStatement]>([
    ['no case is counted yet', { fetchTotal: 0, paused: true }, { state: 'counting' }],
    ['it is paused', { paused: true }, { state: 'paused', ...part }],
    [
      'it is paused and offline',
      { paused: true, network: 'offline' },
      { state: 'paused', ...part },
    ],
    ['it is offline', { network: 'offline' }, { state: 'noTime', ...part }],
    [
      'it is offline, without an end',
      { network: 'offline', fetchDoneAt: null },
      { state: 'noTime', ...part },
    ],
    ['its end is not known', { fetchDoneAt: null }, { state: 'lists', ...part }],
    ['its end is ahead', {}, { state: 'loading', ...part, doneAt: at(2) }],
    ['its end is now', { fetchDoneAt: at(0) }, { state: 'loading', ...part, doneAt: at(0) }],
    ['its end is over', { fetchDoneAt: at(-1) }, { state: 'soon', ...part }],
    [
      'the network is not known',
      { network: 'unknown' },
      { state: 'loading', ...part, doneAt: at(2) },
    ],
  ])('the statement follows if %s', (_what, facts, statement) => {
    expect(fetchStatement({ ...ahead, ...facts }, nowMs)).toEqual(statement);
  });
});

it('names of any facts no end that is over, nor one while nothing can be downloaded', () => {
  const facts = fc.record<FetchFacts>({
    ...{ fetched: fc.nat(9), fetchTotal: fc.integer({ min: 0, max: 20 }) },
    fetchDoneAt: fc.option(fc.integer({ min: -90, max: 90 }).map(at)),
    network: fc.constantFrom('unknown', 'online', 'offline'),
    paused: fc.boolean(),
  });
  fc.assert(
    fc.property(facts, (given) => {
      const statement = fetchStatement(given, nowMs);
      expect(statement.state === 'counting').toBe(given.fetchTotal === 0);
      if (statement.state !== 'loading') return;
      expect(Date.parse(statement.doneAt)).toBeGreaterThanOrEqual(nowMs);
      expect([given.paused, given.network === 'offline']).toEqual([false, false]);
    }),
  );
});
