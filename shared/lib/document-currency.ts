import { foldText } from './words.ts';

/** Currencies that a total may be in. Only francs are offered; another one is shown. */
export const currencies = ['CHF', 'EUR', 'USD', 'GBP', 'JPY'] as const;
export type Currency = (typeof currencies)[number];

const marks: Readonly<Record<Currency, RegExp>> = {
  CHF: /(?<![\p{L}])(?:CHF|S?Fr\.|SFr|Franken|francs|franchi)(?![\p{L}])/iu,
  EUR: /€|(?<![\p{L}])EUR(?![\p{L}])/iu,
  USD: /(?<![\p{L}])(?:USD|US-Dollars?|Dollars?)(?![\p{L}])|\$/iu,
  GBP: /£|(?<![\p{L}])GBP(?![\p{L}])/iu,
  JPY: /¥|(?<![\p{L}])JPY(?![\p{L}])/iu,
};
/** Next to an amount it is a currency; elsewhere it may be an emission standard or a company. */
const euroInWords = /(?<![\p{L}])Euros?(?![\p{L}])/iu;
const amountsInEuro = /(?<![\p{L}])(?:in|en) euros?(?![\p{L}])/iu;

const otherCodes = 'SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|RSD|TRY|CAD|AUD|CNY|kr\\.?|zł|Kč|Ft';
const gap = '[ \\u00a0\\u202f]?';
/** Next to a number: some are words, too. */
const other = new RegExp(
  [
    `(?<!\\p{L})(?:${otherCodes})${gap}\\d`,
    `\\d${gap}(?:${otherCodes})(?!\\p{L})`,
    `(?<!\\p{L})(?:in|en) (?:${otherCodes})(?!\\p{L})`,
  ].join('|'),
  'u',
);

/** Whether the line names a currency of which no total is shown, as that of a garage in Sweden. */
export const namesOtherCurrency = (line: string): boolean => other.test(line);

/** The currencies that the line of a total names. */
export function currenciesOfLine(line: string): Currency[] {
  return currencies.filter(
    (currency) => marks[currency].test(line) || (currency === 'EUR' && euroInWords.test(line)),
  );
}

/** What the whole document says about its totals. */
export interface DocumentMoney {
  /** Of a total whose line names none. Null if several are named: no total is offered then. */
  readonly currency: Currency | null;
  /** Its total is paid back, so it is no total of damage. */
  readonly isCredit: boolean;
}

const creditTitle =
  /^(?:gutschrift|rechnungskorrektur|storno|stornorechnung|note de credit|avoir|nota di credito|nota d.accredito|nota di accredito|credit note|credit memo)(?![\p{L}])/u;
/** A title, with a number perhaps; a sentence or a line of the table is longer. */
const titleMax = 40;
const hasAmount = /\d[.,]\d{2}(?!\d)/;

/** Reads all lines of a document: its first page may name the currency of the last. */
export function moneyOf(lines: readonly string[]): DocumentMoney {
  const named = currencies.filter((currency) =>
    lines.some(
      (line) => marks[currency].test(line) || (currency === 'EUR' && amountsInEuro.test(line)),
    ),
  );
  const isCredit = lines.some((line) => {
    const text = line.trim();
    return text.length <= titleMax && !hasAmount.test(text) && creditTitle.test(foldText(text));
  });
  const isClear = named.length <= 1 && !lines.some(namesOtherCurrency);
  return { currency: isClear ? (named[0] ?? 'CHF') : null, isCredit };
}
