const parts = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Zurich',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** A moment as the clock in Zurich shows it, `2026-03-01 14:05:09`; null where it is none. */
export function zurichTime(iso: string): string | null {
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? null : parts.format(ms);
}
