import type { QueueItem } from '#shared/desk/delivery/queue.ts';

/** Whether an act has ended, so that neither the desk nor the user changes it any more. */
export const isDone = (item: QueueItem): boolean =>
  item.state === 'delivered' || item.state === 'discarded';

/** Whether a part of an act was delivered, so that it has a proof. */
export const hasProof = ({ steps, delivered }: QueueItem): boolean =>
  delivered !== null || steps.some((step) => step.delivered);

/**
 * The number of repeated requests. Waiting for the limits and the requests of several files do not
 * count.
 */
export const repeats = (item: QueueItem): number =>
  item.steps.reduce((sum, { attempts }) => sum + Math.max(0, attempts - 1), 0);
