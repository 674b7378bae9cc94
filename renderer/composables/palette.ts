/** A line of the command palette. */
export interface PaletteItem {
  readonly id: string;
  readonly group: 'pages' | 'actions' | 'cases' | 'texts';
  readonly icon: string;
  readonly title: string;
  readonly detail?: string;
  readonly keys?: string;
  run(): void;
}

const folded = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Items in whose title each word of the query begins some word, accents and case aside. */
export function matchItems(items: readonly PaletteItem[], query: string): PaletteItem[] {
  const wanted = folded(query).split(/\s+/).filter(Boolean);
  return items.filter(({ title }) => {
    const words = folded(title).split(/[^\p{L}\p{N}?]+/u);
    return wanted.every((part) => words.some((word) => word.startsWith(part)));
  });
}
