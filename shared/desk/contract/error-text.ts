import { groupDigits } from '../../lib/money.ts';
import { visibleText } from '../../lib/visible-text.ts';
import {
  commandLineHints,
  errorSentences,
  errorWords,
  readRefusals,
  retryHints,
  words,
} from '../../i18n/catalogue.ts';
import { formatAmount } from '../../i18n/format.ts';
import type { Language } from '../../i18n/language.ts';
import { sayMoment } from '../../i18n/moment.ts';
import { isOne } from '../../i18n/plural.ts';
import type { ErrorWords, Words } from '../../i18n/texts.ts';
import { type DeskProblem, paramOf } from './desk-error.ts';

type Value = ReturnType<typeof paramOf>;

/** The dictionary that translates each parameter. */
const dictionaries = {
  field: 'fields',
  rule: 'rules',
  found: 'found',
  reason: 'reasons',
  title: 'titles',
  status: 'caseStatus',
  state: 'queueState',
  bucket: 'buckets',
} as const;

/**
 * `{name}` is replaced by the parameter; `{name|one|other}` by one of the two words, which depends
 * on the number in the parameter.
 */
const placeholder = /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g;

/** The part of a sentence that is true only if the desk stays open and tries again. */
const promise = /\[([^[\]]*)\]/;

/** Codes whose parameters are values of a case. */
const valueCodes: readonly string[] = ['server_value_changed', 'server_has_other'];

/** The program that shows a problem. If nothing is given, it is the window. */
interface Speaker {
  /**
   * The command with which the user calls the command line. If it is given, hints for it are added.
   */
  readonly command?: string;
  /** The program ends after the message, so that nothing is tried again automatically. */
  readonly isEnding?: boolean;
}

/**
 * A problem as sentences for the user: what happened, what is safe, what to do. The text is never
 * empty, and never longer than the sentence plus its parameters.
 */
export function sayProblem(
  problem: DeskProblem,
  language: Language,
  { command, isEnding = false }: Speaker = {},
): string {
  const vocabulary = { ...words[language], ...errorWords[language] };
  const template = templateOf(problem, language);
  const sentence = template
    .replace(promise, isEnding ? '' : '$1')
    .replaceAll(
      placeholder,
      (_, name: string, one: string | undefined, other: string | undefined, at: number) => {
        const value = paramOf(problem, name);
        if (one !== undefined && other !== undefined)
          return isOne(Number(value), language) ? one : other;
        const isValue = valueCodes.includes(problem.code) && name !== 'field';
        if (isValue) return sayValue(value, vocabulary, language);
        if (typeof value === 'number' && name.endsWith('Bytes'))
          return sayBytes(value, language, decimalsOf(problem));
        if (value !== undefined && value !== null && value !== '')
          return sayParameter(name, value, vocabulary, language);
        return at === 0 ? capitalized(vocabulary.unknown) : vocabulary.unknown;
      },
    );
  const shown = visibleText(sentence);
  if (command === undefined) return shown;
  const retry = isEnding && promise.test(template) ? retryHints[language] : undefined;
  const hint = (commandLineHints[language][problem.code] ?? retry)?.replaceAll(
    '{command}',
    command,
  );
  return hint === undefined ? shown : `${shown} ${hint}`;
}

/** A refused request that only reads has no entry that the user could discard. */
function templateOf(problem: DeskProblem, language: Language): string {
  const { code, params } = problem;
  if (code !== 'server_refused' || !params.operation) return errorSentences[language][code];
  const { list, other } = readRefusals[language];
  return params.operation === 'X1' ? list : other;
}

/** A value of a case as text: an amount in Rappen, a text, or "not entered". */
function sayValue(value: Value, { notEntered }: ErrorWords, language: Language): string {
  if (value === undefined || value === null || value === '') return notEntered;
  return typeof value === 'number' ? formatAmount(value, language) : value;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function sayParameter(
  name: string,
  value: NonNullable<Value>,
  vocabulary: ErrorWords & Words,
  language: Language,
): string {
  if (name === 'detail') return sayDetail(String(value), vocabulary);
  if (name === 'until') return sayMoment(String(value), language);
  if (Object.hasOwn(dictionaries, name)) {
    const dictionary: Readonly<Record<string, string>> =
      vocabulary[dictionaries[name as keyof typeof dictionaries]];
    const key = String(value);
    return Object.hasOwn(dictionary, key) ? (dictionary[key] ?? key) : key;
  }
  return String(value);
}

/**
 * The reasons are separated by semicolons. The first word of a reason may be a rule, which is
 * translated; the rest stays unchanged.
 */
function sayDetail(text: string, { rules }: ErrorWords): string {
  const say = (reason: string) => {
    const [, word = '', rest = ''] = /^([\w-]+)((?: \(.*\))?)$/.exec(reason) ?? [];
    return Object.hasOwn(rules, word) ? `${rules[word as keyof typeof rules]}${rest}` : reason;
  };
  return text.split('; ').map(say).join('; ');
}

const megabyte = 1024 * 1024;
/** The number of decimals with which a difference of one byte is visible. */
const decimalsMax = 6;

/**
 * The number of decimals that shows by how much a size exceeds its limit: 50.1 MB of at most 50 MB.
 */
function decimalsOf(problem: DeskProblem): number {
  if (problem.code !== 'file_too_large') return 1;
  const { sizeBytes, maxBytes } = problem.params;
  const rounded = (bytes: number, decimals: number) =>
    Math.round((bytes / megabyte) * 10 ** decimals);
  let decimals = 1;
  while (decimals < decimalsMax && rounded(sizeBytes, decimals) <= rounded(maxBytes, decimals))
    decimals += 1;
  return decimals;
}

/** The units of a size: in French a byte is an octet. */
const sizeUnits: Readonly<Record<Language, readonly [string, string, string]>> = {
  de: ['B', 'KB', 'MB'],
  en: ['B', 'KB', 'MB'],
  fr: ['o', 'Ko', 'Mo'],
  it: ['B', 'KB', 'MB'],
};

/**
 * A size as text: `14.2 MB`; 1 MB is 1024 * 1024 bytes, as in the partner's limits. Sizes from 1000
 * KB are in MB, so that no number in KB has four digits.
 * @param decimals the most decimals of a size in MB
 */
export function sayBytes(bytes: number, language: Language, decimals = 1): string {
  const [byte, kilobyte, mega] = sizeUnits[language];
  const [divisor, unit, digits] =
    bytes >= 999.5 * 1024
      ? [megabyte, mega, decimals]
      : bytes >= 1000
        ? [1024, kilobyte, 0]
        : [1, byte, 0];
  // The decimal mark is a point in every language, as in amounts.
  const number = new Intl.NumberFormat('de-CH', {
    maximumFractionDigits: digits,
    useGrouping: false,
  });
  const [whole = '', ...fraction] = number.format(bytes / divisor).split('.');
  return `${[groupDigits(whole, language), ...fraction].join('.')}\u00a0${unit}`;
}
