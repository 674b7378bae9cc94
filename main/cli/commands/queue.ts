import { sayProblem } from '#shared/desk/error-text.ts';
import type { QueueItem, RetryDecision } from '#shared/desk/queue.ts';
import type { Engine } from '#main/engine/engine.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { type AmountsArguments, amountOf } from './acts.ts';

/** Everything in the queue, delivered rows with their proof too. */
export function queue(): Command {
  return (context) => {
    const { items, total } = context.engine.listQueue({ limit: 5000 });
    show(items, total, context);
  };
}

type RowAct = (engine: Engine, id: number) => QueueItem;

const rowActs = {
  show: (engine, id) => engine.getQueueItem(id),
  discard: (engine, id) => engine.discardQueueItem(id),
} as const satisfies Record<string, RowAct>;

/** One row: looked at, or discarded. */
export function queueRow(act: keyof typeof rowActs, id: number): Command {
  return (context) => showOne(rowActs[act](context.engine, id), context);
}

/** Tries a row again, with a person's decision about what the partner holds beside a report. */
export function queueRetry(id: number, { decision }: { decision?: RetryDecision }): Command {
  return (context) => showOne(context.engine.retryQueueItem(id, decision), context);
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

/** Changes what a row sets, or takes a report out of the queue to be changed as a draft. */
export function queueEdit(id: number, args: EditArguments): Command {
  return ({ engine, output, texts }) => {
    const { kind } = engine.getQueueItem(id);
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
    if (given !== fitting || (given === 0 && kind !== 'report'))
      throw new UsageError(texts.usageEdit);
    if (kind === 'report') {
      const { id: draftId } = engine.takeReportBack(id);
      const draft =
        comment === undefined ? engine.getDraft(draftId) : engine.updateDraft({ draftId, comment });
      output.result(draft, () => texts.draftKept(draftId));
      return;
    }
    const item = engine.editQueueItem({
      id,
      costEstimateAmount: amountOf('costEstimateAmount', estimate),
      approvedAmount: amountOf('approvedAmount', approved),
      text,
      reason,
    });
    output.result(item, () => texts.edited(id));
  };
}

function show(items: readonly QueueItem[], total: number, context: CommandContext): void {
  const { output, texts, language } = context;
  const { columns } = texts;
  output.list(items, total, [
    { title: columns.id, of: (item) => String(item.id) },
    { title: columns.key, of: (item) => item.externalKey },
    { title: columns.act, of: (item) => texts.kinds[item.kind] },
    { title: columns.state, of: (item) => texts.states[item.state] },
    { title: columns.attempts, of: (item) => String(item.attempts) },
    {
      title: columns.problem,
      of: (item) => (item.problem ? sayProblem(item.problem, language) : ''),
    },
  ]);
}
