import type { Language } from './language.ts';

/** Between a day and a time in a sentence. */
const atTime = { de: ' ', fr: ' à ', it: ' alle ', en: ' ' } as const;

/**
 * A moment by the clocks of Switzerland, to the minute, as it stands in a sentence: `09.03.2026 20:02`,
 * `09.03.2026 à 20:02`. What is no moment stays as it came.
 */
export function sayMoment(iso: string, language: Language): string {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return iso;
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('de-CH', { timeZone: 'Europe/Zurich', ...options }).format(ms);
  const day = part({ day: '2-digit', month: '2-digit', year: 'numeric' });
  const time = part({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return `${day}${atTime[language]}${time}`;
}
