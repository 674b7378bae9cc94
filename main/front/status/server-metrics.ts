import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import packageJson from '../../../package.json' with { type: 'json' };
import type { StoreHealth } from './store-check.ts';
import type { ConnectionPool, StoreWait, StoreWatch } from '../store/store-watch.ts';

/** An answer of a server, or a request whose caller left before the first byte. */
export interface Answered {
  /** The id of the operation; null for an address that has none. */
  readonly operation: string | null;
  /** Null if nothing was sent. */
  readonly status: number | null;
  readonly ms: number;
}

/** The figures that every server has under /metrics. None has the name of a partner or a case. */
export interface ServerMetrics extends StoreWatch {
  /** Takes further figures of the server. */
  readonly registry: Registry;
  readonly contentType: string;
  /** All figures, in Prometheus' format. */
  text(): Promise<string>;
  answered(answer: Answered): void;
  /** Adds the state of the store, which is asked for each reading of the figures. */
  watchStore(check: () => Promise<StoreHealth>): void;
}

/** A counter whose value is kept elsewhere. */
export function countedElsewhere(
  registry: Registry,
  { name, help, read }: { name: `${string}_total`; help: string; read: () => number },
): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** The figures of this process, which are made once, however many servers run in it. */
let ofProcess: Registry | undefined;

function processRegistry(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}

/** Creates the figures of a server: its answers, its store, its process and the event loop. */
export function createServerMetrics(server: 'service' | 'gateway'): ServerMetrics {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'server_build_info',
    help: 'Always 1; the labels say which program of which version runs on which Node.',
    labelNames: ['server', 'version', 'node'],
    registers,
  }).set({ server, version: packageJson.version, node: process.versions.node }, 1);
  const requests = new Histogram({
    name: 'server_request_seconds',
    help: 'Time from a request to the end of its answer, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const waits = new Histogram({
    name: 'server_store_wait_seconds',
    help: 'Waits for a connection to the store, and for the turn of a transaction.',
    labelNames: ['wait', 'pool'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30],
    registers,
  });
  const pools = new Map<string, ConnectionPool>();
  new Gauge({
    name: 'server_store_connections',
    help: 'Connections to the database by pool: open ones, idle ones, and requests that wait.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of pools) {
        this.set({ pool, state: 'open' }, totalCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'waiting' }, waitingCount);
      }
    },
  });
  return {
    registry,
    contentType: registry.contentType,
    text: () => Registry.merge([registry, processRegistry()]).metrics(),
    answered({ operation, status, ms }) {
      const labels = { operation: operation ?? 'none', status: status ?? 'none' };
      requests.observe(labels, ms / 1000);
    },
    waited: ({ wait, pool, ms }: StoreWait) => waits.observe({ wait, pool }, ms / 1000),
    addPool: (name, pool) => void pools.set(name, pool),
    watchStore(check) {
      new Gauge({
        name: 'server_store_ok',
        help: '1 if the store can be written, 0 if not.',
        registers,
        async collect() {
          this.set((await check()) === 'ok' ? 1 : 0);
        },
      });
    },
  };
}
