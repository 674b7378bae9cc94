import { amountMaxRappen } from '../api/limits.ts';
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
  readonly rappen: number;
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
const currencyBefore = /(?:CHF|S?Fr\.?)\s*$/i;
/** An amount in another currency is none in francs. */
const foreignCurrency = /[€$£¥]|(?<![\p{L}])(?:EUR|Euro|USD|GBP|US-Dollar|Dollar)(?![\p{L}])/iu;
const isSurelyMoney = /['’]|[.,](?:\d{2}|[–-]{1,2})$/;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const totals = setOf(
  'total totale gesamttotal totalbetrag gesamtbetrag gesamtsumme endbetrag endsumme endtotal rechnungsbetrag rechnungstotal',
);
/** Words of a subtotal, or of a figure that is not money. */
const partials = setOf(
  'sous sub zwischen teil partiel partielle parziale intermediaire intermedio ubertrag report riporto loss perte danno stunden std heures ore hours km punkte points punti seiten pages pagine',
);
const withTax = setOf(
  'inkl incl inklusive ttc inclusa incluso inclusi comprise compris including brutto',
);
const withoutTax = setOf(
  'exkl excl exklusive ohne hors ht htva senza esclusa escluso excluding netto net',
);
/** Words next to a total that do not make it the total of a part. */
const plain = setOf(
  'chf fr sfr mwst mwst. tva iva vat in der des di de du montant importo amount grand general generale zu gunsten',
);

/** The totals in the lines of a page, best first. The user chooses one. */
export function findTotals(lines: readonly PageLine[]): FoundTotal[] {
  const found = lines.flatMap((line) => totalIn(line) ?? []);
  const byAmount = new Map<number, FoundTotal>();
  // The last one is the sum of those before.
  for (const total of found.reverse().sort((one, other) => one.rank - other.rank))
    if (!byAmount.has(total.rappen)) byAmount.set(total.rappen, total);
  return [...byAmount.values()];
}

function totalIn(line: PageLine): FoundTotal | null {
  const text = line
    .map((word) => word.text)
    .join(' ')
    .replaceAll(/[‘`´]/g, "'")
    .replaceAll('—', '–');
  const rank = text.length > lineMax || foreignCurrency.test(text) ? null : rankOf(text);
  if (rank === null) return null;
  const match = [...text.matchAll(amountPattern)].findLast(
    (one) => isSurelyMoney.test(one[0]) || currencyBefore.test(text.slice(0, one.index)),
  );
  if (!match) return null;
  const amount = parseAmount(match[0], amountMaxRappen);
  if (!amount.ok || amount.rappen === null || amount.rappen === 0) return null;
  const label = text.slice(0, match.index).replace(currencyBefore, '').trim().slice(-labelMax);
  const box = boxOf(line, match.index, match.index + match[0].length);
  return { rappen: amount.rappen, label, box, rank };
}

/** Null if the line names no total. */
function rankOf(text: string): number | null {
  const words = wordsOf(foldText(text));
  if (!words.some((word) => totals.has(word)) || words.some((word) => partials.has(word)))
    return null;
  if (words.some((word) => withoutTax.has(word))) return 3;
  if (words.some((word) => withTax.has(word))) return 0;
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
