import { createPrivateKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pino } from 'pino';
import type { Clock } from '#shared/lib/clock.ts';
import { lastPull } from '#main/gateway/status/metrics.ts';
import { runGateway, type RunningGateway } from '#main/gateway/run-gateway.ts';
import { startLine, type LineFault } from '../main/gateway/support/line.ts';
import {
  createPartner,
  type Partner,
  type PartnerAnswer,
} from '../main/service/support/partner.ts';
import { startPacedService } from './paced-run.ts';
import { createSkippingClock, type SkippingClock } from './skipping-clock.ts';

const minuteMs = 60_000;
/**
 * One of this many requests to an unwell partner loses its answer. The number is a prime, so that
 * every kind of request is hit.
 */
const lostEvery = 7;
const cases = '/v1/experts/cases';
/** The public address of the gateways. */
const publicUrl = 'https://gateway.example';

export interface Office {
  readonly laptops: number;
  readonly pollEveryS: number;
  /** The number of laptops that deliver reports from the start. */
  readonly deliverers: number;
  readonly reportsEach: number;
  readonly minutes: number;
  /** The factor by which simulated time runs faster. */
  readonly timesFaster: number;
  /**
   * The partner is away for a sixth of the time, after its first third, and loses some of its
   * answers.
   */
  readonly isPartnerUnwell?: boolean;
  /**
   * With this database there are two gateways, and the second one ends in the middle, with all its
   * open requests.
   */
  readonly database?: { readonly url: string } | undefined;
}

/** Times are simulated, so the work of this machine counts `timesFaster` times. */
export interface OfficeRun {
  /** The number of requests to the partner in each simulated minute. */
  readonly perMinute: readonly number[];
  /** The number of the partner's answers 429. */
  readonly throttled: number;
  readonly pollsMs: readonly number[];
  /** The times from the first attempt of a request to its success, with all repetitions. */
  readonly changesMs: readonly number[];
  /** The same times, by delivering laptop. */
  readonly waitsByLaptop: readonly (readonly number[])[];
  readonly pullAgesS: readonly number[];
  /** The files at the partner, and the statuses of their reports. */
  readonly documents: readonly string[];
  readonly statuses: readonly string[];
  /**
   * The number of laptops that saw the changed case of the partner, and the time until the last one
   * did.
   */
  readonly seenBy: number;
  readonly lastSeenMs: number;
  /** The processor time of the whole process: partner, gateway and laptops. */
  readonly cpuMs: number;
  readonly peakMb: number;
}

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** No wait is as short as this, so none is skipped. */
const skipsNothing = -1;
/** The longest time in ms that passes between two looks at the fast clock. */
const turnMaxMs = 50;

/**
 * Creates a clock that is faster than the machine's, and stands still while this process does.
 * Otherwise the client's 15 s for a connection would be over in a moment without the processor.
 */
function createFastClock(timesFaster: number): SkippingClock {
  let lastMs = performance.now();
  let passedMs = 0;
  return createSkippingClock(skipsNothing, 0, () => {
    const nowMs = performance.now();
    passedMs += Math.min(nowMs - lastMs, turnMaxMs) * timesFaster;
    lastMs = nowMs;
    return passedMs;
  });
}

/**
 * Runs an office of laptops behind a gateway, with the published limits at the partner and at the
 * gateway. All parts are in this process, over real HTTP, on a clock that is faster than the
 * machine's.
 * @param signal ends the run, even while it waits or repeats
 */
export async function runOffice(
  dir: string,
  office: Office,
  signal = new AbortController().signal,
): Promise<OfficeRun> {
  const { laptops, deliverers, reportsEach, minutes, timesFaster } = office;
  const pollEveryMs = office.pollEveryS * 1000;
  const clock = createFastClock(timesFaster);
  const reports = deliverers * reportsEach;
  const line = office.isPartnerUnwell ? await startLine() : undefined;
  const service = await startPacedService(
    join(dir, 'service'),
    clock,
    { count: reports + 1 },
    line?.baseUrl,
  );
  await service.context.db.updateTable('claims').set({ status: 'Accepted' }).execute();
  const { expert } = service.credentials;
  if (line) line.target = service.baseUrl;
  const open = (name: string) =>
    runGateway({
      directory: join(dir, name),
      database: office.database,
      partner: {
        baseUrl: line?.baseUrl ?? service.baseUrl,
        audience: service.audience,
        clientId: expert.clientId,
        privateKey: createPrivateKey(expert.privateKeyPem),
      },
      visibility: 'all',
      clock,
      log: pino({ level: 'silent' }),
      listen: { host: '127.0.0.1', port: 0, publicUrl },
    });
  const gateway = await open('gateway');
  const second = office.database && (await open('second'));
  /** This line leads to the second gateway, and after its end to the first one. */
  const toSecond = second && (await startLine());
  if (toSecond) toSecond.target = second.baseUrl;
  const { db } = gateway.context;
  const counters = [gateway, ...(second ? [second] : [])].map(
    ({ context }) => context.upstream.counters,
  );
  const counted = (what: 'requests' | 'throttled') =>
    counters.reduce((sum, each) => sum + each[what], 0);
  const cpu = process.cpuUsage();
  const endMs = clock.now() + minutes * minuteMs;
  const wait = async (ms: number) => {
    await new Promise<void>((resolve) => clock.after(Math.max(0, ms), resolve));
    signal.throwIfAborted();
  };
  const run = {
    perMinute: [] as number[],
    pollsMs: [] as number[],
    waitsByLaptop: [] as number[][],
    pullAgesS: [] as number[],
    peakMb: 0,
  };
  const ids = (await db.selectFrom('cases').select('id').orderBy('created_at').execute()).map(
    ({ id }) => id,
  );
  const news = { id: ids.pop() ?? '', atMs: Infinity, seen: new Map<number, number>() };

  if (line) line.fault = faultsOf(clock, minutes);

  /**
   * Returns a function that polls for a laptop, from the end of its last poll. It resolves with
   * whether the poll was answered.
   */
  function pollerOf(partner: Partner, index: number) {
    let since = new Date(clock.now()).toISOString();
    return async (): Promise<boolean> => {
      const startedAt = clock.monotonic();
      const path = `${cases}?lastChangedSince=${since}&size=200`;
      const answer = await unlessCut(partner.request('GET', path));
      // If this machine stood still, the proof is too old by now.
      if (answer === null || answer.status === 401) return false;
      run.pollsMs.push(clock.monotonic() - startedAt);
      const { Items } = answer.json as { Items: { Id: string; LastChangedAt: string }[] };
      since = Items.at(-1)?.LastChangedAt ?? since;
      if (Items.some(({ Id }) => Id === news.id) && !news.seen.has(index)) {
        news.seen.set(index, clock.now() - news.atMs);
      }
      return true;
    };
  }

  async function keepPolling(poll: () => Promise<boolean>, index: number): Promise<void> {
    await wait((pollEveryMs * index) / laptops);
    while (clock.now() < endMs) {
      await poll();
      await wait(pollEveryMs);
    }
  }

  async function deliver(partner: Partner, own: readonly string[]): Promise<void> {
    const waits: number[] = [];
    /** Repeats a change under one key until it succeeds. */
    const change = async (path: string, idempotencyKey: string, body?: object) => {
      const startedAt = clock.monotonic();
      for (;;) {
        signal.throwIfAborted();
        const request = { idempotencyKey, ...(body && { body }) };
        const answer = await unlessCut(partner.request('POST', path, request));
        if (answer === null) {
          await wait(1000);
          continue;
        }
        const { status, json, headers, text } = answer;
        if (status < 300) {
          waits.push(clock.monotonic() - startedAt);
          return json as { Id: string };
        }
        if (status === 401) continue;
        if (status !== 429 && status < 500) throw new Error(`${path}: ${status} ${text}`);
        await wait(Number(headers['retry-after'] ?? 15) * 1000);
      }
    };
    for (const id of own) {
      const draft = await change(`${cases}/${id}/reports:draft`, `draft ${id}`, { Comment: id });
      const report = `/v1/experts/reports/${draft.Id}`;
      await change(`${report}/documents`, `document ${id}`, {
        FileName: `${id}.txt`,
        ContentType: 'text/plain',
        IsSalvageSale: false,
        ContentBase64: Buffer.from(`The report of ${id}.`).toString('base64'),
      });
      await change(`${report}/submit`, `submit ${id}`);
    }
    run.waitsByLaptop.push(waits);
  }

  async function watch(): Promise<void> {
    for (let before = counted('requests'); clock.now() < endMs;) {
      await wait(minuteMs);
      run.perMinute.push(counted('requests') - before);
      before = counted('requests');
      run.pullAgesS.push((await lastPull(db, clock)).ageS);
      run.peakMb = Math.max(run.peakMb, process.memoryUsage().rss / 1e6);
    }
  }

  /** Changes a case early enough that every laptop polls once more. */
  async function changeCase(): Promise<void> {
    await wait((minutes * minuteMs) / 10);
    news.atMs = clock.now();
    await service.context.db
      .updateTable('claims')
      .set({ expert_comment: 'News.', last_changed_at: news.atMs })
      .where('id', '=', news.id)
      .execute();
  }

  async function endSecond(): Promise<void> {
    if (!toSecond) return;
    await wait((minutes * minuteMs) / 2);
    toSecond.target = gateway.baseUrl;
    toSecond.cut();
    await second.stop(0);
  }

  try {
    const partners = await enrolAll(gateway, laptops, clock, toSecond?.baseUrl);
    const polls = partners.map(pollerOf);
    await Promise.all([
      watch(),
      changeCase(),
      endSecond(),
      ...polls.map(keepPolling),
      ...partners
        .slice(0, deliverers)
        .map((partner, index) =>
          deliver(partner, ids.slice(index * reportsEach, (index + 1) * reportsEach)),
        ),
    ]);
    const used = process.cpuUsage(cpu);
    // On a busy machine the time may be over before the change was pulled.
    await gateway.context.pull.now();
    for (const poll of polls) {
      while (!(await poll())) await wait(1000);
    }
    return {
      ...run,
      changesMs: run.waitsByLaptop.flat(),
      ...(await service.delivered()),
      throttled: counted('throttled'),
      seenBy: news.seen.size,
      lastSeenMs: Math.max(...news.seen.values()),
      cpuMs: (used.user + used.system) / 1000,
    };
  } finally {
    await gateway.stop(1000);
    await toSecond?.stop();
    await line?.stop();
    await service.stop();
    clock.stop();
  }
}

/** Resolves with null if the connection broke, as it does if a gateway ends. */
const unlessCut = (sent: Promise<PartnerAnswer>): Promise<PartnerAnswer | null> =>
  sent.catch(() => null);

/** Returns the faults of a partner that is away for a while and loses some of its answers. */
function faultsOf(clock: Clock, minutes: number): () => LineFault {
  const fromMs = clock.now() + (minutes * minuteMs) / 3;
  const untilMs = fromMs + (minutes * minuteMs) / 6;
  let requests = 0;
  return () => {
    if (clock.now() >= fromMs && clock.now() < untilMs) return 'drop-before';
    requests++;
    return requests % lostEvery === 0 ? 'drop-after' : 'none';
  };
}

/**
 * Enrols laptops that share one key pair, because three hundred pairs would take longer than the
 * run.
 * @param otherUrl the address to which every second laptop connects
 */
async function enrolAll(
  { context: { db }, baseUrl }: RunningGateway,
  count: number,
  clock: Clock,
  otherUrl = baseUrl,
): Promise<Partner[]> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk: JsonWebKey = publicKey.export({ format: 'jwk' });
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const partners: Partner[] = [];
  for (let number = 1; number <= count; number++) {
    const clientId = `laptop-${String(number)}`;
    await db
      .insertInto('clients')
      .values({
        client_id: clientId,
        name: clientId,
        kid: clientId,
        public_jwk: JSON.stringify(jwk),
        dispatcher: 0,
        created_at: clock.now(),
        revoked_at: null,
      })
      .execute();
    const now = () => clock.now();
    const url = number % 2 === 0 ? otherUrl : baseUrl;
    partners.push(await createPartner({ clientId, privateKeyPem }, url, { now, publicUrl }));
  }
  return partners;
}
