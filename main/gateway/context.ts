import type { OpenFront } from '../front/open-front.ts';
import type { Metrics } from './metrics.ts';
import type { Pull } from './pull.ts';
import type { GatewayTables } from './tables.ts';
import type { Upstream } from './upstream.ts';

/** `all`: every client sees every case. `assigned`: its own, and a dispatcher all. */
export type Visibility = 'all' | 'assigned';

export interface GatewayContext extends OpenFront<GatewayTables> {
  readonly upstream: Upstream;
  readonly pull: Pull;
  readonly visibility: Visibility;
  readonly metrics: Metrics;
  /** Lists with items that nobody can read, by name and case: of which change, and when they were read. */
  readonly unreadable: Map<string, { readonly changedAt: string; readonly atMs: number }>;
  /** Where uploads wait for their turn at the partner. */
  readonly uploadsDirectory: string;
}
