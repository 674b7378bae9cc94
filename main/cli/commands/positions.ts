import type { Engine } from '#main/engine/engine.ts';
import type { CaseDocument } from '#shared/desk/reports/documents.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { comparisonOf, type DocumentEstimate } from '#shared/desk/reports/positions.ts';
import type { Comparison } from '#shared/lib/compare-positions.ts';
import { formatRappen } from '#shared/lib/money.ts';
import { UsageError } from '#shared/lib/usage-error.ts';
import type { Command } from '../command.ts';
import type { Output } from '../output.ts';
import { named } from './documents.ts';

export interface PositionArguments {
  readonly against?: string;
  readonly use?: boolean;
}

/**
 * The lines of a document whose sum is its total, alone or next to those of another; without a
 * document those whose lines are known.
 */
export function positions(
  id: string,
  document: string | undefined,
  { against, use }: PositionArguments,
): Command {
  return async ({ engine, output }) => {
    if (document === undefined) {
      if (against !== undefined || use) throw new UsageError('--against and --use need a document');
      listKnown(output, (await engine.documents.positions({ id })).items);
      return;
    }
    const names = [document, ...(against === undefined ? [] : [against])];
    const { items } = await engine.documents.list({ id, refresh: true });
    const chosen = names.flatMap((name) => named(items, name).slice(0, 1));
    const ids = chosen.map((one) => one.id);
    const known = await engine.documents.positions({ id, documentIds: ids });
    const [first, second = null] = chosen.map((one) => withLines(known.items, one));
    if (!first) return;
    if (use) await choose(engine, id, ids);
    print(output, first, second);
  };
}

function withLines(
  known: readonly DocumentEstimate[],
  { id, fileName }: CaseDocument,
): DocumentEstimate {
  const found = known.find((one) => one.documentId === id);
  if (!found) throw new DeskError('positions_unknown', { fileName });
  return found;
}

async function choose(engine: Engine, id: string, ids: readonly string[]): Promise<void> {
  const [documentId = '', against] = ids;
  await engine.documents.choosePositions({ id, documentId, against: against ?? null });
}

function listKnown(output: Output, known: readonly DocumentEstimate[]): void {
  const items = known.map(({ documentId, fileName, estimate }) => ({
    documentId,
    fileName,
    lines: estimate.positions.length,
    totalRappen: estimate.totalRappen,
  }));
  output.list(items, items.length, [
    { title: 'File', of: (item) => item.fileName },
    { title: 'Lines', of: (item) => String(item.lines) },
    { title: 'Total', of: (item) => formatRappen(item.totalRappen, 'en') },
  ]);
}

function print(output: Output, first: DocumentEstimate, second: DocumentEstimate | null): void {
  const comparison = comparisonOf({ first, second });
  const lines = comparison
    ? linesOf(comparison)
    : first.estimate.positions.map(({ number, text, rappen: lineRappen }) => ({
        number,
        text,
        lineRappen,
      }));
  const amount = (rappen: number | null | undefined) =>
    rappen === null || rappen === undefined ? '' : formatRappen(rappen, 'en');
  type Line = ReturnType<typeof linesOf>[number];
  const more: readonly { title: string; of: (line: Partial<Line>) => string }[] = [
    { title: 'Compared', of: (line) => amount(line.comparedRappen) },
    { title: 'Difference', of: (line) => amount(line.differenceRappen) },
    { title: 'Cut', of: (line) => amount(line.cutRappen) },
  ];
  output.list<Partial<Line>>(
    lines,
    lines.length,
    [
      { title: 'No.', of: (line) => line.number ?? '' },
      { title: 'Line', of: (line) => line.text ?? '' },
      { title: 'Amount', of: (line) => amount(line.lineRappen) },
      ...(comparison ? more : []),
    ],
    {
      document: sumsOf(first),
      ...(second && { against: sumsOf(second) }),
      ...(comparison && {
        cutsRappen: comparison.cutsRappen,
        assessedRappen: comparison.assessedRappen,
        isSameBasis: comparison.isSameBasis,
      }),
    },
  );
  if (!comparison) return;
  const assessed = comparison.assessedRappen;
  output.remark(
    `Sum of the cuts: ${amount(comparison.cutsRappen)}. Assessed amount after cuts: ${assessed === null ? 'not certain' : amount(assessed)}.`,
  );
}

const linesOf = ({ lines }: Comparison) =>
  lines.map(({ first, second, differenceRappen, cutRappen }) => ({
    number: first?.number ?? second?.number ?? '',
    text: first?.text ?? second?.text ?? '',
    lineRappen: first?.rappen ?? null,
    comparedRappen: second?.rappen ?? null,
    differenceRappen,
    cutRappen,
  }));

const sumsOf = ({ documentId, fileName, estimate }: DocumentEstimate) => ({
  documentId,
  fileName,
  sumRappen: estimate.sumRappen,
  taxRappen: estimate.taxRappen,
  roundingRappen: estimate.roundingRappen,
  totalRappen: estimate.totalRappen,
});
