import { sayProblem } from '#shared/desk/error-text.ts';
import type { QueueItem } from '#shared/desk/queue.ts';
import type { Engine } from '#main/engine/engine.ts';
import type { Command, CommandContext } from '../command.ts';

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
  retry: (engine, id) => engine.retryQueueItem(id),
  discard: (engine, id) => engine.discardQueueItem(id),
} as const satisfies Record<string, RowAct>;

/** One row: looked at, tried again, or discarded. */
export function queueRow(act: keyof typeof rowActs, id: number): Command {
  return (context) => {
    const item = rowActs[act](context.engine, id);
    if (context.output.json) context.output.result(item, () => '');
    else show([item], 1, context);
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
