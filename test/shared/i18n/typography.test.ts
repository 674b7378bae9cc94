import { expect, test } from 'vitest';
import { languages, type Language } from '#shared/i18n/language.ts';
import { allTexts } from './all-texts.ts';

/*
 * How texts are set in Switzerland: French has no space before a colon or within guillemets, a space
 * between a number and its unit does not break, and each language has one sign for thousands.
 */
const everywhere: Readonly<Record<string, RegExp>> = {
  'a straight apostrophe or quotation mark': /['"]/,
  'three points for an ellipsis': /\.\.\./,
  'two spaces': / {2}/,
  'a space before a mark': /\s[:;!?»”,.](?!\w)/u,
  'a space after an opening mark': /[«“]\s/u,
  'a space that breaks before a unit': /[\d}] (?:CHF|Bit|[KMG]?B|%)(?!\p{L})/u,
  'a space that breaks behind CHF': /CHF [\d{]/,
  'a hyphen between two figures': /\d-\d/,
  'a hyphen for a dash': / - /,
  'a year of two digits': /\b\d\d\.\d\d\.\d\d\b(?!\d)/,
  'a comma before cents': /\d,\d\d\b/,
};

const perLanguage: Readonly<Record<Language, Readonly<Record<string, RegExp>>>> = {
  de: {
    'an ß': /ß/,
    'foreign quotation marks': /[“”„]/,
    'no space before an ellipsis': /\p{L}…/u,
    'another sign for thousands': /\d[ \u00a0\u202f]\d{3}\b/,
    'no space before a percent sign': /[\d}]%/,
  },
  fr: {
    'foreign quotation marks': /[“”„]/,
    'a space before an ellipsis': /\s…/u,
    'another sign for thousands': /\d[’ \u00a0]\d{3}\b/,
    'no space before a percent sign': /[\d}]%/,
  },
  it: {
    'foreign quotation marks': /[“”„]/,
    'a space before an ellipsis': /\s…/u,
    'another sign for thousands': /\d[ \u00a0\u202f]\d{3}\b/,
    'no space before a percent sign': /[\d}]%/,
  },
  en: {
    'foreign quotation marks': /[«»„]/,
    'a space before an ellipsis': /\s…/u,
    'another sign for thousands': /\d[ \u00a0\u202f]\d{3}\b/,
    'a space before a percent sign': /[\d}]\s%/u,
  },
};

/** What is copied character by character: values, addresses, commands, names of files, the signs of a name. */
const verbatim =
  /^(?:policyHelp$|policyTexts\.|commandLineHints\.|window\.(?:wizard\.parameterInvalid$|batch\.examples\.))/;

test.each(languages)('every text in %s is set as its language is', async (language) => {
  const texts = (await allTexts(language)).filter(([key]) => !verbatim.test(key));
  expect(texts.length).toBeGreaterThan(1000);
  const rules = Object.entries({ ...everywhere, ...perLanguage[language] });
  const found = texts.flatMap(([key, text]) =>
    rules.filter(([, wrong]) => wrong.test(text)).map(([rule]) => `${key}: ${rule}: ${text}`),
  );
  expect(found).toEqual([]);
});
