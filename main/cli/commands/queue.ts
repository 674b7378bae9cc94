import { sayProblem } from '#shared/desk/contract/error-text.ts';
import { entryStatement, outboxStatements } from '#shared/desk/delivery/statements.ts';
import type { Decision } from '#shared/desk/delivery/decisions.ts';
import { sayEntry, sayOutbox } from '#shared/i18n/say-statement.ts';
import type { QueueItem, RetryDecision } from '#shared/desk/delivery/queue.ts';
import { UsageError } from '#shared/lib/usage-error.ts';
import type { Command, CommandContext } from '../command.ts';
import { presentTime } from '../desk-time.ts';
import { type AmountsArguments, amountOf, draftSaved } from './acts.ts';

/** Lists everything in the queue, including delivered rows with their proof. */
export function queue(): Command {
  return async (context) => {
    const { items, total } = await context.engine.queue.list({ limit: 5000 });
    const { output } = context;
    const status = await context.engine.sync.status();
    const { notices, clock } = status;
    for (const notice of notices) output.notice(notice);
    const nowMs = presentTime(status, output);
    for (const statement of outboxStatements(status, nowMs))
      output.remark(sayOutbox(statement, 'en', nowMs));
    show(items, total, context, nowMs, { notices, ...(clock && { clock }) });
  };
}

/** Shows or discards one row. */
export function queueRow(act: 'get' | 'discard', id: number): Command {
  return async (context) => showOne(await context.engine.queue[act]({ id }), context);
}

/**
 * Shows the decisions about an entry, oldest first, which explain why it was sent, sent twice, or
 * not sent.
 */
export function queueWhy(id: number): Command {
  return async ({ engine, output }) => {
    const { items, total } = await engine.queue.decisions({ id });
    const { steps } = await engine.queue.get({ id });
    if (total === 0)
      output.remark('Nothing was decided about this entry yet, or only too long ago.');
    const files = steps.filter(({ kind }) => kind === 'document').map((step) => step.id);
    output.list(items, total, [
      { title: 'When', of: ({ at }) => at },
      {
        title: 'Step',
        of: ({ step, stepId }) =>
          step === 'document' ? `document ${String(files.indexOf(stepId) + 1)}` : step,
      },
      { title: 'Attempts', of: ({ attempts }) => String(attempts) },
      { title: 'State', of: ({ state, next }) => [state, next ?? []].flat().join(' -> ') },
      { title: 'Failure', of: ({ failure }) => sayFailure(failure) },
      {
        title: 'Decision',
        of: ({ action, question, answer }) =>
          question === null ? action : `${action} ${question}: ${answer ?? 'no answer'}`,
      },
      { title: 'Why', of: ({ reason }) => reason },
    ]);
  };
}

function sayFailure(failure: Decision['failure']): string {
  if (!failure) return '';
  return [failure.code, failure.status ?? []].flat().join(' ');
}

/**
 * Sends a row again, with the user's decision about what the partner has in addition to a report.
 */
export function queueRetry(id: number, args: { decision?: RetryDecision }): Command {
  return async (context) => showOne(await context.engine.queue.retry({ id, ...args }), context);
}

async function showOne(item: QueueItem, context: CommandContext): Promise<void> {
  const { engine, output } = context;
  if (output.json) output.result(item, () => '');
  else show([item], 1, context, presentTime(await engine.sync.status(), output));
}

export interface EditArguments extends AmountsArguments {
  readonly text?: string;
  readonly reason?: string;
  /** The comment of a report, which becomes a draft again. */
  readonly comment?: string;
}

const editUsage =
  'Give what is to change: --estimate or --approved for amounts, --text for a comment, --reason for a reopening; a report takes --comment or nothing.';

/** Changes the values of a row, or turns a queued report into a draft again. */
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
  { output }: CommandContext,
  nowMs: number,
  more: object = {},
): void {
  const columns = [
    { title: 'Entry', of: (item: QueueItem) => String(item.id) },
    { title: 'Case', of: (item: QueueItem) => item.externalKey },
    { title: 'What', of: (item: QueueItem) => kinds[item.kind] },
    {
      title: 'State',
      of: (item: QueueItem) => sayEntry(entryStatement(item, nowMs), 'en', nowMs),
    },
    { title: 'Attempts', of: (item: QueueItem) => String(item.attempts) },
    {
      title: 'Why',
      of: ({ problem }: QueueItem) =>
        problem ? sayProblem(problem, 'en', { isEnding: true }) : '',
    },
  ];
  output.list(items, total, columns, more);
}
