/** The fields of an own message before a visit, in braces: `{time}`. */
export const messageFields = ['day', 'time', 'place', 'key', 'party', 'sender'] as const;
export const visitMessageMax = 1000;
