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

/** A place in a page, in parts of its width and height from the upper left corner. */
export interface PageBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A word, or several words written as one. */
export interface PageWord {
  readonly text: string;
  readonly box: PageBox;
}

/** The words of a line, from left to right. */
export type PageLine = readonly PageWord[];

/** A total on a page. */
export interface FoundTotal {
  /** Hundredths of the currency. */
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

/** Whole francs, with thousands apart by an apostrophe or a space, and Rappen or a dash. */
const amountPattern =
  /(?<![\p{L}\d.,'’-])(?:\d{1,3}(?:['’ \u00a0\u202f]\d{3})+|\d+)(?:[.,](?:\d{2}|[–-]{1,2}))?(?![\p{L}\d'’%]|[.,]\d| ?%)/gu;
/** Another currency may have a point or comma between its thousands. */
const foreignPattern =
  /(?<![\p{L}\d.,'’-])(?:\d{1,3}(?:([.,'’ \u00a0\u202f])\d{3}(?:\1\d{3})*)|\d+)[.,]\d{2}(?![\p{L}\d'’%]|[.,]\d| ?%)/gu;
const currencyBefore = /(?:CHF|S?Fr\.?|EUR|USD|GBP|JPY|[€$£¥])\s*$/i;
const isSurelyMoney = /['’]|[.,](?:\d{2}|[–-]{1,2})$/;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const totals = setOf(
  'total totale gesamttotal totalbetrag gesamtbetrag gesamtsumme endbetrag endsumme endtotal rechnungsbetrag rechnungstotal',
);
/** Words of a subtotal, or of a figure that is not money. */
const partials = setOf(
  'sous sub zwischen teil partiel partielle parziale intermediaire intermedio ubertrag vortrag reporter report riporto riportare carried forward subtotal subtotale loss perte danno stunden std heures ore hours km punkte points punti seiten pages pagine',
);
const withTax = setOf(
  'inkl incl inklusive ttc inclusa incluso inclusi comprise compris including brutto',
);
const withoutTax = setOf(
  'exkl excl exklusive ohne hors ht htva senza esclusa escluso excluding netto net',
);
/** Words of a tax. Without a word such as "incl." the line is the total of the tax alone. */
const taxes = setOf(
  'mwst mehrwertsteuer ust umsatzsteuer steuer steuern tva iva vat tax taxes taxe imposta imposte',
);
const taxWord =
  /(?<![\p{L}])(?:MWST|Mehrwertsteuer|USt|Umsatzsteuer|Steuern?|TVA|IVA|VAT|tax(?:e|es)?)(?![\p{L}])/iu;
/** Words of what is taken off, or was paid before. */
const deductions = setOf(
  'rabatt rabatte skonto abzug abzuge nachlass ersparnis anzahlung anzahlungen selbstbehalt remise remises rabais escompte deduction deductions acompte acomptes franchise sconto sconti ribasso deduzione acconto acconti franchigia discount discounts deposit deductible savings rebate',
);
const after = setOf('nach abzuglich apres dopo after less');
/** Words next to a total that do not make it the total of a part. */
const plain = setOf(
  'chf fr sfr mwst mwst. tva iva vat in der des di de du montant importo amount grand general generale zu gunsten',
);

/**
 * The totals in the lines of a page, best first. The user chooses one.
 * @param money of the document, of which these lines may be a page
 */
export function findTotals(
  lines: readonly PageLine[],
  money: DocumentMoney = moneyOf(lines.map(textOfLine)),
): FoundTotal[] {
  if (money.isCredit) return [];
  const found = lines.flatMap((line) => totalIn(line, money) ?? []);
  const byAmount = new Map<string, FoundTotal>();
  // The last one is the sum of those before.
  for (const total of found.reverse().sort((one, other) => one.rank - other.rank)) {
    const key = `${total.currency} ${String(total.rappen)}`;
    if (!byAmount.has(key)) byAmount.set(key, total);
  }
  return [...byAmount.values()];
}

/** The words of a line, with the signs in them that differ by font written as one. */
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
  // An amount that stands in two currencies, or may be in either, is not offered.
  if (currency === null || other !== undefined || namesOtherCurrency(whole)) return null;
  const text = withoutTaxBehind(whole, currency);
  const rank = rankOf(text);
  const match = rank === null ? undefined : amountsIn(text, currency).at(-1);
  if (rank === null || !match) return null;
  const rappen = rappenOf(match[0], currency);
  if (rappen === null) return null;
  const label = text.slice(0, match.index).replace(currencyBefore, '').trim().slice(-labelMax);
  const box = boxOf(line, match.index, match.index + match[0].length);
  return { rappen, currency, label, box, rank };
}

function amountsIn(text: string, currency: Currency): RegExpExecArray[] {
  if (currency !== 'CHF') return [...text.matchAll(foreignPattern)];
  return [...text.matchAll(amountPattern)].filter(
    (one) => isSurelyMoney.test(one[0]) || currencyBefore.test(text.slice(0, one.index)),
  );
}

/** Null if it is nothing, or too much. */
function rappenOf(written: string, currency: Currency): number | null {
  const plainly =
    currency === 'CHF'
      ? written
      : `${written.slice(0, -3).replaceAll(/\D/g, '')}.${written.slice(-2)}`;
  const amount = parseAmount(plainly, amountMaxRappen);
  return amount.ok && amount.rappen !== 0 ? amount.rappen : null;
}

/** Up to the tax that a line names behind its total: `Total 1'081.00 (MWST 8.1 %: 81.00)`. */
function withoutTaxBehind(text: string, currency: Currency): string {
  const [first] = amountsIn(text, currency);
  if (!first) return text;
  const end = first.index + first[0].length;
  const tax = taxWord.exec(text.slice(end));
  const isOnly = tax !== null && !/total|gesamt/i.test(text.slice(end));
  return isOnly ? text.slice(0, end + tax.index) : text;
}

/** Null if the line names no total. */
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

/** The box around the words that have some of these characters. */
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
