import { amountMaxRappen } from '../api/limits.ts';
import {
  currenciesOfLine,
  moneyOf,
  namesOtherCurrency,
  type Currency,
  type DocumentMoney,
} from './document-currency.ts';
import { parseAmount } from './money.ts';
import { foldText, wordsOf } from './words.ts';

/**
 * A box on a page. Its numbers are fractions of the page's width and height, from the upper left
 * corner.
 */
export interface PageBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A word, or several words that the document stores together. */
export interface PageWord {
  readonly text: string;
  readonly box: PageBox;
}

/** The words of a line, from left to right. */
export type PageLine = readonly PageWord[];

/** A total on a page. */
export interface FoundTotal {
  /** The amount in hundredths of the currency. */
  readonly rappen: number;
  readonly currency: Currency;
  /** The words before the amount. */
  readonly label: string;
  readonly box: PageBox;
  /** 0: total with tax; 1: total without further words; 2: total of a part; 3: total without tax. */
  readonly rank: number;
}

const lineMax = 400;
const labelMax = 60;

/**
 * An amount in francs: thousands are separated by an apostrophe or a space, and Rappen or a dash
 * follow.
 */
const amountPattern =
  /(?<![\p{L}\d.,'’-])(?:\d{1,3}(?:['’ \u00a0\u202f]\d{3})+|\d+)(?:[.,](?:\d{2}|[–-]{1,2}))?(?![\p{L}\d'’%]|[.,]\d| ?%)/gu;
/** An amount in another currency may have a point or a comma between its thousands. */
const foreignPattern =
  /(?<![\p{L}\d.,'’-])(?:\d{1,3}(?:([.,'’ \u00a0\u202f])\d{3}(?:\1\d{3})*)|\d+)[.,]\d{2}(?![\p{L}\d'’%]|[.,]\d| ?%)/gu;
const currencyBefore = /(?:CHF|S?Fr\.?|EUR|USD|GBP|JPY|[€$£¥])\s*$/i;
const isSurelyMoney = /['’]|[.,](?:\d{2}|[–-]{1,2})$/;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const totals = setOf(
  'total totale gesamttotal totalbetrag gesamtbetrag gesamtsumme endbetrag endsumme endtotal rechnungsbetrag rechnungstotal',
);
/** Words of a subtotal, or of a number that is not money. */
const partials = setOf(
  'sous sub zwischen teil partiel partielle parziale intermediaire intermedio ubertrag vortrag reporter report riporto riportare carried forward subtotal subtotale loss perte danno stunden std heures ore hours km punkte points punti seiten pages pagine',
);
const withTax = setOf(
  'inkl incl inklusive ttc inclusa incluso inclusi comprise compris including brutto',
);
const withoutTax = setOf(
  'exkl excl exklusive ohne hors ht htva senza esclusa escluso excluding netto net',
);
/** Words of a tax. If the line has no word such as "incl.", it is the total of the tax alone. */
const taxes = setOf(
  'mwst mehrwertsteuer ust umsatzsteuer steuer steuern tva iva vat tax taxes taxe imposta imposte',
);
const taxWord =
  /(?<![\p{L}])(?:MWST|Mehrwertsteuer|USt|Umsatzsteuer|Steuern?|TVA|IVA|VAT|tax(?:e|es)?)(?![\p{L}])/iu;
/** Words of deductions and of earlier payments. */
const deductions = setOf(
  'rabatt rabatte skonto abzug abzuge nachlass ersparnis anzahlung anzahlungen selbstbehalt remise remises rabais escompte deduction deductions acompte acomptes franchise sconto sconti ribasso deduzione acconto acconti franchigia discount discounts deposit deductible savings rebate',
);
const after = setOf('nach abzuglich apres dopo after less');
/** Words next to a total that do not turn it into the total of a part. */
const plain = setOf(
  'chf fr sfr mwst mwst. tva iva vat in der des di de du montant importo amount grand general generale zu gunsten',
);

/**
 * The totals in the lines of a page, best first. The user chooses one.
 * @param money the properties of the document to which these lines belong
 */
export function findTotals(
  lines: readonly PageLine[],
  money: DocumentMoney = moneyOf(lines.map(textOfLine)),
): FoundTotal[] {
  if (money.isCredit) return [];
  const found = lines.flatMap((line) => totalIn(line, money) ?? []);
  const byAmount = new Map<string, FoundTotal>();
  // The last total is the sum of the earlier ones.
  for (const total of found.reverse().sort((one, other) => one.rank - other.rank)) {
    const key = `${total.currency} ${String(total.rappen)}`;
    if (!byAmount.has(key)) byAmount.set(key, total);
  }
  return [...byAmount.values()];
}

/** The words of a line. Signs that differ only by font are replaced by one form. */
export const textOfLine = (line: PageLine): string =>
  line
    .map((word) => word.text)
    .join(' ')
    .replaceAll(/[‘`´]/g, "'")
    .replaceAll('—', '–');

function totalIn(line: PageLine, money: DocumentMoney): FoundTotal | null {
  const whole = textOfLine(line);
  if (whole.length > lineMax) return null;
  const [named, other] = currenciesOfLine(whole);
  const currency = named ?? money.currency;
  // The amount is not offered if the line names two currencies or if its currency is not certain.
  if (currency === null || other !== undefined || namesOtherCurrency(whole)) return null;
  const text = withoutTaxBehind(whole, currency);
  const rank = rankOf(text);
  const match = rank === null ? undefined : amountsIn(text, currency).at(-1);
  if (rank === null || !match || isTorn(line, text, match)) return null;
  const rappen = rappenOf(match[0], currency);
  if (rappen === null) return null;
  const label = text.slice(0, match.index).replace(currencyBefore, '').trim().slice(-labelMax);
  const box = boxOf(line, match.index, match.index + match[0].length);
  return { rappen, currency, label, box, rank };
}

/** Blanks within an amount are no wider than a letter is high, and words that touch are one. */
const gapMax = 1.5;
const gapMin = 0.1;

/**
 * Whether the layout of a table tears the figure apart, so that what was matched may be a part of
 * it, or more: `1'2 | 50.00`, `1'250 | 50`, or a count before the amount. Heights and widths are
 * shares of the page, which is taken for upright.
 */
function isTorn(line: PageLine, text: string, { 0: amount, index }: RegExpExecArray): boolean {
  const end = index + amount.length;
  if (/^0\d/.test(amount)) return true;
  if (/\d['’]\d{0,2}\s*$/.test(text.slice(Math.max(0, index - 20), index))) return true;
  const behind = text.slice(end, end + 20);
  if (/^\s*[.,'’]\s*\d/.test(behind)) return true;
  if (!/[.,]/.test(amount) && /^\s+\d{2}(?!\d)/.test(behind)) return true;
  let at = 0;
  return line.some((word, place) => {
    at += word.text.length + 1;
    const next = line[place + 1];
    if (!next || at < index || at >= end) return false;
    const gap = next.box.left - word.box.left - word.box.width;
    const height = Math.max(next.box.height, word.box.height);
    // Within the amount, or right before it.
    if (at > index) return gap > gapMax * height;
    return /\d$/.test(word.text) && gap < gapMin * height;
  });
}

function amountsIn(text: string, currency: Currency): RegExpExecArray[] {
  if (currency !== 'CHF') return [...text.matchAll(foreignPattern)];
  return [...text.matchAll(amountPattern)].filter(
    (one) => isSurelyMoney.test(one[0]) || currencyBefore.test(text.slice(0, one.index)),
  );
}

/** The amount in hundredths; null if it is zero or above the limit. */
function rappenOf(written: string, currency: Currency): number | null {
  const plainly =
    currency === 'CHF'
      ? written
      : `${written.slice(0, -3).replaceAll(/\D/g, '')}.${written.slice(-2)}`;
  const amount = parseAmount(plainly, amountMaxRappen);
  return amount.ok && amount.rappen !== 0 ? amount.rappen : null;
}

/**
 * The text before the tax that a line names after its total: `Total 1'081.00 (MWST 8.1 %: 81.00)`.
 */
function withoutTaxBehind(text: string, currency: Currency): string {
  const [first] = amountsIn(text, currency);
  if (!first) return text;
  const end = first.index + first[0].length;
  const tax = taxWord.exec(text.slice(end));
  const isOnly = tax !== null && !/total|gesamt/i.test(text.slice(end));
  return isOnly ? text.slice(0, end + tax.index) : text;
}

/** What a line with an amount speaks of. */
export interface LineRole {
  /** The rank of a total, as in `FoundTotal`; null if it is none. */
  readonly rank: number | null;
  readonly isTotal: boolean;
  readonly isTax: boolean;
  /** A tax that the amounts contain already: `incl. 8.1 % VAT`. */
  readonly isInclusive: boolean;
  readonly isDeduction: boolean;
}

/** @param text the words of a line, without its amount */
export function roleOfLine(text: string): LineRole {
  const words = wordsOf(foldText(text));
  const has = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
  return {
    rank: rankOf(text),
    isTotal: has(totals),
    isTax: has(taxes),
    isInclusive: has(withTax),
    isDeduction: has(deductions) && !has(after),
  };
}

/** The rank of the total in a line; null if the line names no total. */
function rankOf(text: string): number | null {
  const words = wordsOf(foldText(text));
  if (!words.some((word) => totals.has(word)) || words.some((word) => partials.has(word)))
    return null;
  const isOfDeductions = words.some((word) => deductions.has(word));
  if (isOfDeductions && !words.some((word) => after.has(word))) return null;
  if (words.some((word) => withoutTax.has(word))) return 3;
  if (words.some((word) => withTax.has(word))) return 0;
  if (words.some((word) => taxes.has(word))) return null;
  const isPlain = words.every(
    (word) => totals.has(word) || plain.has(word) || /^\p{N}/u.test(word),
  );
  return isPlain ? 1 : 2;
}

/** The box around the words that contain these characters. */
function boxOf(line: PageLine, start: number, end: number): PageBox {
  let at = 0;
  const boxes = line.flatMap(({ text, box }) => {
    const from = at;
    at += text.length + 1;
    return from < end && from + text.length > start ? [box] : [];
  });
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.left + box.width));
  const bottom = Math.max(...boxes.map((box) => box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}
