import { DeskError } from '#shared/desk/contract/errors.ts';
import { sayBytes } from '#shared/desk/contract/error-text.ts';
import type { ReportDraft } from '#shared/desk/reports/reports.ts';
import { UsageError } from '#shared/lib/usage-error.ts';
import type { Command, CommandContext } from '../command.ts';
import { queued, remarkOnAnswers, remarkOnDamage, remarkOnProtected } from './acts.ts';

export interface DraftArguments {
  readonly submit?: boolean;
  readonly discard?: boolean;
  /** The id of the draft, if the case has several. */
  readonly draft?: string;
}

/** Shows the open draft of a case, queues it, or removes it with its files. */
export function draft(id: string, { submit, discard, draft: wanted }: DraftArguments): Command {
  return async (context) => {
    const { engine, output } = context;
    const found = await openDraft(context, id, wanted);
    const draftId = found.id;
    if (!discard) {
      remarkOnProtected(output, found);
      remarkOnDamage(output, found);
      remarkOnAnswers(output, found);
    }
    if (submit) {
      const item = await engine.reports.submitDraft({ draftId });
      output.result(item, () => queued(item));
    } else if (discard) {
      await engine.reports.discardDraft({ draftId });
      output.result({ ...found, discarded: true }, () => `Draft ${draftId} is removed.`);
    } else output.result(found, () => contentOf(found));
  };
}

/** @throws {DeskError} draft_not_found; UsageError if several drafts match */
async function openDraft(
  { engine }: CommandContext,
  id: string,
  wanted: string | undefined,
): Promise<ReportDraft> {
  const { drafts } = await engine.reports.list({ id });
  const open = drafts.filter(({ queueId }) => queueId === null);
  const chosen = wanted === undefined ? open : open.filter((one) => one.id === wanted);
  const [first, second] = chosen;
  if (!first) throw new DeskError('draft_not_found');
  if (!second) return first;
  const ids = chosen.map((one) => one.id).join(', ');
  throw new UsageError(`The case has several drafts; choose one with --draft: ${ids}`);
}

function contentOf({ id, comment, attachments }: ReportDraft): string {
  const files = attachments.map(({ fileName, sizeBytes, isSalvageSale }) => {
    const mark = isSalvageSale ? ', salvage' : '';
    return `  ${fileName} (${sayBytes(sizeBytes, 'en')}${mark})`;
  });
  const shownComment = comment === '' ? 'no comment' : comment;
  return [`Draft ${id}: ${shownComment}`, ...files, '--submit submits it.'].join('\n');
}
