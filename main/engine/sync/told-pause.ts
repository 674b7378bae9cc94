import type { DeskProblem } from '#shared/desk/errors.ts';
import type { PartnerClient } from '../client/partner-client.ts';
import type { Work } from '../work/open-work.ts';
import type { SyncState } from './sync-state.ts';

/**
 * The pause that the partner asks for, where it holds up what is under way (decision 0041): one of
 * a bucket that the phase does not draw on holds nothing up.
 * @returns rate_limited with the seconds left; null where there is nothing to tell
 */
export function toldPause(
  { client, work }: { client: PartnerClient; work: Work },
  phase: SyncState['phase'],
): DeskProblem | null {
  const pauses = bucketsOf(phase, work)
    .map((bucket) => client.pauseMs(bucket))
    .filter((ms) => ms !== null);
  if (pauses.length === 0) return null;
  return { code: 'rate_limited', params: { retryAfterS: Math.ceil(Math.max(...pauses) / 1000) } };
}

function bucketsOf(phase: SyncState['phase'], work: Work): ('standard' | 'documents')[] {
  switch (phase) {
    case 'pulling':
      return ['standard'];
    case 'fetching':
      return ['documents'];
    case 'delivering': {
      const { standard, documents } = work.outbox.openRequests();
      return [
        ...(standard > 0 ? ['standard' as const] : []),
        ...(documents > 0 ? ['documents' as const] : []),
      ];
    }
    case 'idle':
      return ['standard', 'documents'];
  }
}
