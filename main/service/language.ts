/** The languages of problem details; the first is what a caller without a wish gets. */
export const languages = ['de', 'fr', 'it', 'en'] as const;
export type Language = (typeof languages)[number];
