import type { Kysely } from 'kysely';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '#shared/lib/clock.ts';
import { readState } from './state.ts';
import type { GatewayTables } from './tables.ts';
import type { Upstream } from './upstream.ts';

export type Metrics = ReturnType<typeof createMetrics>;

interface MetricsParts {
  readonly db: Kysely<GatewayTables>;
  readonly clock: Clock;
  readonly upstream: Upstream;
}

/** What /metrics shows, without names of clients or of cases. */
export function createMetrics({ db, clock, upstream }: MetricsParts) {
  const registry = new Registry();
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
  gauge(
    'gateway_partner_requests',
    'Requests to the partner since the start of this process.',
    () => upstream.counters.requests,
  );
  gauge(
    'gateway_partner_throttled',
    'Answers 429 of the partner since the start of this process.',
    () => upstream.counters.throttled,
  );
  gauge(
    'gateway_waiting_standard',
    'Requests that wait for a turn at the standard limit.',
    () => upstream.waiting().standard,
  );
  gauge(
    'gateway_waiting_documents',
    'Requests that wait for a turn at the documents limit.',
    () => upstream.waiting().documents,
  );
  gauge('gateway_pull_age_seconds', 'Time since the store was in step with the partner.', () =>
    pullAgeS(db, clock),
  );
  gauge('gateway_clients', 'Clients that are not revoked.', async () => {
    const { count } = await db
      .selectFrom('clients')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    return count;
  });
  return { registry, passed, seconds };
}

/** Seconds since the last pull; NaN before the first. */
export async function pullAgeS(db: Kysely<GatewayTables>, clock: Clock): Promise<number> {
  const pulledAt = await readState(db, 'pulled_at');
  return pulledAt === null ? NaN : Math.max(0, Math.round((clock.now() - Number(pulledAt)) / 1000));
}
