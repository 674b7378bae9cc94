import { sayProblem } from '#shared/desk/error-text.ts';
import { entryStatement, outboxStatements } from '#shared/desk/statements.ts';
import { sayEntry, sayOutbox } from '#shared/i18n/say-statement.ts';
import type { QueueItem, RetryDecision } from '#shared/desk/queue.ts';
import { UsageError } from '#shared/lib/usage-error.ts';
import type { Command, CommandContext } from '../command.ts';
import { type AmountsArguments, amountOf, draftSaved } from './acts.ts';

/** Everything in the queue, delivered rows with their proof too. */
export function queue(): Command {
  return async (context) => {
    const { items, total } = await context.engine.queue.list({ limit: 5000 });
    const { output, language } = context;
    const status = await context.engine.sync.status();
    const { notices } = status;
    for (const notice of notices) output.notice(notice);
    const nowMs = Date.now();
    for (const statement of outboxStatements(status, nowMs))
      output.remark(sayOutbox(statement, language, nowMs));
    show(items, total, context, { notices });
  };
}

/** One row: looked at, or discarded. */
export function queueRow(act: 'get' | 'discard', id: number): Command {
  return async (context) => showOne(await context.engine.queue[act]({ id }), context);
}

/**
 * Tries a row again, with the user's decision about what the partner has in addition to a report.
 */
export function queueRetry(id: number, args: { decision?: RetryDecision }): Command {
  return async (context) => showOne(await context.engine.queue.retry({ id, ...args }), context);
}

function showOne(item: QueueItem, context: CommandContext): void {
  if (context.output.json) context.output.result(item, () => '');
  else show([item], 1, context);
}

export interface EditArguments extends AmountsArguments {
  readonly text?: string;
  readonly reason?: string;
  /** Of a report, which becomes a draft again. */
  readonly comment?: string;
}

const editUsage =
  'Needed is what is to change: --estimate or --approved for amounts, --text for a comment, --reason for a reopening; a report takes --comment or nothing.';

/** Changes what a row sets, or takes a report out of the queue to be changed as a draft. */
export function queueEdit(id: number, args: EditArguments): Command {
  return async ({ engine, output }) => {
    const { kind } = await engine.queue.get({ id });
    const { estimate, approved, text, reason, comment } = args;
    const changes = {
      amounts: [estimate, approved],
      comment: [text],
      reopen: [reason],
      report: [comment],
    };
    const isGiven = (value: string | undefined) => value !== undefined;
    const given = Object.values(changes).flat().filter(isGiven).length;
    const fitting = changes[kind].filter(isGiven).length;
    if (given !== fitting || (given === 0 && kind !== 'report')) throw new UsageError(editUsage);
    if (kind === 'report') {
      const { id: draftId } = await engine.queue.takeReportBack({ id });
      const draft = await engine.reports.updateDraft({ draftId, comment });
      output.result(draft, () => draftSaved(draftId));
      return;
    }
    const item = await engine.queue.edit({
      id,
      costEstimateRappen: amountOf('costEstimateRappen', estimate),
      approvedRappen: amountOf('approvedRappen', approved),
      text,
      reason,
    });
    output.result(item, () => `Entry ${String(id)} is changed.`);
  };
}

const kinds = { amounts: 'Amounts', comment: 'Comment', reopen: 'Reopening', report: 'Report' };

function show(
  items: readonly QueueItem[],
  total: number,
  context: CommandContext,
  more: object = {},
): void {
  const { output, language } = context;
  const nowMs = Date.now();
  const columns = [
    { title: 'Entry', of: (item: QueueItem) => String(item.id) },
    { title: 'Case', of: (item: QueueItem) => item.externalKey },
    { title: 'What', of: (item: QueueItem) => kinds[item.kind] },
    {
      title: 'State',
      of: (item: QueueItem) => sayEntry(entryStatement(item, nowMs), language, nowMs),
    },
    { title: 'Attempts', of: (item: QueueItem) => String(item.attempts) },
    {
      title: 'Why',
      of: ({ problem }: QueueItem) =>
        problem ? sayProblem(problem, language, { isEnding: true }) : '',
    },
  ];
  output.list(items, total, columns, more);
}
