import { noFindings, type PullFindings } from '../../partner/pull/pull-store.ts';
import type { StatusParts } from '../../front/status/status-endpoints.ts';
import { storeSentences, type StoreHealth } from '../../front/status/store-check.ts';
import type { GatewayContext } from '../context.ts';
import { lastPull } from './metrics.ts';
import { readFindings } from '../state.ts';

/** What the gateway reports about itself. */
export function statusOf(context: GatewayContext): StatusParts {
  const { checkStore, draining } = context;
  return { checkStore, draining, health: (store) => healthOf(context, store) };
}

/**
 * The age of the last pull from which the store counts as behind. A partner that returns only its
 * whole list is read less often.
 */
const behindAfterS = { changes: 300, wholeList: 900 };

async function healthOf({ db, clock, upstream, bucket }: GatewayContext, store: StoreHealth) {
  const isReadable = store === 'ok';
  const { atMs, ageS } = isReadable ? await lastPull(db, clock) : { atMs: NaN, ageS: NaN };
  const { incomplete, ignoresSince } = isReadable ? await readFindings(db) : noFindings;
  const reachable = upstream.reachable();
  const failure = reachable === true ? null : reachable;
  // Another process may have pulled completely since then.
  const isOver = failure !== null && failure.atMs <= atMs;
  const reason = isOver ? null : (failure?.reason ?? null);
  const partner = reachable === null ? 'unknown' : reason === null ? 'reachable' : 'unreachable';
  const isBehind = !(ageS < behindAfterS[ignoresSince ? 'wholeList' : 'changes']);
  const documents = bucket?.isFailing() ? 'failing' : 'ok';
  const isDegraded = reason !== null || incomplete !== null || isBehind || documents === 'failing';
  return {
    status: store !== 'ok' ? 'failing' : isDegraded ? 'degraded' : 'ok',
    store: store === 'ok' ? 'ok' : 'failing',
    documents,
    partner,
    pullAgeSeconds: Number.isNaN(ageS) ? null : ageS,
    detail: healthDetail({ store, reason, incomplete, ageS, isBehind, documents }),
  };
}

/** One sentence for the operator. */
function healthDetail(found: {
  readonly store: StoreHealth;
  readonly documents: string;
  readonly reason: string | null;
  readonly incomplete: PullFindings['incomplete'];
  readonly ageS: number;
  readonly isBehind: boolean;
}): string {
  if (found.store !== 'ok') return storeSentences[found.store];
  if (found.documents !== 'ok') {
    return 'The storage for documents cannot be reached. Documents that are in it are refused.';
  }
  if (found.reason !== null) {
    return `The partner cannot be used: ${found.reason}. Cases are served as they were, and changes are refused.`;
  }
  if (found.incomplete !== null) {
    return 'The partner’s list of cases could not be read whole; the log says why.';
  }
  if (Number.isNaN(found.ageS)) return 'The partner was not read yet.';
  if (found.isBehind) {
    return `The partner was read ${String(Math.floor(found.ageS / 60))} minutes ago for the last time.`;
  }
  return 'The store is in step with the partner.';
}
