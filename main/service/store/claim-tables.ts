/** Tables of claims, documents, submissions and events. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled with migration 0002
export interface ClaimTables {}
