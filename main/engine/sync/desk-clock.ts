import { clockDifference, deskTime } from '#shared/desk/delivery/clock.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';

type TimeSource = Pick<PartnerClient, 'clockOffset'>;

export interface DeskClock extends Clock {
  /** From now on `now` follows this client's knowledge of the insurer's time. */
  follow(client: TimeSource): void;
}

/**
 * The clock of an open workspace, by which every rule counts. It shows the device's time, and the
 * insurer's if the two differ by more than five minutes. Until it follows a client it shows the
 * device's time.
 */
export function createDeskClock(device: Clock): DeskClock {
  let source: TimeSource | null = null;
  return {
    now() {
      return deskTime(device.now(), source && clockDifference(source.clockOffset()));
    },
    monotonic: () => device.monotonic(),
    uptime: () => device.uptime(),
    after: (ms, task) => device.after(ms, task),
    follow(client) {
      source = client;
    },
  };
}
