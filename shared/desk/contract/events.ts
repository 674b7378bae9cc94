import { z } from 'zod';
import { opaqueIdSchema } from '../../api/conventions.ts';
import { queueItemSchema } from '../delivery/queue.ts';
import { syncStatusSchema } from '../delivery/sync.ts';
import { typedTextSchema } from '../cases/typed-text.ts';

/** The events that the engine sends to every window. Their names are `subject.changed`. */
export const deskEventSchema = z.discriminatedUnion('type', [
  /**
   * The first event of every subscription. It is repeated every 15 s, so that a window notices a
   * dead connection.
   */
  z.object({ type: z.literal('alive'), at: z.string() }),
  /** If `caseIds` is null, any case may have changed. */
  z.object({ type: z.literal('cases.changed'), caseIds: z.array(opaqueIdSchema).nullable() }),
  /**
   * The documents of a case changed, and with them the counts in its row. Nothing else of the case
   * changed.
   */
  z.object({ type: z.literal('documents.changed'), caseId: opaqueIdSchema }),
  z.object({ type: z.literal('reports.changed'), caseId: opaqueIdSchema }),
  z.object({ type: z.literal('queue.changed'), item: queueItemSchema }),
  z.object({
    type: z.literal('queue.progress'),
    id: z.int(),
    stepId: z.int(),
    sentBytes: z.int(),
    totalBytes: z.int(),
  }),
  /** The progress of a tool, in bytes or items. */
  z.object({
    type: z.literal('task.progress'),
    task: z.enum(['backup', 'restore', 'batch', 'export', 'report', 'ready']),
    done: z.int(),
    total: z.int(),
  }),
  z.object({ type: z.literal('batch.changed') }),
  /** The session with a telephone began, ended, or stored a picture. */
  z.object({ type: z.literal('telephone.changed') }),
  /**
   * A typed text changed. Every window receives the event, including the one in which it was typed.
   */
  z.object({ type: z.literal('typed.changed'), ...typedTextSchema.shape }),
  /** A backup restored work, so any work of the user may have changed. */
  z.object({ type: z.literal('work.restored') }),
  z.object({ type: z.literal('views.changed') }),
  /** Text blocks, checklists or their ticks changed. */
  z.object({ type: z.literal('texts.changed') }),
  z.object({ type: z.literal('templates.changed') }),
  /** Visits, plans, marks or the rule of the user's own cases changed. */
  z.object({ type: z.literal('day.changed') }),
  z.object({ type: z.literal('sync.changed'), status: syncStatusSchema }),
  z.object({ type: z.literal('workspace.changed') }),
  /** The window was too slow for some events, so that anything may have changed since. */
  z.object({ type: z.literal('events.missed') }),
  /** A newer version was found, or who installs it has changed. */
  z.object({ type: z.literal('update.changed') }),
  /** A setting that all windows share changed, such as the language. */
  z.object({ type: z.literal('desk.changed') }),
]);
export type DeskEvent = z.infer<typeof deskEventSchema>;
