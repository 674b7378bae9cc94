import { amountMaxRappen } from '../api/limits.ts';
import { roleOfLine, type LineRole } from './find-totals.ts';
import { foldText, wordsOf } from './words.ts';

/** A line of an estimate or invoice. */
export interface Position {
  /** The number as the document has it, else the place in the table, counted from 1. */
  readonly number: string;
  readonly text: string;
  /** Negative for a discount. */
  readonly rappen: number;
}

/** The lines of a document, whose sum is its total to the Rappen. */
export interface Estimate {
  readonly positions: readonly Position[];
  /** The sum of the lines. */
  readonly sumRappen: number;
  /** The tax that is added to the lines; null if they contain it. */
  readonly taxRappen: number | null;
  /** The rate of the tax in hundredths of a percent; null if the document names none or several. */
  readonly taxRate: number | null;
  readonly roundingRappen: number;
  /** The total of the document: lines, tax and rounding. */
  readonly totalRappen: number;
}

/** A line of a document, with what stands in the column of the total. */
export interface LedgerLine {
  /** The words to the left of the amount. */
  readonly text: string;
  /** Null if nothing is in the column. */
  readonly rappen: number | null;
}

/** An estimate with more lines is not read. */
export const positionsMax = 500;
export const positionTextMax = 200;
/** One line and a total say too little: any amount twice below each other looks like this. */
const positionsMin = 2;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const carried = setOf('ubertrag vortrag report reporter riporto riportare carried forward');
const sums = setOf(
  'zwischentotal zwischensumme subtotal subtotale summe somme somma nettobetrag nettototal nettosumme',
);
const roundings = setOf('rundung rundungsdifferenz arrondi arrotondamento rounding');
const headings = setOf('betrag preis montant prix importo prezzo amount price');
const contained = setOf('davon dont cui which enthalten');
/** Units of a quantity, which say nothing about the work. */
const units = setOf(
  'std stunde stunden min stk st stck pcs pce h hr hrs ore heures heure aw ze km kg g m m2 m3 l lt x a chf fr pauschal',
);

/**
 * Reads the lines of an estimate. The result is null unless every sum of the document is the sum of
 * its lines.
 * @param total the total of the document, in Rappen
 */
export function readLedger(lines: readonly LedgerLine[], total: number): Estimate | null {
  const rows = lines.map((line): Row => ({ ...line, role: roleOfLine(line.text) }));
  // A discount is written with a minus sign or without one. The sum shows which is meant.
  for (const sign of [1, -1] as const) {
    const ledger = new Ledger(sign);
    for (const row of tableOf(rows)) if (!ledger.add(row)) break;
    const estimate = ledger.estimate(total);
    if (estimate) return estimate;
  }
  return null;
}

interface Row extends LedgerLine {
  readonly role: LineRole;
}

/** The rows below the heading of the table, if it has one. */
function tableOf(rows: readonly Row[]): readonly Row[] {
  const at = rows.findIndex(
    ({ text, rappen }) =>
      rappen === null && wordsOf(foldText(text)).some((word) => headings.has(word)),
  );
  // An amount above a total cannot be left out if the "heading" is below it.
  const firstSum = rows.findIndex(({ role, rappen }) => rappen !== null && role.isTotal);
  return at >= 0 && at < firstSum ? rows.slice(at + 1) : rows;
}

interface Line {
  readonly text: string;
  readonly rappen: number;
}

/** Adds up the rows of a document from above. */
class Ledger {
  readonly #sign: 1 | -1;
  readonly #lines: Line[] = [];
  #sum = 0;
  /** The sum at the last sum row, for sums of a part. */
  #sumBefore = 0;
  #tax: number | null = null;
  #rate: number | null = null;
  #rounding = 0;
  /** The row above, if it has words and no amount. */
  #above = '';
  #found: Omit<Estimate, 'positions'> | null = null;
  #count = 0;

  /** @param sign of a discount without a sign */
  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  /** @returns false if the rows below cannot belong to the table */
  add(row: Row): boolean {
    const { rappen, text } = row;
    if (rappen === null) {
      this.#above = text;
      return true;
    }
    const isAdded = this.#addAmount(row, rappen);
    this.#above = '';
    return isAdded && this.#lines.length <= positionsMax;
  }

  #addAmount({ text, role }: Row, rappen: number): boolean {
    const words = wordsOf(foldText(text));
    const has = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
    if (has(carried)) return rappen === this.#sum;
    if (role.isTax && role.rank === null)
      return this.#addTax(text, rappen, role.isInclusive || has(contained));
    if (role.isTotal && role.isDeduction) return true;
    if (role.isTotal || has(sums)) return this.#compare(rappen);
    if (has(roundings)) {
      this.#rounding += rappen;
      return Math.abs(this.#rounding) < 100;
    }
    return this.#tax === null && this.#addLine(text, rappen, role);
  }

  #addLine(text: string, rappen: number, role: LineRole): boolean {
    const own = plainText(text);
    const whole = hasWords(own) ? own : plainText(`${this.#above} ${text}`);
    if (!hasWords(whole)) return false;
    const signed = role.isDeduction && rappen > 0 ? rappen * this.#sign : rappen;
    this.#lines.push({ text: whole, rappen: signed });
    this.#sum += signed;
    return true;
  }

  #addTax(text: string, rappen: number, isContained: boolean): boolean {
    if (isContained) return true;
    const rate = /(\d{1,2})(?:[.,](\d{1,2}))?\s?%/.exec(text);
    this.#rate =
      this.#tax === null && rate
        ? Number(rate[1]) * 100 + Number((rate[2] ?? '').padEnd(2, '0'))
        : null;
    this.#tax = (this.#tax ?? 0) + rappen;
    return true;
  }

  /** A sum row has to be one of the sums so far. */
  #compare(rappen: number): boolean {
    const whole = this.#sum + (this.#tax ?? 0) + this.#rounding;
    const isPart = rappen === this.#sum || rappen === this.#sum - this.#sumBefore;
    if (rappen !== whole) {
      if (isPart) this.#sumBefore = this.#sum;
      return isPart;
    }
    this.#sumBefore = this.#sum;
    this.#count = this.#lines.length;
    this.#found = {
      sumRappen: this.#sum,
      taxRappen: this.#tax,
      taxRate: this.#rate,
      roundingRappen: this.#rounding,
      totalRappen: rappen,
    };
    return true;
  }

  estimate(total: number): Estimate | null {
    const found = this.#found;
    if (found === null || found.totalRappen !== total || total > amountMaxRappen) return null;
    if (this.#count < positionsMin || this.#count > positionsMax) return null;
    return { positions: numbered(this.#lines.slice(0, this.#count)), ...found };
  }
}

const hasWords = (text: string): boolean =>
  wordsOf(foldText(text)).some((word) => /\p{L}{2}/u.test(word) && !units.has(word));

/** The text of a line without the columns behind it: quantity, unit and price. */
function plainText(text: string): string {
  const words = text.trim().split(/\s+/);
  const isColumn = (word: string) =>
    /^[-−–+]?[\d.,'’%/–-]+%?$/.test(word) || units.has(foldText(word).replaceAll('.', ''));
  let end = words.length;
  while (end > 0 && isColumn(words[end - 1] ?? '')) end -= 1;
  return words.slice(0, end).join(' ').slice(0, positionTextMax).trim();
}

/** The numbers of the document, if each line has one and they ascend; else the lines are counted. */
function numbered(lines: readonly Line[]): Position[] {
  const read = lines.map(({ text }) => /^(\d{1,4}(?:\.\d{1,3}){0,3})[.)]?\s+(?=\S)/u.exec(text));
  const ascends = read.every((match, at) => {
    const before = read[at - 1]?.[1];
    return match !== null && (before === undefined || isAfter(match[1] ?? '', before));
  });
  return lines.map(({ text, rappen }, at) => {
    const match = ascends ? read[at] : undefined;
    return {
      number: match?.[1] ?? String(at + 1),
      text: match ? text.slice(match[0].length) : text,
      rappen,
    };
  });
}

function isAfter(number: string, before: string): boolean {
  const [one, other] = [number, before].map((text) => text.split('.').map(Number));
  for (let at = 0; at < Math.max(one?.length ?? 0, other?.length ?? 0); at += 1) {
    const difference = (one?.[at] ?? -1) - (other?.[at] ?? -1);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
