import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import { openChange } from '#main/gateway/writing/open-changes.ts';
import { runGateway, type RunningGateway } from '#main/gateway/run-gateway.ts';
import { sleep } from '#main/partner/clock.ts';
import { createPartner, type Partner } from '../main/service/support/partner.ts';
import { startPacedService } from './paced-run.ts';
import { createSkippingClock, type SkippingClock } from './skipping-clock.ts';

const cases = '/v1/experts/cases';
const publicUrl = 'https://gateway.example';
/**
 * The time of one request at the partner's standard limit. A comment takes two: the comment itself,
 * and the read after it.
 */
const standardMs = 1000;
const commentMs = 2 * standardMs;
const documentMs = 3000;

/** Longer waits are not skipped, because they are time limits of requests. */
const skippedMaxMs = 5000;
/**
 * Time is skipped only after this many quiet turns, because a database or a signature in another
 * thread may be working.
 */
const quietTurns = 30;

/** One request of a laptop, from its first attempt to its success. */
export interface Wait {
  readonly client: string;
  /** The first Retry-After in ms. It is 0 if the request was not refused. */
  readonly toldMs: number;
  readonly realMs: number;
}

export interface LoadRun {
  readonly waits: readonly Wait[];
  /** The time in which every client has one turn, if all turns are shared evenly. */
  readonly roundMs: number;
  /** The times at which the first and the last client were done. */
  readonly firstDoneMs: number;
  readonly lastDoneMs: number;
  /** The number of the partner's answers 429. */
  readonly throttled: number;
}

export interface Load {
  /**
   * - `documents`: every laptop sends documents, one after the other
   * - `whole-list`: every laptop sends a comment while the gateway reads the whole list
   * - `unsure-case`: the same, while three laptops repeatedly read a case with an open change
   * - `import`: the same, while the gateway reads a nightly import in which every case changed
   */
  readonly scenario: 'documents' | 'whole-list' | 'unsure-case' | 'import';
  readonly laptops: number;
  /** The number of documents of each laptop. */
  readonly each?: number;
  /** The number of cases at the partner. */
  readonly cases: number;
  /** The shared store, with which a second gateway process runs. */
  readonly database?: { readonly url: string } | undefined;
}

/**
 * Runs the laptops of an office with their gateway, with the published limits at the partner, over
 * real HTTP and on a clock that skips waits.
 */
export async function runGatewayLoad(dir: string, load: Load): Promise<LoadRun> {
  const clock = createSkippingClock(skippedMaxMs, quietTurns, () => 0);
  const service = await startPacedService(join(dir, 'service'), clock, { count: load.cases });
  await service.context.db.updateTable('claims').set({ status: 'Accepted' }).execute();
  const open = (name: string) =>
    runGateway({
      directory: join(dir, name),
      database: load.database,
      partner: {
        baseUrl: service.baseUrl,
        audience: service.audience,
        clientId: service.credentials.expert.clientId,
        privateKey: createPrivateKey(service.credentials.expert.privateKeyPem),
      },
      visibility: 'all',
      limits: 'off',
      clock,
      log: pino({ level: 'silent' }),
      listen: { host: '127.0.0.1', port: 0, publicUrl },
    });
  const gateways = [await open('gateway'), ...(load.database ? [await open('second')] : [])];
  try {
    const laptops = await enrolLaptops(gateways, load.laptops, clock);
    const ids = await gateways[0]?.context.db
      .selectFrom('cases')
      .select('id')
      .orderBy('created_at')
      .limit(load.laptops + 1)
      .execute();
    const own = laptops.map((laptop, index) => ({ ...laptop, caseId: ids?.[index]?.id ?? '' }));
    const work =
      load.scenario === 'documents'
        ? await prepareDocuments(clock, own, load.each ?? 3)
        : own.map((laptop) => () => comment(clock, laptop));
    if (load.scenario === 'import') await changeEverything(service, gateways, clock);
    const over = new AbortController();
    const readers =
      load.scenario === 'unsure-case'
        ? readUnsure(gateways[0], laptops.slice(0, 3), ids?.at(-1)?.id ?? '', over.signal)
        : Promise.resolve();
    const startedAt = clock.monotonic();
    const done: number[] = [];
    const waits = await Promise.all(
      work.map(async (each) => {
        const found = await each();
        done.push(clock.monotonic() - startedAt);
        return found;
      }),
    );
    over.abort();
    await readers;
    return {
      waits: waits.flat(),
      roundMs: load.laptops * (load.scenario === 'documents' ? documentMs : commentMs),
      firstDoneMs: Math.min(...done),
      lastDoneMs: Math.max(...done),
      throttled: gateways.reduce(
        (sum, { context }) => sum + context.upstream.counters.throttled,
        0,
      ),
    };
  } finally {
    for (const gateway of gateways) await gateway.stop(1000);
    await service.stop();
    clock.stop();
  }
}

/**
 * Changes every case, like a nightly import.
 * @returns when the gateway has begun to read it
 */
async function changeEverything(
  service: Awaited<ReturnType<typeof startPacedService>>,
  gateways: readonly RunningGateway[],
  clock: SkippingClock,
): Promise<void> {
  const requests = () =>
    gateways.reduce((sum, { context }) => sum + context.upstream.counters.requests, 0);
  await service.context.db
    .updateTable('claims')
    .set({ last_changed_at: clock.now(), hail_drive_in_accepted: 1 })
    .execute();
  const before = requests();
  while (requests() < before + 3) await sleep(clock, standardMs);
}

interface Laptop {
  readonly client: string;
  readonly partner: Partner;
}

/**
 * Enrols laptops that share one key pair, because three hundred pairs would take longer than the
 * run.
 */
async function enrolLaptops(
  gateways: readonly RunningGateway[],
  count: number,
  clock: SkippingClock,
): Promise<Laptop[]> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicJwk = JSON.stringify(publicKey.export({ format: 'jwk' }));
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const laptops: Laptop[] = [];
  for (let number = 0; number < count; number += 1) {
    const gateway = gateways[number % gateways.length];
    if (!gateway) throw new Error('there is a gateway');
    const client = `laptop-${String(number)}`;
    await gateway.context.db
      .insertInto('clients')
      .values({
        client_id: client,
        name: client,
        kid: client,
        public_jwk: publicJwk,
        dispatcher: 0,
        created_at: clock.now(),
        revoked_at: null,
      })
      .execute();
    const credentials = { clientId: client, privateKeyPem };
    const now = () => clock.now();
    const partner = await createPartner(credentials, gateway.baseUrl, { now, publicUrl });
    laptops.push({ client, partner });
  }
  return laptops;
}

/** Sends a request until it succeeds, and waits as long as each refusal demands. */
async function send(
  clock: SkippingClock,
  { client, partner }: Laptop,
  what: {
    readonly method: string;
    readonly path: string;
    readonly body?: object;
    readonly key?: string;
  },
): Promise<Wait & { readonly json: unknown }> {
  const startedAt = clock.monotonic();
  let toldMs = 0;
  for (;;) {
    const { status, headers, json, text } = await partner.request(what.method, what.path, {
      ...(what.body && { body: what.body }),
      ...(what.key !== undefined && { idempotencyKey: what.key }),
    });
    if (status < 300) return { client, toldMs, realMs: clock.monotonic() - startedAt, json };
    // The clock has skipped past the expiry of a token or of a proof.
    if (status === 401) continue;
    if (status !== 429) throw new Error(`${what.path}: ${String(status)} ${text}`);
    const waitMs = Number(headers['retry-after']) * 1000;
    toldMs ||= waitMs;
    const untilMs = clock.monotonic() + waitMs;
    while (clock.monotonic() < untilMs) {
      await sleep(clock, Math.min(skippedMaxMs, untilMs - clock.monotonic()));
    }
  }
}

type OwnCase = Laptop & { readonly caseId: string };

const comment = (clock: SkippingClock, laptop: OwnCase) =>
  send(clock, laptop, {
    method: 'PUT',
    path: `${cases}/${laptop.caseId}/expert-comment`,
    body: { Text: 'Seen.' },
  }).then((wait) => [wait]);

/**
 * Opens a draft for each laptop.
 * @returns for each laptop a function that sends its documents
 */
async function prepareDocuments(
  clock: SkippingClock,
  laptops: readonly OwnCase[],
  each: number,
): Promise<(() => Promise<Wait[]>)[]> {
  const drafts = await Promise.all(
    laptops.map((laptop) =>
      send(clock, laptop, {
        method: 'POST',
        path: `${cases}/${laptop.caseId}/reports:draft`,
        key: `draft ${laptop.client}`,
        body: { Comment: '' },
      }),
    ),
  );
  return laptops.map((laptop, index) => async () => {
    const waits: Wait[] = [];
    const draft = drafts[index]?.json as { Id: string } | undefined;
    for (let number = 1; number <= each; number += 1) {
      const name = `${laptop.client} ${String(number)}`;
      waits.push(
        await send(clock, laptop, {
          method: 'POST',
          path: `/v1/experts/reports/${draft?.Id ?? ''}/documents`,
          key: name,
          body: {
            FileName: `${name}.txt`,
            ContentType: 'text/plain',
            IsSalvageSale: false,
            ContentBase64: Buffer.from(name).toString('base64'),
          },
        }),
      );
    }
    return waits;
  });
}

/** Reads a case with an open change repeatedly until the signal. */
async function readUnsure(
  gateway: RunningGateway | undefined,
  laptops: readonly Laptop[],
  caseId: string,
  signal: AbortSignal,
): Promise<void> {
  if (!gateway) return;
  const { db, clock } = gateway.context;
  await db
    .transaction()
    .execute((transaction) => openChange(transaction, { caseId, now: clock.now() }));
  await Promise.all(
    laptops.map(async ({ partner }) => {
      while (!signal.aborted) await partner.request('GET', `${cases}/${caseId}`);
    }),
  );
}

/** Prints the Retry-After and the real wait of each client, in seconds. */
export function printLoad(name: string, { waits, roundMs, ...run }: LoadRun): void {
  const seconds = (ms: number) => Math.round(ms / 100) / 10;
  for (const [client, own] of Map.groupBy(waits, (wait) => wait.client)) {
    const told = own.map(({ toldMs }) => seconds(toldMs));
    const real = own.map(({ realMs }) => seconds(realMs));
    process.stdout.write(
      `${JSON.stringify({ name, client, told, real, round: seconds(roundMs) })}\n`,
    );
  }
  const sorted = waits.map(({ realMs }) => realMs).toSorted((a, b) => a - b);
  const at = (share: number) => seconds(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  const line = {
    name,
    round: seconds(roundMs),
    p50: at(0.5),
    p95: at(0.95),
    max: at(1),
    first: seconds(run.firstDoneMs),
    last: seconds(run.lastDoneMs),
    throttled: run.throttled,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
