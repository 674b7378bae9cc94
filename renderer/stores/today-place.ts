import { createListHeights } from '../lib/list-heights.ts';

/**
 * Stores the heights of the lists of Today, by list and part, and the place where the page was
 * left, to which Back returns.
 */
export function createTodayPlace() {
  const heightsOf = createListHeights();
  let left: { readonly position: unknown; readonly top: number } | null = null;
  /** @param position the position of the page in the window's history */
  function leaveAt(position: unknown, top: number): void {
    left = { position, top };
  }
  const topAt = (position: unknown) => (left !== null && left.position === position ? left.top : 0);
  return { heightsOf, leaveAt, topAt };
}
