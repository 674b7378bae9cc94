import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { documentsBucket, standardBucket, type TokenBucketLimit } from '#shared/api/limits.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { caseStatuses, categories } from '#shared/api/case-words.ts';
import type { Engine } from '#main/engine/engine.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { systemRandom } from '#main/shell/system.ts';
import { buildService } from '#main/service/app.ts';
import { listen } from '#main/front/process.ts';
import { openContext } from '#main/service/context.ts';
import { credentialsTable, ensureCredentials } from '#main/service/organizations/credentials.ts';
import { searchText } from '#main/front/search-text.ts';
import { openFileStore } from '#main/front/store/file-store.ts';
import { storeMigrations } from '#main/service/store/schema.ts';
import type { ClaimsTable, Database } from '#main/service/store/tables.ts';
import { createPartner, type Partner } from '../main/service/support/partner.ts';
import { createMemoryVault } from './desk-in-process.ts';
import { createSkippingClock, type SkippingClock } from './skipping-clock.ts';
import { createPayloads } from '../bench/sample-claims.ts';
import { faultLog } from './fault-log.ts';

const pageSize = 200;
const usualFilesPerReport = 20;

/** Returns the least time in ms in which a full bucket admits this number of requests. */
function bestMs(requests: number, { capacity, refillPerMinute }: TokenBucketLimit): number {
  return (Math.max(0, requests - capacity) * 60_000) / refillPerMinute;
}

/**
 * Returns the least time of a run in ms. If another program takes half of both buckets, the
 * documents' bucket refills its half while the cases are pulled.
 */
function bestOf(run: {
  cases: number;
  documents: number;
  filesPerReport?: number;
  shared: boolean;
}): number {
  const pages = Math.ceil(run.cases / pageSize);
  // The documents of each report are listed once before it is submitted.
  const reports = Math.ceil(run.documents / (run.filesPerReport ?? usualFilesPerReport));
  const documents = run.documents + reports;
  if (!run.shared) return bestMs(pages, standardBucket) + bestMs(documents, documentsBucket);
  const half = ({ capacity, refillPerMinute }: TokenBucketLimit) => ({
    capacity: capacity / 2,
    refillPerMinute: refillPerMinute / 2,
  });
  const pullMs = bestMs(pages, half(standardBucket));
  const { capacity, refillPerMinute } = half(documentsBucket);
  const filled = Math.min(documentsBucket.capacity, capacity + (pullMs * refillPerMinute) / 60_000);
  return pullMs + bestMs(documents, { capacity: filled, refillPerMinute });
}

export interface PacedRun {
  readonly pulled: number;
  /** The duration by the clock that both sides share. */
  readonly tookMs: number;
  /** The least time that the buckets, or the remaining share of them, allow. */
  readonly bestMs: number;
  readonly throttled: number;
  /** Names of the server's report documents, sorted. */
  readonly documents: readonly string[];
  readonly waiting: number;
  /** Rows that need a decision by the user. Such a row does not count as waiting. */
  readonly attention: number;
  /** Statuses of the reports' submissions at the server. */
  readonly statuses: readonly string[];
  /** The longest remaining time that was shown while documents were delivered. */
  readonly shownMs: number;
  /** The estimated duration of the delivery before its reports were made. */
  readonly forecastMs: number;
  /** The duration of the delivery. */
  readonly deliveryMs: number;
}

/**
 * Runs a first sync of `cases` cases and the delivery of `documents` documents over real HTTP, with
 * the published limits. Both sides share a clock that skips waits, so minutes of limits pass in
 * seconds. The machine's own time counts unchanged, unless `passedMs` excludes it.
 * @param options.shared another program of the same client uses half of both buckets
 * @param options.claimBytes the size of each case's payload. Without it the payload is as small as
 * possible.
 * @param options.passedMs see `createSkippingClock`
 */
export async function runPaced(options: {
  dir: string;
  cases: number;
  documents: number;
  shared: boolean;
  filesPerReport?: number;
  claimBytes?: number;
  passedMs?: () => number;
}): Promise<PacedRun> {
  const { filesPerReport = usualFilesPerReport } = options;
  const clock = createSkippingClock(undefined, undefined, options.passedMs);
  const directory = join(options.dir, 'service');
  const service = await startPacedService(directory, clock, {
    count: options.cases,
    ...(options.claimBytes !== undefined && { bytes: options.claimBytes }),
  });
  const engine = await openEngine({
    home: join(options.dir, 'home'),
    vault: createMemoryVault(),
    clock,
    random: systemRandom,
    log: faultLog,
  });
  const { clientId, privateKeyPem: privateKey } = service.credentials.expert;
  const { baseUrl, audience } = service;
  const over = new AbortController();
  let other = Promise.resolve();
  try {
    await engine.workspaces.connect({ baseUrl, audience, clientId, privateKey });
    const startedAt = clock.monotonic();
    if (options.shared) {
      other = useHalf(await service.partner(), clock, over.signal);
      // Its error is thrown where the promise is awaited.
      other.catch(() => undefined);
    }
    const first = await engine.sync.run({ documents: 'none' });
    let throttled = first.throttled;

    const reports = Math.ceil(options.documents / filesPerReport);
    const accepted = (await engine.cases.list({ status: 'Accepted', limit: reports })).items;
    const caseIds = accepted.slice(0, reports).map(({ id }) => id);
    const plan = { reports, files: options.documents, bytes: 0, values: 0 };
    const { doneAt } = await engine.queue.forecast(plan);
    const reportsBegunAt = clock.now();
    // No timer of the clock covers the writing of files.
    const written = clock.begin();
    for (const [index, caseId] of caseIds.entries()) {
      const count = Math.min(filesPerReport, options.documents - index * filesPerReport);
      const names = Array.from({ length: count }, (_, n) => `${index}-${n}.txt`);
      const files = names.map((fileName) => ({ fileName, content: contentOf(fileName) }));
      await engine.makeReport(caseId, { comment: '', files, submit: true });
    }
    written();
    const longest = longestShown(engine, over.signal);
    do {
      const round = await engine.sync.run({ documents: 'none' });
      throttled += round.throttled;
    } while ((await engine.sync.status()).waiting > 0);
    const tookMs = clock.monotonic() - startedAt;
    const { items } = await engine.queue.list({});
    const deliveredAt = items.map(({ delivered }) => Date.parse(delivered?.at ?? ''));

    over.abort();
    await other;
    const shownMs = await longest;
    return {
      pulled: first.pulled,
      tookMs,
      bestMs: bestOf(options),
      throttled,
      ...(await service.delivered()),
      waiting: (await engine.sync.status()).waiting,
      attention: (await engine.sync.status()).attention,
      shownMs,
      forecastMs: Date.parse(doneAt ?? '') - reportsBegunAt,
      deliveryMs: Math.max(...deliveredAt) - reportsBegunAt,
    };
  } finally {
    over.abort();
    await other.catch(() => undefined);
    await engine.close();
    await service.stop();
    clock.stop();
  }
}

async function longestShown(engine: Engine, signal: AbortSignal): Promise<number> {
  let longest = 0;
  for await (const event of engine.events(signal)) {
    if (event.type === 'sync.changed' && event.status.phase === 'delivering') {
      longest = Math.max(longest, event.status.remainingMs ?? 0);
    }
  }
  return longest;
}

function contentOf(fileName: string): AsyncIterable<Uint8Array> {
  return (async function* () {
    yield await Promise.resolve(Buffer.from(`The content of ${fileName}.`));
  })();
}

/**
 * Starts a service in this process, full of cases, whose Date headers follow the same clock.
 * @param claims their number, and the size of their payloads, which is minimal if only waits count
 */
export async function startPacedService(
  directory: string,
  clock: Clock & Pick<SkippingClock, 'begin'>,
  claims: { readonly count: number; readonly bytes?: number },
  publicUrl?: string,
) {
  mkdirSync(directory, { recursive: true });
  const log = pino({ level: 'silent' });
  const open = () => openContext({ directory, limits: 'on', clock, log });
  const empty = await open();
  const credentials = await ensureCredentials(empty, credentialsTable(empty.db));
  await empty.close();
  const insurerId = credentials.insurer.organizationId;
  await fillStore(directory, {
    ...claims,
    insurerId,
    expertId: credentials.expert.organizationId,
  });
  const context = await open();
  const app = await buildService(context, { backofficeToken: undefined });
  // Node's own Date header would have the machine's time.
  app.server.prependListener('request', (_request, response) => {
    response.once('close', clock.begin());
    response.setHeader('date', new Date(clock.now()).toUTCString());
  });
  const baseUrl = await listen(app, context, {
    host: '127.0.0.1',
    port: 0,
    ...(publicUrl !== undefined && { publicUrl }),
  });
  const { audience } = context.address;
  return {
    baseUrl,
    audience,
    credentials,
    context,
    partner: () =>
      createPartner(credentials.expert, baseUrl, {
        audience,
        publicUrl: baseUrl,
        now: () => clock.now(),
      }),
    delivered: async () => {
      const rows = await context.db
        .selectFrom('submission_documents')
        .innerJoin('submissions', 'submissions.id', 'submission_documents.submission_id')
        .select(['file_name', 'submissions.id', 'submissions.status'])
        .orderBy('file_name')
        .execute();
      const statuses = new Map(rows.map(({ id, status }) => [id, status]));
      return {
        documents: rows.map(({ file_name }) => file_name),
        statuses: [...statuses.values()],
      };
    },
    async stop() {
      await app.close();
      await context.close();
    },
  };
}

/**
 * Acts as another program of the client: it uses half of each bucket at once, then half of each
 * refill.
 */
async function useHalf(partner: Partner, clock: Clock, signal: AbortSignal): Promise<void> {
  const use = async (path: string, { capacity, refillPerMinute }: TokenBucketLimit) => {
    const startedAt = clock.monotonic();
    for (let taken = 0; !signal.aborted;) {
      const earned = ((clock.monotonic() - startedAt) * refillPerMinute) / 60_000;
      const dueMs = ((taken - capacity / 2 - earned / 2 + 1) * 120_000) / refillPerMinute;
      if (dueMs > 0) {
        await passing(clock, dueMs, signal);
        continue;
      }
      const { status } = await partner.request('GET', path);
      // A refused token or proof takes nothing from the bucket.
      if (status === 429 || status === 401) await passing(clock, 1000, signal);
      else taken += 1;
    }
  };
  const missing = '00000000-0000-4000-8000-000000000000';
  await Promise.all([
    use('/v1/experts/cases?size=1', standardBucket),
    use(`/v1/experts/cases/${missing}/documents`, documentsBucket),
  ]);
}

/** Resolves after this time, or at the signal. */
async function passing(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const cancel = clock.after(ms, () => resolve(undefined));
  signal.addEventListener('abort', resolve, { once: true });
  await promise;
  cancel();
  signal.removeEventListener('abort', resolve);
}

const claimsAtATime = 500;
const minuteMs = 60_000;

/**
 * Stores claims in a service that does not run, all of one insurer and one expert. It writes the
 * same rows as the service, but not the events and requests in between.
 */
export async function fillStore(
  directory: string,
  {
    count,
    bytes = 0,
    insurerId,
    expertId,
  }: { count: number; bytes?: number; insurerId: string; expertId: string },
): Promise<void> {
  const store = await openFileStore<Database>({
    directory,
    name: 'service',
    migrations: storeMigrations,
  });
  const payloadOf = createPayloads(3);
  const firstAt = Date.now() - count * minuteMs;
  for (let from = 1; from <= count; from += claimsAtATime) {
    await store.db.transaction().execute(async (db) => {
      const rows: ClaimsTable[] = [];
      const payloads: string[] = [];
      for (let number = from; number < Math.min(from + claimsAtATime, count + 1); number += 1) {
        const at = firstAt + number * minuteMs;
        const payload = payloadOf(number, bytes);
        payloads.push(payload);
        rows.push({
          number,
          id: randomUUID(),
          external_key: `SF-2026-${String(number).padStart(6, '0')}`,
          category: categories[number % categories.length] ?? 'special',
          status: caseStatuses[1 + (number % (caseStatuses.length - 1))] ?? 'Final',
          insurer_organization_id: insurerId,
          expert_organization_id: expertId,
          inspection_type: number % 3 === 0 ? 'workshop' : 'estimate_review',
          expert_comment: '',
          archived: 0,
          hail_drive_in_accepted: 0,
          cost_estimate_rappen: null,
          approved_rappen: null,
          created_at: at,
          last_changed_at: at,
          completed_at: null,
          last_report_approved_at: null,
        });
      }
      for (const [index, row] of rows.entries()) {
        const payload = payloads[index] ?? '';
        await db.insertInto('claims').values(row).execute();
        await db
          .insertInto('claim_payloads')
          .values({
            claim_number: row.number,
            payload_literal: Buffer.from(JSON.stringify(payload)),
            search_text: searchText(row.external_key, JSON.parse(payload)),
          })
          .execute();
      }
    });
  }
  await store.db.insertInto('counters').values({ name: 'claims', value: count }).execute();
  await store.close();
}
