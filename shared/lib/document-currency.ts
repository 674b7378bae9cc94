import { foldText } from './words.ts';

/**
 * The currencies that a total may have. Only totals in francs are offered as amounts; others are
 * shown.
 */
export const currencies = ['CHF', 'EUR', 'USD', 'GBP', 'JPY'] as const;
export type Currency = (typeof currencies)[number];

const marks: Readonly<Record<Currency, RegExp>> = {
  CHF: /(?<![\p{L}])(?:CHF|S?Fr\.|SFr|Franken|francs|franchi)(?![\p{L}])/iu,
  EUR: /€|(?<![\p{L}])EUR(?![\p{L}])/iu,
  USD: /(?<![\p{L}])(?:USD|US-Dollars?|Dollars?)(?![\p{L}])|\$/iu,
  GBP: /£|(?<![\p{L}])GBP(?![\p{L}])/iu,
  JPY: /¥|(?<![\p{L}])JPY(?![\p{L}])/iu,
};
/**
 * Next to an amount the word is a currency. Elsewhere it may be an emission standard or a company.
 */
const euroInWords = /(?<![\p{L}])Euros?(?![\p{L}])/iu;
const amountsInEuro = /(?<![\p{L}])(?:in|en) euros?(?![\p{L}])/iu;

const otherCodes = 'SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|RSD|TRY|CAD|AUD|CNY|kr\\.?|zł|Kč|Ft';
const gap = '[ \\u00a0\\u202f]?';
/**
 * A currency whose totals are not shown. The codes count only next to a number, because some of them
 * are also words.
 */
export const otherCurrency = new RegExp(
  [
    `(?<!\\p{L})(?:${otherCodes})${gap}\\d`,
    `\\d${gap}(?:${otherCodes})(?!\\p{L})`,
    `(?<!\\p{L})(?:in|en) (?:${otherCodes})(?!\\p{L})`,
  ].join('|'),
  'u',
);

/**
 * Whether the line names a currency whose totals are not shown, such as that of a garage in Sweden.
 */
export const namesOtherCurrency = (line: string): boolean => otherCurrency.test(line);

/** The currencies that the line of a total names. */
export function currenciesOfLine(line: string): Currency[] {
  return currencies.filter(
    (currency) => marks[currency].test(line) || (currency === 'EUR' && euroInWords.test(line)),
  );
}

/** The properties of a whole document that apply to its totals. */
export interface DocumentMoney {
  /**
   * The currency of a total whose line names no currency. It is null if the document names several;
   * then such a total is not offered.
   */
  readonly currency: Currency | null;
  /** The document is a credit note, so its total is not a total of damage. */
  readonly isCredit: boolean;
}

const creditTitle =
  /^(?:gutschrift|rechnungskorrektur|storno|stornorechnung|note de credit|avoir|nota di credito|nota d.accredito|nota di accredito|credit note|credit memo)(?![\p{L}])/u;
/**
 * The longest line that counts as a title, perhaps with a number. Sentences and lines of the table
 * are longer.
 */
const titleMax = 40;
const hasAmount = /\d[.,]\d{2}(?!\d)/;

/** Reads all lines of a document, because its first page may name the currency of the last one. */
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
