import type { Picture } from './outbox.ts';

/** What the page says about the pictures of a report. */
export interface Summary {
  readonly stored: number;
  readonly waiting: number;
  /** The desk refused them, or this telephone cannot read them. */
  readonly refused: number;
  /** Whether the desk has every picture, with its last group and caption. */
  readonly isAll: boolean;
}

export function summaryOf(pictures: readonly Picture[]): Summary {
  const count = (...states: readonly Picture['state'][]) =>
    pictures.filter(({ state }) => states.includes(state)).length;
  return {
    stored: count('stored'),
    waiting: count('waiting'),
    refused: count('refused', 'unreadable'),
    isAll:
      pictures.length > 0 &&
      pictures.every(({ state, isMarked }) => state === 'stored' && isMarked),
  };
}
