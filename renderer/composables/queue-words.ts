import type { QueueItem, QueueStep } from '#shared/desk/queue.ts';
import type { MessageKey } from '#shared/i18n/texts.ts';

/** Whether nothing more happens to an act, by itself or by the user. */
export const isDone = (item: QueueItem): boolean =>
  item.state === 'delivered' || item.state === 'discarded';

/** Whether something of an act was delivered, which its proof shows. */
export const hasProof = ({ steps, delivered }: QueueItem): boolean =>
  delivered !== null || steps.some((step) => step.delivered);

export type Tone = 'neutral' | 'active' | 'good' | 'bad';

/** A state as a text's key with its parameters; `at` is a moment that the text names. */
export interface StateWords {
  readonly key: MessageKey;
  readonly tone: Tone;
  readonly percent?: number;
  /** Files or acts that have arrived, of all. */
  readonly done?: number;
  readonly total?: number;
  readonly at?: string;
  /** When it will be delivered at the earliest. */
  readonly doneAt?: string;
}

/** Share of the bytes of an act's files that were sent, 0 to 100, or null if it has none. */
export function percentSent(steps: readonly QueueStep[]): number | null {
  const files = steps.filter((step) => step.kind === 'document');
  const total = files.reduce((sum, step) => sum + (step.sizeBytes ?? 0), 0);
  if (total === 0) return null;
  const sent = files.reduce(
    (sum, step) =>
      sum +
      (step.state === 'delivered'
        ? (step.sizeBytes ?? 0)
        : Math.min(step.sentBytes, step.sizeBytes ?? 0)),
    0,
  );
  return Math.floor((sent / total) * 100);
}

/** How many things an act hands over, and how many have arrived: its files, or itself. */
export function handedOver(item: QueueItem): { done: number; total: number } {
  const files = item.steps.filter(({ kind }) => kind === 'document');
  if (files.length === 0) return { done: Number(item.state === 'delivered'), total: 1 };
  return { done: files.filter(({ state }) => state === 'delivered').length, total: files.length };
}

/** Requests that had to be repeated: pacing and a file each are none. */
export const repeats = (item: QueueItem): number =>
  item.steps.reduce((sum, { attempts }) => sum + Math.max(0, attempts - 1), 0);

/** What the user reads of an act's state: the six sentences of the product, and the rarer ones. */
export function queueWords(item: QueueItem): StateWords {
  switch (item.state) {
    case 'delivered':
      return item.delivered
        ? { key: 'queue.states.delivered', tone: 'good', at: item.delivered.at }
        : { key: 'queue.states.sending', tone: 'active' };
    case 'attention':
      return { key: 'queue.states.attention', tone: 'bad' };
    case 'discarded':
      return { key: 'queue.states.discarded', tone: 'neutral' };
    case 'unknown':
      return { key: 'queue.states.unknown', tone: 'active' };
    case 'sending': {
      const percent = percentSent(item.steps);
      return percent === null
        ? { key: 'queue.states.sending', tone: 'active' }
        : { key: 'queue.states.uploading', tone: 'active', percent };
    }
    case 'waiting':
      return waitingWords(item);
  }
}

function waitingWords(item: QueueItem): StateWords {
  if (item.waitingFor === 'acceptance') return { key: 'queue.states.acceptance', tone: 'neutral' };
  if (item.waitingFor === 'network') return { key: 'queue.states.network', tone: 'neutral' };
  if (item.waitingFor === 'paused') return { key: 'queue.states.paused', tone: 'neutral' };
  if (item.waitingFor === 'turn') return { key: 'queue.states.turn', tone: 'neutral' };
  const { nextAttemptAt, doneAt } = item;
  // Pacing to the limits is progress, not a failure that is tried again.
  if (item.waitingFor === 'slot' && nextAttemptAt !== null) {
    const { done, total } = handedOver(item);
    if (total === 1) return { key: 'queueProgress.nextAt', tone: 'active', at: nextAttemptAt };
    return {
      key: doneAt === null ? 'queueProgress.partNextAt' : 'queueProgress.partDoneAt',
      tone: 'active',
      done,
      total,
      at: nextAttemptAt,
      ...(doneAt !== null && { doneAt }),
    };
  }
  if (nextAttemptAt !== null)
    return { key: 'queue.states.nextAt', tone: 'neutral', at: nextAttemptAt };
  return { key: 'queue.states.saved', tone: 'neutral' };
}
