import type { QueueItem } from '#shared/desk/queue.ts';
import type { CliTexts } from './texts/texts.ts';

export function yesNo(value: boolean, texts: CliTexts): string {
  return value ? texts.yes : texts.no;
}

/** A queue row that was just made, for a person. */
export function sayQueued(item: QueueItem, texts: CliTexts): () => string {
  return () => texts.queued(item.id);
}
