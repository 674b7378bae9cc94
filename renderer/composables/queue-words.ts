import type { QueueItem, QueueStep } from '#shared/desk/queue.ts';
import type { MessageKey } from '#shared/i18n/texts.ts';

/** Whether nothing more happens to an act, by itself or by a person. */
export const isDone = (item: QueueItem): boolean =>
  item.state === 'delivered' || item.state === 'discarded';

export type Tone = 'neutral' | 'active' | 'good' | 'bad';

/** A state as a text's key with its parameters; `at` is a moment that the text names. */
export interface StateWords {
  readonly key: MessageKey;
  readonly tone: Tone;
  readonly percent?: number;
  readonly at?: string;
}

/** Share of the bytes of an act's files that have gone out, 0 to 100, or null where it has none. */
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

/** What a person reads of an act's state: the six sentences of the product, and the rarer ones. */
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
  if (item.waitingFor === 'network') return { key: 'queue.states.network', tone: 'neutral' };
  if (item.waitingFor === 'paused') return { key: 'queue.states.paused', tone: 'neutral' };
  if (item.waitingFor === 'turn') return { key: 'queue.states.turn', tone: 'neutral' };
  if (item.nextAttemptAt !== null)
    return { key: 'queue.states.nextAt', tone: 'neutral', at: item.nextAttemptAt };
  return { key: 'queue.states.saved', tone: 'neutral' };
}
