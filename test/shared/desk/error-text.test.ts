import { describe, expect, it } from 'vitest';
import { errorTextsDe, errorWordsDe } from '#shared/i18n/de/errors.ts';
import { errorTextsEn, errorWordsEn } from '#shared/i18n/en/errors.ts';
import { errorTextsFr, errorWordsFr } from '#shared/i18n/fr/errors.ts';
import { errorTextsIt, errorWordsIt } from '#shared/i18n/it/errors.ts';
import { sayBytes, sayProblem } from '#shared/desk/error-text.ts';
import { deskErrorCodes } from '#shared/desk/errors.ts';
import { languages } from '#shared/desk/workspace.ts';

const texts = { de: errorTextsDe, fr: errorTextsFr, it: errorTextsIt, en: errorTextsEn };
const words = { de: errorWordsDe, fr: errorWordsFr, it: errorWordsIt, en: errorWordsEn };

const parametersOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort();

describe('sayProblem', () => {
  it.each(languages)('says every code as a whole sentence in %s', (language) => {
    for (const code of deskErrorCodes) {
      const said = sayProblem({ code, params: {} }, language);
      expect(said, code).toMatch(/^[^a-z].{20,}[.]$/u);
      expect(said, code).not.toMatch(/[{}]|undefined|\bnull\b|ß/);
    }
  });

  it('uses the same parameters in every language', () => {
    for (const code of deskErrorCodes)
      for (const language of languages)
        expect(parametersOf(texts[language][code]), `${language} ${code}`).toEqual(
          parametersOf(texts.en[code]),
        );
  });

  it('has the same words in every language', () => {
    for (const language of languages)
      for (const part of ['fields', 'rules', 'found', 'reasons', 'titles'] as const)
        expect(Object.keys(words[language][part]), `${language} ${part}`).toEqual(
          Object.keys(words.en[part]),
        );
  });

  it('puts words in place of raw values, and shows unknown values as they came', () => {
    expect(sayProblem({ code: 'amount_negative', params: { field: 'approvedAmount' } }, 'de')).toBe(
      '«Genehmigter Betrag» darf nicht negativ sein. Es wurde nichts geändert. Geben Sie 0 oder mehr ein.',
    );
    expect(sayProblem({ code: 'case_state', params: { status: 'Final' } }, 'it')).toContain(
      '«Chiuso»',
    );
    expect(sayProblem({ code: 'case_state', params: { status: 'constructor' } }, 'en')).toContain(
      '“constructor”',
    );
  });

  it('says sizes as people write them', () => {
    const params = { fileName: 'a.pdf', sizeBytes: 52_428_801, maxBytes: 52_428_800 };
    expect(sayProblem({ code: 'file_too_large', params }, 'en')).toContain('50 MB');
    expect(sayBytes(900, 'de')).toBe('900 B');
    expect(sayBytes(999 * 1024, 'de')).toBe('999 KB');
    expect(sayBytes(1008 * 1024, 'de')).toBe('1 MB');
    expect(sayBytes(17_868.7 * 1024 * 1024, 'de')).toBe('17’868.7 MB');
    expect(sayBytes(17_868 * 1024 * 1024, 'fr')).toBe('17\u202f868 MB');
    expect(sayBytes(14_889_779, 'de')).toBe('14.2 MB');
  });

  it('never runs a parameter through the template again', () => {
    const said = sayProblem({ code: 'file_empty', params: { fileName: '{sizeBytes}$&' } }, 'en');
    expect(said).toContain('“{sizeBytes}$&”');
  });
});
