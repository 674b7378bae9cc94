import { resolve } from 'node:path';
import type { BatchItem, BatchResult } from '#shared/desk/batch.ts';
import { sayProblem } from '#shared/desk/error-text.ts';
import type { Language } from '#shared/desk/workspace.ts';
import { exitCodes } from '#main/shell/exit-codes.ts';
import type { Command } from '../command.ts';
import { tellProgress } from '../progress.ts';
import type { CliTexts } from '../texts/texts.ts';

export interface BatchArguments {
  readonly submit?: boolean;
  readonly dryRun?: boolean;
}

/**
 * One report per case from the files of a folder. Ends with 1 where a file was left out, although
 * all others were taken.
 */
export function batch(folder: string, args: BatchArguments): Command {
  return async (context) => {
    const { engine, output, texts, language, endWith } = context;
    const { submit = false, dryRun = false } = args;
    const result = await tellProgress(context, () =>
      engine.tools.runBatch({ folder: resolve(folder), submit, dryRun }),
    );
    const { columns } = texts;
    if (output.json) output.result(result, () => '');
    else {
      output.list(result.items, result.total, [
        { title: columns.file, of: (item) => item.path },
        { title: columns.key, of: (item) => item.externalKey ?? '' },
        { title: columns.matchedBy, of: (item) => sayMatch(item, texts) },
        { title: columns.salvage, of: (item) => (item.isSalvageSale ? texts.yes : '') },
        { title: columns.state, of: (item) => sayOutcome(item, texts, language) },
      ]);
      output.result({}, () => sayReports(result, texts));
    }
    const isLeftOut = ({ outcome }: BatchItem) => outcome === 'unmatched' || outcome === 'refused';
    if (result.items.some(isLeftOut)) endWith(exitCodes.failed);
  };
}

function sayMatch({ matchedBy, confidence }: BatchItem, texts: CliTexts): string {
  const by = matchedBy.map(
    ({ kind, identifier }) => `${texts.batch.identifiers[kind]} ${identifier}`,
  );
  const unsure = confidence === 'likely' ? ` (${texts.batch.likely})` : '';
  return `${[...new Set(by)].join(', ')}${unsure}`;
}

function sayOutcome(item: BatchItem, texts: CliTexts, language: Language): string {
  if (item.problem) return sayProblem(item.problem, language);
  if (item.refusal) {
    const candidates = item.candidates.length > 0 ? `: ${item.candidates.join(', ')}` : '';
    return `${texts.batch.refusals[item.refusal]}${candidates}`;
  }
  if (item.outcome === 'known') {
    const state = item.queueState === null ? texts.batch.inDraft : texts.states[item.queueState];
    return `${texts.batch.outcomes.known}: ${state}`;
  }
  return item.outcome === 'unmatched' || item.outcome === 'refused'
    ? ''
    : texts.batch.outcomes[item.outcome];
}

function sayReports({ reports }: BatchResult, texts: CliTexts): string {
  const queued = reports.filter(({ queueId }) => queueId !== null).length;
  return texts.batch.made(queued, reports.length - queued);
}
