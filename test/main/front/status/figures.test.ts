import { expect, test } from 'vitest';
import packageJson from '../../../../package.json' with { type: 'json' };
import { countedElsewhere, createServerMetrics } from '#main/front/status/server-metrics.ts';
import type { StoreHealth } from '#main/front/status/store-check.ts';

/* The figures by themselves. */

/** The values of the figures whose names begin with this. */
async function figures(metrics: ReturnType<typeof createServerMetrics>, prefix: string) {
  const text = await metrics.text();
  return text.split('\n').filter((line) => line.startsWith(prefix) && !line.startsWith('#'));
}

test('figures: answers by operation and status, in seconds', async () => {
  const metrics = createServerMetrics('service');
  metrics.answered({ operation: 'X1', status: 200, ms: 6 });
  metrics.answered({ operation: 'X1', status: 200, ms: 59_000 });
  metrics.answered({ operation: null, status: null, ms: 1 });
  const of = (labels: string) => [
    `server_request_seconds_bucket{le="0.005",${labels}}`,
    `server_request_seconds_bucket{le="0.01",${labels}}`,
    `server_request_seconds_bucket{le="60",${labels}}`,
    `server_request_seconds_sum{${labels}}`,
    `server_request_seconds_count{${labels}}`,
  ];
  const found = await figures(metrics, 'server_request_seconds');
  const values = (labels: string) =>
    of(labels).map((name) => found.find((line) => line.startsWith(`${name} `))?.split(' ')[1]);
  expect(values('operation="X1",status="200"')).toEqual(['0', '1', '2', '59.006', '2']);
  expect(values('operation="none",status="none"')).toEqual(['1', '1', '1', '0.001', '1']);
});

test('figures: waits for the store, in seconds, and its connections as they are', async () => {
  const metrics = createServerMetrics('service');
  expect(await figures(metrics, 'server_store_connections')).toEqual([]);
  metrics.waited({ wait: 'turn', pool: 'file', ms: 700 });
  const waits = await figures(metrics, 'server_store_wait_seconds');
  expect(waits).toContain('server_store_wait_seconds_sum{wait="turn",pool="file"} 0.7');
  const within = (le: string, count: number) =>
    `server_store_wait_seconds_bucket{le="${le}",wait="turn",pool="file"} ${count}`;
  expect(waits).toEqual(
    expect.arrayContaining([within('0.5', 0), within('1', 1), within('30', 1)]),
  );
  const pool = { totalCount: 3, idleCount: 2, waitingCount: 1 };
  metrics.addPool('reads', pool);
  const connections = (open: number) => [
    `server_store_connections{pool="reads",state="open"} ${open}`,
    'server_store_connections{pool="reads",state="idle"} 2',
    'server_store_connections{pool="reads",state="waiting"} 1',
  ];
  expect(await figures(metrics, 'server_store_connections')).toEqual(connections(3));
  pool.totalCount = 4;
  expect(await figures(metrics, 'server_store_connections')).toEqual(connections(4));
});

test('figures: the state of the store is asked each time', async () => {
  const metrics = createServerMetrics('service');
  expect(await figures(metrics, 'server_store_ok')).toEqual([]);
  let health: StoreHealth = 'ok';
  metrics.watchStore(() => Promise.resolve(health));
  expect(await figures(metrics, 'server_store_ok')).toEqual(['server_store_ok 1']);
  health = 'full';
  expect(await figures(metrics, 'server_store_ok')).toEqual(['server_store_ok 0']);
});

test('figures: a count that is kept elsewhere is read each time', async () => {
  const metrics = createServerMetrics('service');
  let value = 3;
  countedElsewhere(metrics.registry, { name: 'things_total', help: 'Things.', read: () => value });
  expect(await figures(metrics, 'things')).toEqual(['things_total 3']);
  value = 5;
  expect(await figures(metrics, 'things')).toEqual(['things_total 5']);
  expect(await metrics.text()).toContain('# HELP things_total Things.');
});

test('figures: two servers of one process have each their own, and those of the process', async () => {
  const servers = [createServerMetrics('service'), createServerMetrics('gateway')] as const;
  servers[0].answered({ operation: 'X1', status: 200, ms: 1 });
  for (const [at, name] of (['service', 'gateway'] as const).entries()) {
    const metrics = servers[at] ?? servers[0];
    const { version } = packageJson;
    expect(await figures(metrics, 'server_build_info')).toEqual([
      `server_build_info{server="${name}",version="${version}",node="${process.versions.node}"} 1`,
    ]);
    expect(await figures(metrics, 'process_cpu_user_seconds_total')).toHaveLength(1);
    expect(await figures(metrics, 'nodejs_eventloop_lag_p99_seconds')).toHaveLength(1);
    expect(metrics.contentType).toMatch(/^text\/plain; version=/);
  }
  expect(await figures(servers[1], 'server_request_seconds')).toEqual([]);
});

test('figures: each one of a server is explained', async () => {
  const metrics = createServerMetrics('service');
  metrics.watchStore(() => Promise.resolve('ok'));
  const text = await metrics.text();
  const names = [...text.matchAll(/^# TYPE (server_\w+) /gm)].map(([, name]) => name);
  expect(names).toHaveLength(5);
  for (const name of names)
    expect(text).toMatch(new RegExp(`^# HELP ${String(name)} [A-Z1].*\\w\\.$`, 'm'));
});
