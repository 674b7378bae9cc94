/** So many cases can be chosen at once. */
export const selectionMax = 10_000;
