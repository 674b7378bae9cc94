/** What the desk speaks. Apart from the schemas, which the window's first list does without. */
export const languages = ['de', 'fr', 'it', 'en'] as const;
export type Language = (typeof languages)[number];
