import { formatRappen, groupDigits, rappenFromChf } from '../lib/money.ts';
import { isCalendarDay } from '../lib/zurich-day.ts';
import { words } from './catalogue.ts';
import type { Language } from './language.ts';
import { sayMoment } from './moment.ts';

const zone = 'Europe/Zurich';

/** BCP 47 tag of a language as it is written in Switzerland. */
export const localeOf = (language: Language): string => `${language}-CH`;

/** Whole Rappen as `CHF 12’345.60`, with a space that does not break. */
export function formatAmount(rappen: number, language: Language): string {
  return `CHF\u00a0${formatRappen(rappen, language)}`;
}

/** Decimal CHF of a payload, likewise. */
export function formatChf(chf: number, language: Language): string {
  try {
    return formatAmount(rappenFromChf(chf), language);
  } catch {
    // An insurer may write more than two decimals: shown unchanged.
    return `CHF\u00a0${String(chf)}`;
  }
}

/** A whole number with thousands marks. */
export function formatCount(count: number, language: Language): string {
  return groupDigits(count.toString(), language);
}

/** A calendar day `2026-03-09` as `09.03.2026`; anything else as it came. */
export function formatDay(day: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  return match ? `${match[3]}.${match[2]}.${match[1]}` : day;
}

/** A calendar day where there is little room: without its year if that is the present one. */
export const formatShortDay = (day: string, year: number): string =>
  day.startsWith(`${year}-`) ? formatDay(day).slice(0, 6) : formatDay(day);

/**
 * What a person types as a day: `9.3.2026`, `09.03.26`, `09032026`, or `2026-03-09`. Two digits of
 * a year are of this century.
 * @returns YYYY-MM-DD; null if the calendar has no such day
 */
export function parseDay(text: string): string | null {
  const trimmed = text.trim();
  if (isCalendarDay(trimmed)) return trimmed;
  const match =
    /^(\d{1,2})[./ -](\d{1,2})[./ -](\d{4}|\d{2})$/.exec(trimmed) ??
    /^(\d{2})(\d{2})(\d{4})$/.exec(trimmed);
  if (!match) return null;
  const [, day = '', month = '', year = ''] = match;
  const iso = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDay(iso) ? iso : null;
}

/** Made when first asked for: the browser reads its time zones then, which takes a while. */
let parts: { readonly time: Intl.DateTimeFormat; readonly day: Intl.DateTimeFormat } | undefined;
const zurichParts = () =>
  (parts ??= {
    time: new Intl.DateTimeFormat('de-CH', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
    day: new Intl.DateTimeFormat('de-CH', {
      timeZone: zone,
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
    }),
  });

/** Time of day in Zurich: `20:02`. */
export const formatTime = (epochMs: number): string => zurichParts().time.format(epochMs);

/** Time of day in Zurich to the second: `20:02:14`; what is no moment as it came. */
export function formatSecond(iso: string): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  // Zones differ by whole minutes, so that the seconds are everywhere the same.
  return `${formatTime(at)}:${new Date(at).getUTCSeconds().toString().padStart(2, '0')}`;
}

/** Calendar day in Zurich: `09.03.2026`. */
export const formatDate = (epochMs: number): string => zurichParts().day.format(epochMs);

/** `20:02` on the day of `nowMs`, otherwise `09.03.2026 20:02`. */
export function formatMoment(iso: string, nowMs: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const day = formatDate(at);
  return day === formatDate(nowMs) ? formatTime(at) : `${day} ${formatTime(at)}`;
}

/** Before a time alone, and before a day, in the languages that want a word there. */
const prepositions = {
  de: ['', ''],
  fr: ['à ', 'le '],
  it: ['alle ', 'il '],
  en: ['', ''],
} as const;

/** The same behind a verb: `zugestellt 20:02`, `transmis à 20:02`, `transmis le 09.03.2026 à 20:02`. */
export function formatWhen(iso: string, nowMs: number, language: Language): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const [atTime, onDay] = prepositions[language];
  return formatDate(at) === formatDate(nowMs)
    ? `${atTime}${formatTime(at)}`
    : `${onDay}${sayMoment(iso, language)}`;
}

/**
 * How long ago, in words: `gerade eben`, `vor 3 Minuten`; a moment of over a day ago as date and
 * time.
 */
export function formatAgo(iso: string, nowMs: number, language: Language): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const ago = new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' });
  const seconds = Math.max(0, Math.round((nowMs - at) / 1000));
  if (seconds < 45) return words[language].justNow;
  if (seconds < 45 * 60) return ago.format(-Math.max(1, Math.round(seconds / 60)), 'minute');
  if (seconds < 22 * 3600) return ago.format(-Math.max(1, Math.round(seconds / 3600)), 'hour');
  return formatWhen(iso, nowMs, language);
}

/** How many days a calendar day lies before another, in words: `gestern`, `vor 3 Tagen`. */
export function formatDaysAgo(day: string, today: string, language: Language): string {
  const days = Math.round((Date.parse(today) - Date.parse(day)) / 86_400_000);
  return new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' }).format(-days, 'day');
}

/** A calendar day `2026-03-09` with its weekday: `Montag, 09.03.2026`, `lundi 09.03.2026`. */
export function formatLongDay(day: string, language: Language): string {
  const at = Date.parse(`${day}T12:00:00Z`);
  if (Number.isNaN(at)) return day;
  const word = new Intl.DateTimeFormat(localeOf(language), { weekday: 'long', timeZone: 'UTC' });
  const mark = language === 'de' || language === 'en' ? ',' : '';
  return `${word.format(at)}${mark} ${formatDay(day)}`;
}
