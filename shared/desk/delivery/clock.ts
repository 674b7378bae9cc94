/*
 * By which clock the desk counts. The rules of the desk (today, overdue, ages, retention, ledger)
 * follow the device's clock as long as it differs little from the insurer's time, and the insurer's
 * time otherwise. The engine computes the difference; window, tray and command line add it to the
 * clock that they read.
 */

/** The difference from the insurer's time up to which the device's clock is believed, in ms. */
export const clockSlackMs = 5 * 60_000;

export interface ClockDifference {
  /** The insurer's time minus the time of this device, in ms. */
  readonly offsetMs: number;
  /**
   * How it is known: `answer` from an answer since the start, `before` from an earlier run, `least`
   * because this device shows a time before the insurer's last answer.
   */
  readonly source: 'answer' | 'before' | 'least';
}

/** The difference by which the rules count; null if the device's clock is believed. */
export function clockDifference(offset: {
  readonly offsetMs: number;
  readonly source: ClockDifference['source'] | 'unknown';
}): ClockDifference | null {
  const { offsetMs, source } = offset;
  if (source === 'unknown' || Math.abs(offsetMs) <= clockSlackMs) return null;
  return { offsetMs: Math.round(offsetMs), source };
}

/** The time by which the desk counts, if this device's clock shows `deviceMs`; both ms. */
export const deskTime = (deviceMs: number, difference: ClockDifference | null): number =>
  deviceMs + (difference?.offsetMs ?? 0);

/** What the user is told about the clock of this device. */
export interface ClockStatement {
  readonly state: 'behind' | 'ahead' | 'wasBehind' | 'wasAhead' | 'leastBehind';
  readonly ms: number;
}

/** Returns the statement about the clock; null if it is believed. */
export function clockStatement(difference: ClockDifference | null): ClockStatement | null {
  if (difference === null) return null;
  const { offsetMs, source } = difference;
  const ms = Math.abs(offsetMs);
  if (source === 'least') return { state: 'leastBehind', ms };
  if (source === 'before') return { state: offsetMs > 0 ? 'wasBehind' : 'wasAhead', ms };
  return { state: offsetMs > 0 ? 'behind' : 'ahead', ms };
}
