/** A list without pages: the answer contains all items. */
export function wholeList<Item>(items: Item[]) {
  return { items, total: items.length };
}
