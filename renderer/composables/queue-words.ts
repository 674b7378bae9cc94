import type { QueueItem } from '#shared/desk/queue.ts';

/** Whether nothing more happens to an act, by itself or by the user. */
export const isDone = (item: QueueItem): boolean =>
  item.state === 'delivered' || item.state === 'discarded';

/** Whether something of an act was delivered, which its proof shows. */
export const hasProof = ({ steps, delivered }: QueueItem): boolean =>
  delivered !== null || steps.some((step) => step.delivered);

/** Requests that had to be repeated: pacing and a file each are none. */
export const repeats = (item: QueueItem): number =>
  item.steps.reduce((sum, { attempts }) => sum + Math.max(0, attempts - 1), 0);
