import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import packageJson from '../../../../package.json' with { type: 'json' };
import { root } from '../../../support/processes.ts';
import { machineClock } from '../../service/support/fake-clock.ts';
import { startGateway, type GatewayForTest } from '../../gateway/support/gateway.ts';
import { send } from '../../service/support/partner.ts';
import { startService, type ServiceForTest } from '../../service/support/service.ts';

let service: ServiceForTest;
let gateway: GatewayForTest;

beforeAll(async () => {
  service = await startService({ clock: machineClock });
  gateway = await startGateway(service);
});
afterAll(async () => {
  await gateway.remove();
  await service.remove();
});

const figuresOf = async ({ baseUrl }: { readonly baseUrl: string }) =>
  (await send('GET', `${baseUrl}/metrics`)).text;

/** The names of the figures that a text in Prometheus' format has, those of histograms whole. */
const namesIn = (text: string) =>
  new Set([...text.matchAll(/^(\w+)(?:\{[^}\n]*\})? /gm)].map(([, name = '']) => name));

test('metrics: answers by operation and status, the store, the build, the process', async () => {
  const expert = await service.partner('expert');
  expect((await expert.request('GET', '/v1/experts/cases')).status).toBe(200);
  expect((await send('GET', `${service.baseUrl}/v1/experts/cases`)).status).toBe(401);
  const text = await figuresOf(service);
  expect(text).toMatch(/^server_request_seconds_count\{operation="X1",status="200"\} [1-9]/m);
  expect(text).toMatch(/^server_request_seconds_count\{operation="X1",status="401"\} 1$/m);
  expect(text).toMatch(/^server_store_wait_seconds_count\{wait="turn",pool="\w+"\} [1-9]/m);
  expect(text).toMatch(/^server_store_ok 1$/m);
  expect(text).toContain(
    `server_build_info{server="service",version="${packageJson.version}",node="${process.versions.node}"} 1`,
  );
  expect(text).toMatch(/^process_cpu_user_seconds_total \d/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
});

test('metrics: what only grows is a counter named _total, and nothing else is', async () => {
  for (const server of [service, gateway]) {
    // Those of Node have the names of the library.
    const kinds = [...(await figuresOf(server)).matchAll(/^# TYPE (?!nodejs_)(\w+) (\w+)$/gm)];
    expect(kinds.length).toBeGreaterThan(10);
    for (const [, name = '', kind] of kinds)
      expect(name.endsWith('_total'), `${name} is a ${String(kind)}`).toBe(kind === 'counter');
  }
});

test('metrics: the service shows its figures to its own machine alone', async () => {
  const ask = (headers: Record<string, string>) =>
    send('GET', `${service.baseUrl}/metrics`, { headers });
  expect((await ask({ 'x-forwarded-for': '10.0.0.1' })).status).toBe(404);
  expect((await ask({})).status).toBe(200);
});

const rulesSchema = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.object({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.object({ summary: z.string(), action: z.string() }),
        }),
      ),
    }),
  ),
});
const dashboardSchema = z.object({
  title: z.string(),
  panels: z.array(
    z.object({
      title: z.string(),
      targets: z.array(z.object({ expr: z.string() })).nonempty(),
    }),
  ),
});

/** The figures that an expression of PromQL names. */
const figuresIn = (expression: string) =>
  expression.match(/\b(?:server|gateway|process|nodejs)_\w+/g) ?? [];

test('metrics: every figure of the alert rules and of the dashboard is one that a server has', async () => {
  const read = (name: string) => readFileSync(join(root, 'deploy/monitoring', name), 'utf8');
  const { groups } = rulesSchema.parse(parse(read('alerts.yml')));
  const { panels } = dashboardSchema.parse(JSON.parse(read('dashboard.json')));
  const expressions = [
    ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  const known = new Set([
    ...namesIn(await figuresOf(service)),
    ...namesIn(await figuresOf(gateway)),
    // Only on PostgreSQL.
    'server_store_connections',
  ]);
  const used = new Set(expressions.flatMap(figuresIn));
  expect(used.size).toBeGreaterThan(12);
  expect([...used].filter((name) => !known.has(name))).toEqual([]);
  expect(expressions.filter((text) => figuresIn(text).length === 0)).toEqual([]);
});
