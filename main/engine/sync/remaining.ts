import { pageSizeMax } from '#shared/api/limits.ts';
import type { PartnerClient } from '../client/partner-client.ts';
import type { Work } from '../work/open-work.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { SyncState } from './sync-state.ts';

/**
 * How long the limits alone hold the phase up that is under way: the least that it takes.
 * @returns milliseconds; null while nothing is under way, or it is not known how much there is
 */
export function remainingMs(
  parts: { client: PartnerClient; work: Work; clock: Clock },
  state: Pick<SyncState, 'phase' | 'pulled' | 'pullTotal' | 'fetched' | 'fetchTotal'>,
): number | null {
  const { client, work, clock } = parts;
  const waitMs = (bucket: 'standard' | 'documents', requests: number) =>
    requests === 0 ? 0 : Math.max(0, client.nextSlotAt(bucket, requests) - clock.now());
  switch (state.phase) {
    case 'pulling': {
      if (state.pullTotal === null) return null;
      return waitMs('standard', Math.ceil((state.pullTotal - state.pulled) / pageSizeMax));
    }
    case 'delivering': {
      const { standard, documents } = work.outbox.openRequests();
      return Math.max(waitMs('standard', standard), waitMs('documents', documents));
    }
    case 'fetching':
      return waitMs('documents', state.fetchTotal - state.fetched);
    case 'idle':
      return null;
  }
}
