/**
 * A time of day as people type it: `915`, `0915`, `9:15`, `9.15`, `9h15`, `9`.
 * @returns the time as HH:MM; null if the text is no time of a day
 */
export function parseDayTime(text: string): string | null {
  const [, hours, minutes = '00'] =
    /^(\d{1,2}?)[.:h]?(\d{2})?h?$/.exec(text.trim().toLowerCase()) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null;
  return `${hours.padStart(2, '0')}:${minutes}`;
}
