import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import * as fc from 'fast-check';
import { errorSentences, errorWords } from '#shared/i18n/catalogue.ts';
import { sayBytes, sayProblem } from '#shared/desk/contract/error-text.ts';
import {
  type DeskErrorCode,
  deskErrorCodes,
  type DeskProblem,
  deskProblemSchema,
} from '#shared/desk/contract/errors.ts';
import { languages } from '#shared/desk/setup/workspace.ts';
import { deskErrors, isDeskProblem } from '#shared/desk/contract/desk-error.ts';

const parametersOf = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name = '']) => name))].sort();

/** A problem of this code; without its optional parameters. */
function leastProblem(code: DeskErrorCode): DeskProblem {
  const params = Object.entries<string>(deskErrors[code])
    .filter(([, kind]) => !kind.endsWith('?'))
    .map(([name, kind]) => [name, kind === 'number' ? 1 : 'X']);
  const problem = { code, params: Object.fromEntries(params) as unknown };
  return deskProblemSchema.parse(problem);
}

describe('sayProblem', () => {
  it.each(languages)('says every code as a whole sentence in %s', (language) => {
    for (const code of deskErrorCodes) {
      const sentence = sayProblem(leastProblem(code), language);
      expect(sentence, code).toMatch(/^[^a-z].{20,}[.]$/u);
      expect(sentence, code).not.toMatch(/[{}[\]]|undefined|\bnull\b|ß/);
    }
  });

  it.each(languages)('offers in %s to discard an entry only where one was refused', (language) => {
    const say = (operation?: string) =>
      sayProblem(
        { code: 'server_refused', params: { title: 'forbidden', status: 403, operation } },
        language,
      );
    const discard = /Eintrag|entry|entrée|voce/;
    expect(say()).toMatch(discard);
    const [list, document] = [say('X1'), say('X7')];
    expect(list).not.toBe(document);
    for (const sentence of [list, document]) {
      expect(sentence).not.toMatch(discard);
      expect(sentence).toMatch(/403\).*[.]$/);
    }
  });

  it.each(languages)('promises in %s only for a desk that stays open', (language) => {
    const promising = deskErrorCodes.filter((code) => errorSentences.de[code].includes('['));
    expect(promising).toEqual(expect.arrayContaining(['offline', 'timeout', 'server_failed']));
    for (const code of promising) {
      const problem = leastProblem(code);
      const ofWindow = sayProblem(problem, language);
      expect(sayProblem(problem, language, { command: 'desk' }), code).toBe(ofWindow);
      const ofCommand = sayProblem(problem, language, { command: 'desk', isEnding: true });
      expect(ofCommand, code).toContain('desk sync');
      expect(ofCommand, code).not.toMatch(
        /automati|retried|sent later|später gesendet|plus tard et|goes on|versucht es weiter|continue|continua/,
      );
    }
  });

  it('keeps the sentences of the window', () => {
    const params = { host: 'insurer.ch' };
    expect(sayProblem({ code: 'timeout', params }, 'de')).toBe(
      'insurer.ch hat nicht rechtzeitig geantwortet. Ihre Eingaben sind auf diesem Gerät gespeichert; es wird automatisch erneut versucht.',
    );
    expect(sayProblem({ code: 'offline', params }, 'en', { isEnding: true })).toBe(
      'insurer.ch cannot be reached: no connection. Your work is saved on this device.',
    );
  });

  it('uses the same parameters in every language', () => {
    for (const code of deskErrorCodes)
      for (const language of languages)
        expect(parametersOf(errorSentences[language][code]), `${language} ${code}`).toEqual(
          parametersOf(errorSentences.en[code]),
        );
  });

  it('prints only parameters that the code has', () => {
    for (const code of deskErrorCodes)
      for (const name of parametersOf(errorSentences.de[code]))
        // How the command line is called is the shell's to know.
        expect(['command', ...Object.keys(deskErrors[code])], code).toContain(name);
  });

  it.each([
    ['de', 1, '1 Minute von'],
    ['de', 2, '2 Minuten von'],
    ['fr', 0, '0 minute de'],
    ['fr', 21, '21 minutes de'],
    ['it', 1, '1 minuto.'],
    ['en', 0, '0 minutes.'],
  ] as const)('counts in %s: %i', (language, offsetMinutes, expected) => {
    const problem = { code: 'clock_wrong', params: { offsetMinutes } } as const;
    expect(sayProblem(problem, language)).toContain(expected);
  });

  // The insurer's servers may have two clocks: one in its answers, one for its signatures.
  it.each(languages)(
    'does not call a clock wrong that agrees with the insurer’s: %s',
    (language) => {
      const problem = { code: 'clock_wrong', params: { offsetMinutes: 0 } } as const;
      expect(sayProblem(problem, language)).not.toMatch(/falsch|décalée|sfasato|wrong/);
    },
  );

  it('has words for every rule that the engine gives', () => {
    const root = join(import.meta.dirname, '../../../../main');
    const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      // Flaws of a filled document and decisions on a delivery have rules of their own.
      .filter((name) => !/verify-|flaws|next-action/.test(name))
      .map((name) => readFileSync(join(root, name), 'utf8'));
    const given = sources.flatMap((text) =>
      [...text.matchAll(/\brule: '([\w-]+)'/g)].map(([, rule = '']) => rule),
    );
    expect(given.length).toBeGreaterThan(10);
    expect(given.filter((rule) => !Object.hasOwn(errorWords.de.rules, rule))).toEqual([]);
  });

  it('puts words in place of raw values, and shows unknown values as they came', () => {
    expect(sayProblem({ code: 'amount_negative', params: { field: 'approvedRappen' } }, 'de')).toBe(
      '«Anerkannter Betrag» darf nicht negativ sein. Es wurde nichts geändert. Geben Sie 0 oder mehr ein.',
    );
    expect(sayProblem({ code: 'case_state', params: { status: 'Final' } }, 'it')).toContain(
      '«Chiuso»',
    );
    expect(sayProblem({ code: 'case_state', params: { status: 'constructor' } }, 'en')).toContain(
      '“constructor”',
    );
  });

  it('says which value was changed, by whom most likely, and both values as money or text', () => {
    const params = { field: 'approvedRappen', seen: null, found: 1_234_560, mine: 0 };
    expect(sayProblem({ code: 'server_value_changed', params }, 'de')).toContain(
      'vermutlich in Ihrer Organisation: von nicht erfasst auf CHF\u00a012’345.60. Ihr Wert: CHF\u00a00.00',
    );
    const texts = { field: 'expertComment', seen: 'A', found: '', mine: 'C' };
    expect(sayProblem({ code: 'server_value_changed', params: texts }, 'en')).toContain(
      'from A to not entered. Your value: C',
    );
  });

  it('says sizes as people write them', () => {
    const params = { fileName: 'a.pdf', sizeBytes: 52_428_801, maxBytes: 52_428_800 };
    expect(sayProblem({ code: 'file_too_large', params }, 'en')).toContain(
      'too large (50.000001\u00a0MB) and was not added. The limit is 50\u00a0MB;',
    );
    const sheet = { fileName: 'a.csv', sizeBytes: 9_010_000, maxBytes: 9_000_000 };
    expect(sayProblem({ code: 'file_too_large', params: sheet }, 'en')).toMatch(
      /8\.59\u00a0MB.*8\.58\u00a0MB/,
    );
    const large = { ...sheet, sizeBytes: 17_868_000 };
    expect(sayProblem({ code: 'file_too_large', params: large }, 'en')).toMatch(
      /17\u00a0MB.*8\.6\u00a0MB/,
    );
    expect(sayBytes(900, 'de')).toBe('900\u00a0B');
    expect(sayBytes(999 * 1024, 'de')).toBe('999\u00a0KB');
    expect(sayBytes(1008 * 1024, 'de')).toBe('1\u00a0MB');
    expect(sayBytes(17_868.7 * 1024 * 1024, 'de')).toBe('17’868.7\u00a0MB');
    expect(sayBytes(17_868 * 1024 * 1024, 'fr')).toBe('17\u202f868\u00a0Mo');
    expect(sayBytes(14_889_779, 'de')).toBe('14.2\u00a0MB');
  });

  it('never runs a parameter through the template again', () => {
    const sentence = sayProblem(
      { code: 'file_empty', params: { fileName: '{sizeBytes}$&' } },
      'en',
    );
    expect(sentence).toContain('“{sizeBytes}$&”');
  });
});

test('what is a problem without a schema is one by the schema, and the other way round', () => {
  const param = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.jsonValue(),
  );
  const likely = fc.record(
    {
      code: fc.oneof(fc.constantFrom(...deskErrorCodes), fc.string()),
      params: fc.oneof(fc.dictionary(fc.string(), param), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(likely, fc.jsonValue()), (drawn) => {
      const text = JSON.stringify(drawn);
      // Zod ignores a member of this name, with any value.
      fc.pre(!text.includes('"__proto__"'));
      const value: unknown = JSON.parse(text);
      expect(isDeskProblem(value)).toBe(deskProblemSchema.safeParse(value).success);
    }),
    { numRuns: 2000 },
  );
});
