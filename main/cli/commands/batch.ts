import { resolve } from 'node:path';
import type { BatchItem, BatchResult, BatchSheetCase } from '#shared/desk/reports/batch.ts';
import { sayProblem } from '#shared/desk/contract/error-text.ts';
import { words } from '#shared/i18n/catalogue.ts';
import { UsageError } from '#shared/lib/usage-error.ts';
import type { Language } from '#shared/desk/setup/workspace.ts';
import { exitCodes } from '#main/shell/exit-codes.ts';
import type { Command } from '../command.ts';
import { withProgress } from '../output.ts';
import { convertedTo, sayDamage, strippedFrom } from './acts.ts';

export interface BatchArguments {
  readonly submit?: boolean;
  readonly dryRun?: boolean;
  /** Whether the files that mails carry are taken, too. */
  readonly attachments?: boolean;
  /** A file with amounts and comments. */
  readonly sheet?: string;
  /** The name of the sheet in a workbook. */
  readonly sheetName?: string;
  /** The template that is filled for each case with a report. */
  readonly template?: string;
  /** Whether the PDF of the template's document is sent. */
  readonly pdf?: boolean;
  /** Whether the PDFs and pictures of each case become one PDF with the document. */
  readonly annexes?: boolean;
}

/**
 * Makes one report per case from the files of a folder. It ends with 1 if a file was left out. If a
 * file of a case is refused, the whole case is left out.
 */
export function batch(folder: string, args: BatchArguments): Command {
  return async (context) => {
    const { engine, output, language, endWith } = context;
    const { template, pdf: asPdf = false, annexes: withAnnexes = false, ...rest } = args;
    if (asPdf && template === undefined)
      throw new UsageError('--pdf goes with --template, which names the document.');
    if (withAnnexes && !asPdf) throw new UsageError('--annexes goes with --pdf.');
    const result = await withProgress(context, () =>
      engine.tools.runBatch({
        ...rest,
        ...(template !== undefined && { template: { name: template, asPdf, withAnnexes } }),
        folder: resolve(folder),
        sheet: args.sheet === undefined ? undefined : resolve(args.sheet),
      }),
    );
    if (output.json) output.result(result, () => '');
    else {
      output.list(result.items, result.total, [
        { title: 'File', of: (item) => item.path },
        { title: 'Case', of: (item) => item.externalKey ?? '' },
        { title: 'Recognized by', of: matchOf },
        { title: 'Salvage', of: (item) => (item.isSalvageSale ? 'yes' : '') },
        { title: 'State', of: (item) => outcomeOf(item, language) },
      ]);
      const problems = result.sheet?.problems ?? [];
      if (problems.length > 0) {
        output.list(problems, problems.length, [
          { title: 'Line', of: ({ line }) => String(line) },
          { title: 'Problem', of: ({ problem }) => sayProblem(problem, language) },
        ]);
      }
      if (result.sheetCases.length > 0) {
        output.list(result.sheetCases, result.sheetCases.length, [
          { title: 'Case of the sheet alone', of: ({ externalKey }) => externalKey },
          { title: 'State', of: (item) => stateOf(item, language) },
        ]);
      }
      output.result({}, () => summaryOf(result));
    }
    const isLeftOut = ({ outcome }: Pick<BatchItem, 'outcome'>) =>
      ['unmatched', 'refused', 'missing', 'kept_back'].includes(outcome);
    const isSheetBad = (result.sheet?.problems.length ?? 0) > 0;
    const isCaseLeft = result.sheetCases.some(isLeftOut);
    if (isSheetBad || isCaseLeft || result.items.some(isLeftOut)) endWith(exitCodes.failed);
  };
}

const identifiers = { externalKey: 'case', policyNumber: 'policy', licensePlate: 'plate' };

function matchOf({ matchedBy, confidence }: BatchItem): string {
  const by = matchedBy.map(
    ({ kind, identifier, in: place }) =>
      `${identifiers[kind]} ${identifier}${place === 'subject' ? ' in the subject' : ''}`,
  );
  return `${[...new Set(by)].join(', ')}${confidence === 'likely' ? ' (likely)' : ''}`;
}

const refusals = {
  nothing_recognized: 'nothing in the name or its folders belongs to a case',
  unknown_case: 'no case here has this claim number',
  several_cases: 'it could be several cases',
  names_disagree: 'the names belong to different cases',
};
const outcomes = {
  ready: 'would be taken',
  added: 'in the report',
  known: 'has been taken already',
  kept_back: 'left out, because another file of this case is',
  duplicate: 'the same content is in the batch twice',
  unmatched: '',
  refused: '',
  missing: 'could not be read',
};

function outcomeOf(item: BatchItem, language: Language): string {
  if (item.problems.length > 0)
    return item.problems.map((problem) => sayProblem(problem, language)).join(' ');
  if (item.refusal) {
    const candidates = item.candidates.length > 0 ? `: ${item.candidates.join(', ')}` : '';
    return `${refusals[item.refusal]}${candidates}`;
  }
  const remarks = [
    item.isProtected ? ', protected with a password' : '',
    item.looksDamaged ? `, ${sayDamage(item.path)}` : '',
    item.hidesAnswers ? ', its form has answers that may not be shown' : '',
  ].join('');
  const outcome = `${outcomes[item.outcome]}${remarks}`;
  if (item.outcome !== 'known') return outcome;
  const state = item.queueState === null ? 'in a draft' : words.en.queueState[item.queueState];
  return `${outcome}: ${state}`;
}

const statesOfSheetCase = {
  ready: 'would be filled',
  added: 'filled',
  known: 'has been filled already',
  kept_back: 'left out',
  refused: 'not filled',
};

function stateOf({ outcome, problem }: BatchSheetCase, language: Language): string {
  return problem ? sayProblem(problem, language) : statesOfSheetCase[outcome];
}

function summaryOf({ reports, strippedPictures, convertedPictures, sheet }: BatchResult): string {
  if (sheet && sheet.problems.length > 0)
    return ['The sheet is not taken, nor are the files.', ...countsOf(sheet)].join(' ');
  const queued = reports.filter(({ queueId }) => queueId !== null).length;
  const said = `${String(queued)} reports submitted, ${String(reports.length - queued)} kept as drafts.`;
  const stripped =
    strippedPictures > 0 ? [strippedFrom(`${String(strippedPictures)} pictures`)] : [];
  const converted =
    convertedPictures > 0 ? [convertedTo(`${String(convertedPictures)} pictures`)] : [];
  return [said, ...stripped, ...converted, ...countsOf(sheet), ...unappliedOf(sheet)].join(' ');
}

/** The numbers of lines. Each line that was read is applied, unchanged, or named. */
function countsOf(sheet: BatchResult['sheet']): string[] {
  if (!sheet) return [];
  const { lines, items, unchanged, sheetName, otherSheets } = sheet;
  const named = lines - items.length - unchanged;
  const counts = [`${String(items.length)} applied`, `${String(unchanged)} unchanged`];
  return [
    `Lines read: ${String(lines)} (${[...counts, `${String(named)} named`].join(', ')}).`,
    ...(otherSheets.length > 0
      ? [`Read: sheet ${sheetName ?? ''}. Not applied: sheets ${otherSheets.join(', ')}.`]
      : []),
  ];
}

/** The parts of the sheet that were not applied although they are not wrong. */
function unappliedOf(sheet: BatchResult['sheet']): string[] {
  const { lines = [], columns = [] } = sheet?.hidden ?? {};
  return [
    ...(lines.length > 0 ? [`Not applied, because hidden: lines ${lines.join(', ')}.`] : []),
    ...(columns.length > 0 ? [`Not applied, because hidden: columns ${columns.join(', ')}.`] : []),
    ...(sheet && sheet.unused.length > 0 ? [`Columns not used: ${sheet.unused.join(', ')}.`] : []),
  ];
}
