import type { Kysely } from 'kysely';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Clock } from '#shared/lib/clock.ts';
import { countedElsewhere, type ServerMetrics } from '../../front/status/server-metrics.ts';
import { readState } from '../state.ts';
import type { GatewayTables } from '../tables.ts';
import type { Turn, Upstream } from '../upstream.ts';

export type Metrics = ReturnType<typeof createMetrics>;

interface MetricsParts {
  readonly db: Kysely<GatewayTables>;
  readonly clock: Clock;
  readonly upstream: Upstream;
}

/** Adds the gateway's own figures to those of every server, without names of clients or cases. */
// oxlint-disable-next-line max-lines-per-function -- one entry for each figure
export function createMetrics(server: ServerMetrics, { db, clock, upstream }: MetricsParts) {
  const { registry } = server;
  const registers = [registry];
  const passed = new Counter({
    name: 'gateway_changes_total',
    help: 'Changes passed on to the partner, by operation and status; 0 if the outcome is unknown.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'gateway_change_seconds',
    help: 'Time from a change that a client sends to its answer, with its wait for a turn.',
    labelNames: ['operation'],
    buckets: [0.1, 0.5, 1, 2, 5, 10, 20, 30, 60],
    registers,
  });
  const gauge = (name: string, help: string, read: () => Promise<number> | number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  countedElsewhere(registry, {
    name: 'gateway_partner_requests_total',
    help: 'Requests to the partner since the start of this process.',
    read: () => upstream.counters.requests,
  });
  countedElsewhere(registry, {
    name: 'gateway_partner_throttled_total',
    help: 'Answers 429 of the partner since the start of this process.',
    read: () => upstream.counters.throttled,
  });
  for (const bucket of ['standard', 'documents'] as const) {
    gauge(
      `gateway_waiting_${bucket}`,
      `Requests that wait for a turn at the ${bucket} limit.`,
      () => upstream.turns[bucket].waiting(),
    );
    gauge(
      `gateway_partner_left_${bucket}`,
      `Requests that the ${bucket} limit of the partner would let through now.`,
      () => upstream.turns[bucket].left(),
    );
  }
  gauge('gateway_pull_age_seconds', 'Time since the store was in step with the partner.', () =>
    lastPull(db, clock).then(({ ageS }) => ageS),
  );
  gauge('gateway_clients', 'Clients that are not revoked.', async () => {
    const { count } = await db
      .selectFrom('clients')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    return count;
  });
  const turnSeconds = new Histogram({
    name: 'gateway_turn_seconds',
    help: 'Waits for a turn at a limit of the partner.',
    labelNames: ['bucket'],
    buckets: [0.01, 0.1, 0.5, 1, 2, 5, 10, 20],
    registers,
  });
  const byClient = { labelNames: ['client'], registers };
  const clientTurns = new Counter({
    name: 'gateway_client_turns_total',
    help: 'Requests to the partner by client id; the pull is "gateway".',
    ...byClient,
  });
  const clientWaits = new Counter({
    name: 'gateway_client_turn_seconds_total',
    help: 'Seconds that requests waited for their turn, by client id.',
    ...byClient,
  });
  return {
    ...server,
    passed,
    seconds,
    countTurn({ bucket, client, waitMs }: Turn): void {
      const labels = { client: client === '' ? 'gateway' : client };
      turnSeconds.observe({ bucket }, waitMs / 1000);
      clientTurns.inc(labels);
      clientWaits.inc(labels, waitMs / 1000);
    },
  };
}

/** The time of the last pull, and the seconds since then; NaN before the first. */
export async function lastPull(
  db: Kysely<GatewayTables>,
  clock: Clock,
): Promise<{ readonly atMs: number; readonly ageS: number }> {
  const atMs = Number((await readState(db, 'pulled_at')) ?? NaN);
  return { atMs, ageS: Math.max(0, Math.round((clock.now() - atMs) / 1000)) };
}
