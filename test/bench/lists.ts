/**
 * `npm run bench -- lists`: what lists of the service and of the gateway cost in stores of growing
 * size, on SQLite and on PostgreSQL. The ratio is that to the smallest store of the same run.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Kysely } from 'kysely';
import pg from 'pg';
import type { Caller } from '#main/front/admit.ts';
import { caseListQuery } from '#main/front/request-schemas.ts';
import { searchText } from '#main/front/search-text.ts';
import { openFileStore } from '#main/front/store/file-store.ts';
import { createPageMemory } from '#main/front/store/list-page.ts';
import { openSharedStore } from '#main/front/store/shared-store.ts';
import type { Migrations, Store } from '#main/front/store/store.ts';
import { listCases } from '#main/gateway/reading/find-cases.ts';
import { gatewayMigrations } from '#main/gateway/schema.ts';
import type { GatewayTables } from '#main/gateway/tables.ts';
import { listClaims } from '#main/service/claims/find-claims.ts';
import { storeMigrations } from '#main/service/store/schema.ts';
import type { Database } from '#main/service/store/tables.ts';
import { startPostgres, type RunningPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/processes.ts';
import { printFigure } from './figures.ts';
import { createPayloads } from './sample-claims.ts';

const sizes = (process.env['LIST_SIZES'] ?? '10000 100000 500000').split(' ').map(Number);
const startMs = Date.UTC(2016, 0, 1);
const minuteMs = 60_000;
const rounds = 30;
const rowsAtATime = 250;
const payloadBytes = 700;
const caller: Caller = {
  clientId: 'laptop',
  organizationId: 'expert',
  kind: 'expert',
  members: 1,
  generation: 1,
};
const statuses = ['Assigned', 'Accepted', 'InProgress', 'Final'] as const;
const categories = ['special', 'fraud', 'vehicle'] as const;

/** The queries of the table, for a store of a size. */
function queriesOf(size: number): [what: string, query: Record<string, string>][] {
  const latest = new Date(startMs + (size - 20) * minuteMs).toISOString();
  return [
    ['X1, first page', {}],
    ['last page', { page: String(size / 50) }],
    ['count', { size: '1' }],
    ['a status that nothing has', { status: 'Rejected' }],
    ['poll with 20 changes', { lastChangedSince: latest }],
    ['q, a policy', { q: `P-${String(100_000 + size / 2)}` }],
    ['q, part of a number', { q: String(100_000 + size / 2).slice(1) }],
    ['q, rare word', { q: 'zimzimzim' }],
    ['q, nothing', { q: 'nothinghasthis' }],
  ];
}

interface Measured {
  fill(from: number, to: number): Promise<void>;
  list(query: Record<string, string>): Promise<unknown>;
}

const payload = createPayloads(1);

function rowsOf<Row>(from: number, to: number, row: (number: number) => Row): Row[][] {
  const parts: Row[][] = [];
  for (let start = from; start < to; start += rowsAtATime) {
    const length = Math.min(rowsAtATime, to - start);
    parts.push(Array.from({ length }, (_, index) => row(start + index)));
  }
  return parts;
}

const common = (number: number) => ({
  id: randomUUID(),
  external_key: `SF-${String(number)}`,
  status: statuses[number % statuses.length] ?? 'Assigned',
  category: categories[number % categories.length] ?? 'special',
  inspection_type: '',
  created_at: startMs + number * minuteMs,
});

function serviceLists(db: Kysely<Database>): Measured {
  const memory = createPageMemory();
  return {
    async fill(from, to) {
      for (const part of rowsOf(from, to, (number) => ({ number, ...common(number) }))) {
        await db.transaction().execute(async (transaction) => {
          const claims = part.map((row) => ({
            ...row,
            insurer_organization_id: 'insurer',
            expert_organization_id: 'expert',
            expert_comment: '',
            archived: 0,
            hail_drive_in_accepted: 0,
            cost_estimate_rappen: null,
            approved_rappen: null,
            last_changed_at: row.created_at,
            completed_at: null,
            last_report_approved_at: null,
          }));
          await transaction.insertInto('claims').values(claims).execute();
          const payloads = part.map(({ number, external_key: key }) => {
            const json = payload(number, payloadBytes);
            return {
              claim_number: number,
              payload_literal: Buffer.from(JSON.stringify(json)),
              search_text: searchText(key, JSON.parse(json)),
            };
          });
          await transaction.insertInto('claim_payloads').values(payloads).execute();
        });
      }
    },
    list: (query) => listClaims(db, caller, caseListQuery.parse(query), memory),
  };
}

function gatewayLists(db: Kysely<GatewayTables>): Measured {
  // The cast restates what `listCases` uses without completedFrom and completedTo.
  const context = { db, visibility: 'all', pageMemory: createPageMemory() } as Parameters<
    typeof listCases
  >[0];
  return {
    async fill(from, to) {
      for (const part of rowsOf(from, to, (number) => ({ number, row: common(number) }))) {
        const rows = part.map(({ number, row }) => {
          const json = payload(number, payloadBytes);
          return {
            ...row,
            postal_code: '8001',
            responsible: '',
            changed_at: row.created_at,
            partner_changed_at: '',
            body_json: JSON.stringify({ Id: row.id, PayloadJson: json }),
            search_text: searchText(row.external_key, JSON.parse(json)),
            delisted: 0,
          };
        });
        await db
          .transaction()
          .execute((transaction) => transaction.insertInto('cases').values(rows).execute());
      }
    },
    list: (query) => listCases(context, caller, caseListQuery.parse(query)),
  };
}

/** Mean time of a query, with the store's work, after a first call that fills the caches. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  await work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  // The fastest ones, because the machine does other work as well.
  const fastest = times.toSorted((one, other) => one - other).slice(0, rounds / 3);
  return fastest.reduce((sum, each) => sum + each, 0) / fastest.length;
}

async function measure(name: string, lists: Measured, analyze: () => Promise<unknown>) {
  const first = new Map<string, number>();
  let filled = 0;
  for (const size of sizes) {
    await lists.fill(filled, size);
    filled = size;
    await analyze();
    for (const [what, query] of queriesOf(size)) {
      const figure = await timeOf(() => lists.list(query));
      const smallest = first.get(what) ?? figure;
      first.set(what, smallest);
      printFigure({
        what: `${name}, ${String(size)} cases: ${what}`,
        figure,
        unit: 'ms',
        limit: smallest * 2,
        ratio: figure / smallest,
      });
    }
    // A full reading: neighbouring pages in the middle.
    const pages = Array.from({ length: 20 }, (_, index) => String(size / 400 + index));
    await lists.list({ page: String(size / 400 - 1), size: '200' });
    const startedAt = performance.now();
    for (const page of pages) await lists.list({ page, size: '200' });
    const figure = (performance.now() - startedAt) / pages.length;
    const smallest = first.get('walk') ?? figure;
    first.set('walk', smallest);
    printFigure({
      what: `${name}, ${String(size)} cases: a page of 200 of a full reading`,
      figure,
      unit: 'ms',
      limit: smallest * 2,
      ratio: figure / smallest,
    });
  }
}

async function openIn<Tables>(
  name: 'service' | 'gateway',
  migrations: Migrations,
  directory: string,
  server: RunningPostgres | undefined,
): Promise<{ store: Store<Tables>; analyze: () => Promise<unknown> }> {
  if (!server) {
    const store = await openFileStore<Tables>({ directory, name, migrations });
    return { store, analyze: () => Promise.resolve() };
  }
  const url = (database: string) =>
    `postgres:///${database}?host=${encodeURIComponent(server.folder)}&user=service`;
  const client = new pg.Client({ connectionString: url('postgres') });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const store = await openSharedStore<Tables>({
    url: url(name),
    migrations,
    onError: () => undefined,
  });
  return {
    store,
    // The cluster of the tests has no autovacuum.
    analyze: async () => {
      const vacuum = new pg.Client({ connectionString: url(name) });
      await vacuum.connect();
      await vacuum.query('vacuum analyze');
      await vacuum.end();
    },
  };
}

const folder = temporaryFolder();
const server = await startPostgres();
try {
  for (const database of ['SQLite', 'PostgreSQL']) {
    const at = database === 'SQLite' ? undefined : server;
    const gateway = await openIn<GatewayTables>(
      'gateway',
      gatewayMigrations,
      join(folder.path, 'gateway'),
      at,
    );
    await measure(`gateway, ${database}`, gatewayLists(gateway.store.db), gateway.analyze);
    await gateway.store.close();
    const service = await openIn<Database>(
      'service',
      storeMigrations,
      join(folder.path, 'service'),
      at,
    );
    const { db } = service.store;
    for (const kind of ['insurer', 'expert'] as const) {
      await db
        .insertInto('organizations')
        .values({
          id: kind,
          kind,
          name: kind,
          responsible_name: '',
          responsible_email: '',
          responsible_phone: '',
          members: 1,
          client_id: kind,
          created_at: startMs,
        })
        .execute();
    }
    await measure(`service, ${database}`, serviceLists(db), service.analyze);
    await service.store.close();
  }
} finally {
  await server.stop();
  folder.remove();
}
