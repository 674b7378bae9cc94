import { type ClockDifference, clockStatement, deskTime } from '#shared/desk/delivery/clock.ts';
import { sayClock } from '#shared/i18n/say-statement.ts';
import type { Output } from './output.ts';

/** The time by which the desk counts, in ms; says so if that is not this device's time. */
export function presentTime(
  { clock }: { readonly clock: ClockDifference | null },
  output: Pick<Output, 'remark'>,
): number {
  const statement = clockStatement(clock);
  if (statement) output.remark(sayClock(statement, 'en'));
  return deskTime(Date.now(), clock);
}
