import { z } from 'zod';
import { opaqueIdSchema } from '../api/conventions.ts';
import { queueItemSchema } from './queue.ts';
import { syncStatusSchema } from './sync.ts';
import { typedTextSchema } from './typed-text.ts';

/** What the engine reports to every window as it happens. Names are `subject.changed`. */
export const deskEventSchema = z.discriminatedUnion('type', [
  /** First event of every subscription, and again every 15 s so that a dead line is noticed. */
  z.object({ type: z.literal('alive'), at: z.string() }),
  /** `caseIds` null: any case may have changed. */
  z.object({ type: z.literal('cases.changed'), caseIds: z.array(opaqueIdSchema).nullable() }),
  /** Also of the counts of documents in its row; nothing else of the case changed. */
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
  /** Progress of a tool, in bytes or items. */
  z.object({
    type: z.literal('task.progress'),
    task: z.enum(['backup', 'restore', 'batch', 'export', 'report', 'ready']),
    done: z.int(),
    total: z.int(),
  }),
  z.object({ type: z.literal('batch.changed') }),
  /** For every window, the one that it was typed in included. */
  z.object({ type: z.literal('typed.changed'), ...typedTextSchema.shape }),
  /** A backup brought work: anything that the user did may have changed. */
  z.object({ type: z.literal('work.restored') }),
  z.object({ type: z.literal('views.changed') }),
  /** Text blocks, checklists or their ticks. */
  z.object({ type: z.literal('texts.changed') }),
  z.object({ type: z.literal('templates.changed') }),
  /** Visits, plans, marks or the rule of the user's own cases. */
  z.object({ type: z.literal('day.changed') }),
  z.object({ type: z.literal('sync.changed'), status: syncStatusSchema }),
  z.object({ type: z.literal('workspace.changed') }),
  /** A setting that every window shares changed, such as the language. */
  z.object({ type: z.literal('desk.changed') }),
]);
export type DeskEvent = z.infer<typeof deskEventSchema>;
