/**
 * Stores the heights of the blocks of several lists (`RowsInSight`), by list and number of the
 * block. Rows that come back into sight then take the same room as before.
 */
export function createListHeights(): (list: string) => Map<number, number> {
  const heights = new Map<string, Map<number, number>>();
  return (list) => {
    const known = heights.get(list) ?? new Map<number, number>();
    heights.set(list, known);
    return known;
  };
}
