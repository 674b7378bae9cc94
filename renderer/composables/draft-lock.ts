import { DeskError } from '#shared/desk/desk-error.ts';

// Locks of the browser (Web Locks): all windows of a desk share them, and a window that closes or
// dies lets go of its own.

const lockOf = (draftId: string): string => `draft ${draftId}`;

/** Does work on a draft's files, in whose middle no window may queue it. */
export function whileWorkedOn<T>(draftId: string, work: () => Promise<T>): Promise<T> {
  return navigator.locks.request(lockOf(draftId), { mode: 'shared' }, work);
}

/**
 * Queues a draft, unless a window works on its files.
 * @throws {DeskError} draft_busy
 */
export function unlessWorkedOn<T>(draftId: string, queue: () => Promise<T>): Promise<T> {
  return navigator.locks.request(lockOf(draftId), { ifAvailable: true }, (lock) => {
    if (!lock) throw new DeskError('draft_busy');
    return queue();
  });
}
