/** Cells of one size in rows, of which only those in sight exist. */
export interface GridLayout {
  readonly columns: number;
  readonly cell: { readonly width: number; readonly height: number };
  readonly height: number;
}

export const gridGap = 8;
const footHeight = 46;

/** @param size wished width of a cell */
export function layOut(count: number, room: number, size: number): GridLayout {
  const columns = Math.max(1, Math.floor((room - gridGap) / (size + gridGap)));
  const width = Math.floor((room - gridGap) / columns) - gridGap;
  const height = Math.round(width * 0.75) + footHeight;
  return {
    columns,
    cell: { width, height },
    height: Math.ceil(count / columns) * (height + gridGap) + gridGap,
  };
}

export function placeOf(index: number, { columns, cell }: GridLayout): { x: number; y: number } {
  return {
    x: gridGap + (index % columns) * (cell.width + gridGap),
    y: gridGap + Math.floor(index / columns) * (cell.height + gridGap),
  };
}

/** First and last index in sight, with a row more on either side. */
export function inSight(
  count: number,
  layout: GridLayout,
  view: { readonly top: number; readonly height: number },
): number[] {
  const rowHeight = layout.cell.height + gridGap;
  const first = Math.max(0, Math.floor(view.top / rowHeight) - 1) * layout.columns;
  const last = (Math.ceil((view.top + view.height) / rowHeight) + 1) * layout.columns;
  return Array.from({ length: Math.max(0, Math.min(count, last) - first) }, (_, i) => first + i);
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Cells that a rubber band touches. */
export function cellsIn(box: Box, count: number, layout: GridLayout): number[] {
  return Array.from({ length: count }, (_, index) => index).filter((index) => {
    const { x, y } = placeOf(index, layout);
    return (
      x < box.right &&
      x + layout.cell.width > box.left &&
      y < box.bottom &&
      y + layout.cell.height > box.top
    );
  });
}

/** Puts the chosen ones before another, in the order that they have. */
export function movedBefore(
  order: readonly string[],
  chosen: ReadonlySet<string>,
  before: string | null,
): string[] {
  const rest = order.filter((id) => !chosen.has(id));
  const moved = order.filter((id) => chosen.has(id));
  // The place of the next one that stays, if the target itself is moved.
  const from = before === null ? order.length : order.indexOf(before);
  const target = order.slice(from).find((id) => !chosen.has(id));
  const at = target === undefined ? rest.length : rest.indexOf(target);
  return [...rest.slice(0, at), ...moved, ...rest.slice(at)];
}
