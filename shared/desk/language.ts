/** What the desk speaks. Apart from the schemas, so that the window starts without them. */
export const languages = ['de', 'fr', 'it', 'en'] as const;
export type Language = (typeof languages)[number];
