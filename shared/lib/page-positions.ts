import { moneyOf } from './document-currency.ts';
import { findTotals, textOfLine, type FoundTotal, type PageLine } from './find-totals.ts';
import { type Estimate, type LedgerLine, readLedger } from './positions.ts';

/** How far the right edges of a column may differ, as a share of the page's width. */
const edgeTolerance = 0.012;
/** The share of a word that another may cover. Text in two layers is not read. */
const overlapMax = 0.4;
const linesMax = 5000;
/** A blank between thousands is no wider than this, in heights of the line. */
const gapMax = 1.5;
/** More than the longest amount. */
const tailMax = 28;

/** A sign stands before the amount or behind it; the last part is a dash in place of Rappen. */
const amountAtEnd =
  /(?<![\p{L}\d.,'-])([-−–]\s?)?(?:(?:CHF|S?Fr\.?)\s?)?((?:\d{1,3}(?:['\u0020]\d{3})+|\d{1,9}))[.,](\d{2}|[-–]{1,2})(\s?[-−–])?(?:\s?(?:CHF|Fr\.))?$/u;

/**
 * The lines of an estimate or invoice, from the words of its pages; null if they cannot be read
 * without a doubt: another currency, a credit note, texts above each other, or sums that differ.
 */
export function findPositions(pages: readonly (readonly PageLine[])[]): Estimate | null {
  const lines = pages.flat();
  if (lines.length > linesMax) return null;
  const money = moneyOf(lines.map(textOfLine));
  if (money.isCredit || money.currency !== 'CHF') return null;
  const [total] = findTotals(lines, money);
  if (!total) return null;
  // A blank may separate thousands or a quantity from its amount. The sum shows which is meant.
  for (const hasBlanks of [false, true]) {
    const ledger = ledgerOf(lines, total, hasBlanks);
    const estimate = ledger && readLedger(ledger, total.rappen);
    if (estimate) return estimate;
  }
  return null;
}

/** The lines with their amounts in the column of the total; null if words lie above each other. */
function ledgerOf(
  lines: readonly PageLine[],
  total: FoundTotal,
  hasBlanks: boolean,
): LedgerLine[] | null {
  const edge = total.box.left + total.box.width;
  const ledger: LedgerLine[] = [];
  for (const line of lines) {
    const at = line.findLastIndex(
      ({ box }) => Math.abs(box.left + box.width - edge) <= edgeTolerance,
    );
    const read = at < 0 ? null : amountOf(line.slice(0, at + 1), hasBlanks);
    if (read && overlaps(line)) return null;
    ledger.push(read ?? { text: textOfLine(line), rappen: null });
  }
  return ledger;
}

/** The amount at the end of these words, and the words before it. */
function amountOf(words: PageLine, hasBlanks: boolean): LedgerLine | null {
  const text = words
    .map(({ text: word, box }, at) => {
      const next = words[at + 1];
      if (!next) return word;
      const gap = next.box.left - box.left - box.width;
      return gap > gapMax * Math.max(box.height, next.box.height) ? `${word}\t` : `${word} `;
    })
    .join('')
    .replaceAll(/[‘’`´]/g, "'")
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .trimEnd();
  const start = Math.max(0, text.length - tailMax);
  const tail = hasBlanks ? text.slice(start) : text.slice(start).replaceAll(/(\d) (?=\d)/g, '$1\t');
  const match = amountAtEnd.exec(tail);
  if (!match) return null;
  const [, before = '', francs = '', cents = '', behind = ''] = match;
  const whole = Number(francs.replaceAll(/\D/g, '')) * 100;
  const rappen = whole + (/\d/.test(cents) ? Number(cents) : 0);
  const isNegative = before !== '' || behind !== '';
  return {
    text: text
      .slice(0, start + match.index)
      .replaceAll('\t', ' ')
      .trim(),
    rappen: isNegative ? 0 - rappen : rappen,
  };
}

/** Whether words of a line lie above each other, as in a text that is not what one sees. */
function overlaps(line: PageLine): boolean {
  return line.some(({ box }, at) => {
    const next = line[at + 1];
    if (!next) return false;
    const common = Math.min(box.left + box.width, next.box.left + next.box.width) - next.box.left;
    return common > overlapMax * Math.min(box.width, next.box.width);
  });
}
