/**
 * Heights that the lists of Today had, by list and part, and where the page was left: Back leads
 * there.
 */
export function createTodayPlace() {
  const heights = new Map<string, Map<number, number>>();
  function heightsOf(list: string): Map<number, number> {
    const known = heights.get(list) ?? new Map<number, number>();
    heights.set(list, known);
    return known;
  }
  let left: { readonly position: unknown; readonly top: number } | null = null;
  /** @param position of the page in the window's history */
  function leaveAt(position: unknown, top: number): void {
    left = { position, top };
  }
  const topAt = (position: unknown) => (left !== null && left.position === position ? left.top : 0);
  return { heightsOf, leaveAt, topAt };
}
