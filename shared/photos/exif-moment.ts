/**
 * A time of capture as `2026-05-01T14:03:22`, by the camera's clock. EXIF writes
 * `2026:05:01 14:03:22`; a camera whose clock was never set writes zeros.
 * @returns null if there is none
 */
export function exifMoment(text: string): string | null {
  const found = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text);
  if (!found) return null;
  const [, year, month, day, time] = found;
  const moment = `${year}-${month}-${day}T${time}`;
  return Number(year) > 0 && !Number.isNaN(Date.parse(`${moment}Z`)) ? moment : null;
}
