/**
 * The built-in formats for days or times, which have no separate code (ECMA-376, part 1, 18.8.30).
 */
const builtInDates = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);

/** @param code the format code of the workbook; undefined for a built-in format */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return builtInDates(id);
  const [first = ''] = code.split(';');
  // Colours, conditions and literal texts do not affect how the number is shown.
  const plain = first.replaceAll(/\[[^\]]*(?:\]|$)|"[^"]*(?:"|$)|\\.|_.|\*./g, '');
  return /[dyhs]|m/i.test(plain) && !/[0#?]/.test(plain);
}

/** The unit in which a format counts a duration on, such as `[h]:mm` for over 24 hours; else null. */
export function durationUnit(id: number, code: string | undefined): 'h' | 'm' | 's' | null {
  // The built-in format 46 is [h]:mm:ss.
  const [, unit] = /\[([hms])\1*\]/i.exec(code?.split(';')[0] ?? (id === 46 ? '[h]' : '')) ?? [];
  const lower = unit?.toLowerCase();
  return lower === 'h' || lower === 'm' || lower === 's' ? lower : null;
}

const secondsOf = { h: 3600, m: 60, s: 1 } as const;

/** The text of a duration: `36:30` in hours, and with its seconds `36:30:15` if it has some. */
export function formatDuration(days: number, unit: 'h' | 'm' | 's'): string {
  const total = Math.round(Math.abs(days) * 86_400);
  const first = Math.floor(total / secondsOf[unit]);
  const two = (value: number) => String(value).padStart(2, '0');
  const [minutes, seconds] = [two(Math.floor(total / 60) % 60), two(total % 60)];
  const rest = { h: seconds === '00' ? [minutes] : [minutes, seconds], m: [seconds], s: [] }[unit];
  return (days < 0 && total > 0 ? '-' : '') + [first, ...rest].join(':');
}

/**
 * The text of a day's number: `01.05.2026`, or `01.05.2026 14:30` if it is not midnight; `14:30` of a
 * time alone, which is a part of a day.
 * @param is1904 whether the workbook counts from 1904
 */
export function formatSerialDate(serial: number, is1904: boolean): string {
  // The count of 1900 includes a 29 February that did not exist, so earlier numbers are lower by
  // one.
  const days = is1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  const at = new Date(Date.UTC(1899, 11, 30) + Math.round(days * 1440) * 60_000);
  if (Number.isNaN(at.getTime())) return String(serial);
  const iso = at.toISOString();
  return serial > 0 && serial < 1 ? iso.slice(11, 16) : swissDay(iso);
}

/**
 * An ISO 8601 day in Swiss form, with its time unless it is midnight. Any other text stays
 * unchanged.
 */
export function swissDay(iso: string): string {
  const [, year, month, day, time] = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}:\d{2}))?/.exec(iso) ?? [];
  if (year === undefined || month === undefined || day === undefined) return iso;
  const written = `${day}.${month}.${year}`;
  return time === undefined || time === '00:00' ? written : `${written} ${time}`;
}
