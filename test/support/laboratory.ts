import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { z } from 'zod';
import { createCode } from '#main/gateway/auth/clients.ts';
import { openGatewayStore } from '#main/gateway/context.ts';
import { machineClock } from '../main/service/support/fake-clock.ts';
import { enrol, newKey } from '../main/gateway/support/gateway.ts';
import {
  contents,
  expectDone,
  idOf,
  specialPayload,
  upload,
} from '../main/service/support/claims.ts';
import { createDatabase, databaseOf, dropDatabase } from '../main/service/support/database.ts';
import { createMemoryLog } from '../main/service/support/memory-log.ts';
import { createPartner, type Partner } from '../main/service/support/partner.ts';
import { waitLimitMs } from './long.ts';
import { freePort } from './ports.ts';
import { postgresSocketName, startCutLine, type CutLine, type LineState } from './cut-line.ts';
import {
  root,
  startGatewayProcess,
  startService,
  temporaryFolder,
  type RunningGatewayProcess,
  type RunningService,
} from './processes.ts';
import { s3Keys } from './s3-keys.ts';
import { startS3Server } from './s3-server.ts';
import { openServerView } from './server-view.ts';

/*
 * The failure laboratory runs real servers behind the project's own lines. It takes away one part
 * under load, and gives it back.
 */

export interface Outage {
  readonly server: 'service' | 'gateway';
  readonly taken: 'database' | 'bucket' | 'disk' | 'partner' | 'proxy';
  /** The way in which a line fails. A disk is filled instead. */
  readonly by: Exclude<LineState, 'open'>;
  readonly processes: number;
  readonly forMs: number;
}

/** The results of one outage. */
export interface Finding {
  /** The number of writes, by key, that were answered with success. */
  readonly acknowledged: number;
  /** The number of writes that are stored. */
  readonly present: number;
  /** The most connections to PostgreSQL at a time, as PostgreSQL counts them. */
  readonly connectionsMax: number;
  /** The time in ms from the return of the part until /health of every process reports no fault. */
  readonly toHealthMs: number;
  /** The status and the text of every answer that was not a success. */
  readonly refusals: readonly string[];
  /** Whether /health reported the outage, if it can. */
  readonly wasTold: boolean;
  /**
   * The longest time in ms from SIGTERM to the exit, with the part taken away again. The exit codes
   * follow.
   */
  readonly endMs: number;
  readonly exitCodes: readonly (number | null)[];
}

/** A running program of the project. */
type Server = Pick<RunningService, 'baseUrl' | 'stop'>;

/** The parts of one experiment. */
interface Rig {
  readonly servers: readonly Server[];
  /** The client of each writer at each address. */
  readonly clients: readonly (readonly Partner[])[];
  write(client: Partner, key: string): ReturnType<Partner['request']>;
  /** Returns the number of stored writes, read past the line. */
  present(): Promise<number>;
  take(): void;
  giveBack(): void;
  close(): Promise<void>;
}

const claims = '/v1/insurers/claims';
const writers = 3;

/**
 * Takes a part away and gives it back.
 * @throws {Error} if a program does not start
 */
export async function tryOutage(outage: Outage): Promise<Finding> {
  const rig = await openRig(outage);
  const refusals = new Set<string>();
  const counts = { acknowledged: 0, isOver: false };
  /** Ends what is not awaited any more, whatever failed. */
  const over = new AbortController();
  const writing = Array.from({ length: writers }, async (_, index) => {
    while (!counts.isOver) {
      if (await isAcknowledged(rig, randomUUID(), { first: index, refusals, signal: over.signal }))
        counts.acknowledged += 1;
      await wait(10);
    }
  });
  const counting = countConnections(outage, over.signal);
  try {
    await until('every writer wrote', () => counts.acknowledged >= 2 * writers);
    const before = counts.acknowledged;
    rig.take();
    const [wasTold] = await Promise.all([tellsSoon(rig, outage), wait(outage.forMs)]);
    rig.giveBack();
    const backMs = performance.now();
    await until('/health is well', async () =>
      (await Promise.all(rig.servers.map(isWell))).every(Boolean),
    );
    const toHealthMs = performance.now() - backMs;
    await until('every writer wrote again', () => counts.acknowledged >= before + 2 * writers);
    counts.isOver = true;
    await within('every writer has its answer', Promise.all(writing));
    const present = await rig.present();
    if (outage.taken !== 'proxy') rig.take();
    const ends = await Promise.all(rig.servers.map(timedStop));
    over.abort();
    return {
      acknowledged: counts.acknowledged,
      present,
      connectionsMax: await counting,
      toHealthMs: Math.round(toHealthMs),
      refusals: [...refusals].toSorted(),
      wasTold,
      endMs: Math.max(...ends.map(({ ms }) => ms)),
      exitCodes: ends.map(({ code }) => code),
    };
  } finally {
    counts.isOver = true;
    over.abort();
    await rig.close();
    await Promise.allSettled([...writing, counting]);
  }
}

/**
 * Sends a write under one key until it is acknowledged, like a client with an outbox.
 * @returns false if the experiment is over before that
 */
async function isAcknowledged(
  rig: Rig,
  key: string,
  { first, refusals, signal }: { first: number; refusals: Set<string>; signal: AbortSignal },
): Promise<boolean> {
  const clients = rig.clients[first] ?? [];
  for (let attempt = first; !signal.aborted; attempt += 1) {
    const client = clients[attempt % clients.length];
    if (!client) throw new Error('there is a client');
    const said = await rig.write(client, key).then(
      ({ status, json, headers }) => {
        if (status < 300) return null;
        const waitS = Math.min(3, Number(headers['retry-after'] ?? 0));
        // A rate limit is not a failure.
        if (status === 429) return { text: null, waitS };
        return { text: `${String(status)} ${detailOf(json)}`, waitS };
      },
      (error: unknown) => ({ text: sentenceOf(error), waitS: 0 }),
    );
    if (said === null) return true;
    if (said.text !== null) refusals.add(said.text);
    await wait(Math.max(100, said.waitS * 1000));
  }
  return false;
}

const detailOf = (json: unknown) =>
  typeof json === 'object' && json !== null && 'detail' in json ? String(json.detail) : 'no detail';

/** Returns the text of a broken connection, or of a refused token. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error) return 'broken connection';
  const [, status, body] = /^token: (\d+) (.*)$/s.exec(error.message) ?? [];
  return status === undefined ? error.message : `${status} ${detailOf(JSON.parse(body ?? ''))}`;
}

async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + waitLimitMs;
  while (!(await isTrue())) {
    if (performance.now() > endMs) throw new Error(`waited in vain until ${what}`);
    await wait(25);
  }
}

/** Waits for work, which ends by itself unless somebody waits for it without a bound. */
async function within(what: string, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = work.then(() => (isDone = true));
  await Promise.race([done, until(what, () => isDone)]);
}

interface Health {
  readonly status: number;
  readonly text: string;
}

const healthOf = ({ baseUrl }: Server): Promise<Health | null> =>
  fetch(`${baseUrl}/health`).then(
    async (answer) => ({ status: answer.status, text: await answer.text() }),
    () => null,
  );

async function isWell(server: Server): Promise<boolean> {
  const health = await healthOf(server);
  return health?.status === 200 && !/"(?:failing|unreachable)"/.test(health.text);
}

/**
 * Returns whether /health reports the outage before it is over. No server knows of a proxy, so it
 * counts as reported.
 */
async function tellsSoon({ servers }: Rig, { taken, forMs }: Outage): Promise<boolean> {
  const endMs = performance.now() + forMs;
  while (taken !== 'proxy' && performance.now() < endMs) {
    const told = await Promise.all(servers.map(async (server) => !(await isWell(server))));
    if (told.every(Boolean)) return true;
    await wait(100);
  }
  return taken === 'proxy';
}

async function timedStop(server: Server): Promise<{ ms: number; code: number | null }> {
  const startMs = performance.now();
  const code = await server.stop();
  return { ms: Math.round(performance.now() - startMs), code };
}

const socketFolder = () => inject('postgresSocket') ?? '';

/** The most connections to PostgreSQL at a time until the signal, on its side, past the line. */
async function countConnections({ server }: Outage, signal: AbortSignal): Promise<number> {
  const client = new pg.Client({ host: socketFolder(), user: 'service', database: 'postgres' });
  await client.connect();
  let most = 0;
  try {
    while (!signal.aborted) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity where datname like $1`,
        [`lab-${server}-%`],
      );
      most = Math.max(most, rows[0]?.count ?? 0);
      await wait(50);
    }
    return most;
  } finally {
    await client.end();
  }
}

async function openRig(outage: Outage): Promise<Rig> {
  const folder = temporaryFolder();
  const at = (name: string) => {
    const path = join(folder.path, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const database = join(folder.path, `lab-${outage.server}-${basename(folder.path)}`);
  await createDatabase(database);
  const databaseLine = await startCutLine(
    { path: join(socketFolder(), postgresSocketName) },
    join(at('line'), postgresSocketName),
  );
  const parts = { outage, at, databaseLine, database };
  const close = async () => {
    await databaseLine.stop();
    await dropDatabase(database);
    folder.remove();
  };
  try {
    const rig = await (outage.server === 'service' ? serviceRig(parts) : gatewayRig(parts));
    return {
      ...rig,
      close: async () => {
        await rig.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface RigParts {
  readonly outage: Outage;
  readonly at: (name: string) => string;
  readonly databaseLine: CutLine;
  readonly database: string;
}

const lineUrl = ({ at, database }: RigParts) =>
  `postgres:///${basename(database)}?host=${at('line')}&user=service`;

/**
 * Puts lines in front of the processes, like a proxy. Without a proxy the processes' own addresses
 * are used.
 */
async function linesTo(servers: readonly Server[], isProxied: boolean) {
  if (!isProxied) return { lines: [], addresses: servers.map(({ baseUrl }) => baseUrl) };
  const lines = await Promise.all(
    servers.map(({ baseUrl }) =>
      startCutLine({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) }),
    ),
  );
  return { lines, addresses: lines.map(({ port }) => `http://127.0.0.1:${String(port)}`) };
}

const setAll = (lines: readonly CutLine[], state: LineState) => {
  for (const line of lines) line.set(state);
};

const publicUrl = 'https://api.example';

async function serviceRig(parts: RigParts): Promise<Rig> {
  const { outage, at, databaseLine } = parts;
  const { taken, processes } = outage;
  const bucket = taken === 'bucket' ? await openBucket() : undefined;
  const isFull = taken === 'disk';
  const start = (_: unknown, index: number) =>
    startService({
      dataDir: at(`service-${String(index)}`),
      args: [
        '--public-url',
        publicUrl,
        '--limits',
        'off',
        '--log-level',
        'error',
        ...(isFull ? [] : ['--database', lineUrl(parts)]),
        ...(bucket ? ['--documents', bucket.url] : []),
      ],
      ...(isFull && { program: onSmallDisk('service', at(`service-${String(index)}`)) }),
    });
  const servers = await Promise.all(Array.from({ length: processes }, start));
  const [first] = servers;
  if (!first) throw new Error('there is a process');
  const { lines, addresses } = await linesTo(servers, taken === 'proxy');
  const clients = await Promise.all(
    addresses.map((address) => createPartner(first.credentials.insurer, address, { publicUrl })),
  );
  const [client] = clients;
  if (!client) throw new Error('there is a client');
  const body = { Category: 'special', PayloadJson: JSON.stringify(specialPayload()) };
  const documents = bucket
    ? `${claims}/${await idOf(client.request('POST', claims, { body }))}/documents`
    : undefined;
  const pdf = upload(Buffer.concat([contents.pdf, randomBytes(50_000)]));
  const filler = seenBy(first, join(at('service-0'), 'filler'));
  const cuts = {
    database: [databaseLine],
    bucket: bucket ? [bucket.line] : [],
    disk: [],
    partner: [],
    proxy: lines,
  };
  return {
    servers,
    clients: Array.from({ length: writers }, () => clients),
    write: (by, idempotencyKey) =>
      documents === undefined
        ? by.request('POST', claims, { body, idempotencyKey })
        : by.request('POST', documents, { body: pdf, idempotencyKey }),
    async present() {
      const list = await expectDone(client.request('GET', `${documents ?? claims}?size=1`));
      return (list.json as { Total: number }).Total;
    },
    ...cutter(outage, cuts[taken], filler),
    async close() {
      await Promise.all(servers.map((server) => server.stop()));
      await Promise.all(lines.map((line) => line.stop()));
      await bucket?.close();
    },
  };
}

async function openBucket() {
  const server = await startS3Server();
  const [, endpoint = ''] = /endpoint=([^&]*)/.exec(server.url) ?? [];
  const { port } = new URL(decodeURIComponent(endpoint));
  const line = await startCutLine({ host: '127.0.0.1', port: Number(port) });
  process.env['AWS_ACCESS_KEY_ID'] = s3Keys.accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = s3Keys.secretAccessKey;
  const through = encodeURIComponent(`http://127.0.0.1:${String(line.port)}`);
  return {
    line,
    url: server.url.replace(endpoint, through),
    async close() {
      await line.stop();
      await server.close();
    },
  };
}

/** The program of a server on a separate disk of 16 MB, which disappears with the process. */
function onSmallDisk(server: Outage['server'], dataDir: string): string[] {
  const mount = `mount -t tmpfs -o size=16m,mode=700 tmpfs "$0" || exit 99; exec "$@"`;
  const namespace = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m'];
  const program = [process.execPath, join(root, `main/${server}/server.ts`)];
  return ['unshare', ...namespace, 'sh', '-c', mount, dataDir, ...program];
}

/** The path of a file that only a process sees, because it is on its separate disk. */
const seenBy = ({ pid }: { readonly pid: number }, path: string) =>
  join('/proc', String(pid), 'root', path);

/** Takes away lines, or the disk of a process by a file that fills it. */
function cutter(outage: Outage, lines: readonly CutLine[], filler: string) {
  if (outage.taken === 'disk') return { take: () => fill(filler), giveBack: () => rmSync(filler) };
  return {
    take: () => setAll(lines, outage.by),
    giveBack: () => setAll(lines, 'open'),
  };
}

/** Fills a disk to its last block. */
function fill(filler: string): void {
  for (let sizeBytes = 1 << 20; sizeBytes >= 1; sizeBytes >>= 1) {
    const block = Buffer.alloc(sizeBytes);
    try {
      for (;;) writeFileSync(filler, block, { flag: 'a' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
}

const plenty = '--upstream-limits=standard=60000/60s:1000 documents=60000/60s:1000 token=600/60s';
const gatewayUrl = 'https://gateway.example';

async function gatewayRig(parts: RigParts): Promise<Rig> {
  const { outage, at, databaseLine, database } = parts;
  const { taken, processes } = outage;
  const bucket = taken === 'bucket' ? await openBucket() : undefined;
  const isFull = taken === 'disk';
  const port = await freePort();
  const partnerLine = await startCutLine({ host: '127.0.0.1', port });
  const baseUrl = `http://127.0.0.1:${String(partnerLine.port)}`;
  const partner = await startService({
    dataDir: at('partner'),
    args: [
      '--port',
      String(port),
      '--public-url',
      baseUrl,
      '--limits',
      'off',
      '--backoffice',
      '--log-level',
      'error',
    ],
  });
  const office = await openCaseAt(partner);
  const credentialsPath = join(at('office'), 'credentials.json');
  writeFileSync(credentialsPath, JSON.stringify(partner.credentials));
  const start = (index: number) => {
    const dataDir = at(`gateway-${String(index)}`);
    return startGatewayProcess(
      [
        '--data',
        dataDir,
        ...(isFull ? [] : ['--database', lineUrl(parts)]),
        ...(bucket ? ['--documents', bucket.url] : []),
        '--upstream-credentials',
        credentialsPath,
        '--public-url',
        gatewayUrl,
        '--log-level',
        'error',
        plenty,
      ],
      isFull ? onSmallDisk('gateway', dataDir) : undefined,
    );
  };
  const first = await start(0);
  // The first process reads the partner, and the others find its store.
  const servers: RunningGatewayProcess[] = [first];
  for (let index = 1; index < processes; index += 1) servers.push(await start(index));
  const { lines, addresses } = await linesTo(servers, taken === 'proxy');
  const codes = isFull
    ? codesOnSmallDisk(first, at('gateway-0'), at('codes'))
    : await codesIn(database);
  // Each writer has separate limits.
  const laptops = await Promise.all(codes.map((code) => enrolLaptop(first.baseUrl, code)));
  const clients = await Promise.all(
    laptops.map((laptop) =>
      Promise.all(
        addresses.map((address) => createPartner(laptop, address, { publicUrl: gatewayUrl })),
      ),
    ),
  );
  const [client] = clients.flat();
  if (!client) throw new Error('there is a client');
  // Made through the gateway, which knows no submission that came another way.
  const draft = `/v1/experts/cases/${office.caseId}/reports:draft`;
  const submissionId = await idOf(client.request('POST', draft, { body: { Comment: '' } }));
  const documents = `/v1/experts/reports/${submissionId}/documents`;
  const pdf = upload();
  // What is in the bucket are the documents of cases that somebody has read.
  if (bucket) await expectDone(client.request('GET', office.document));
  const cuts = {
    database: [databaseLine],
    bucket: bucket ? [bucket.line] : [],
    disk: [],
    partner: [partnerLine],
    proxy: lines,
  };
  const filler = seenBy(first, join(at('gateway-0'), 'filler'));
  /** The keys of uploads that only lack the reading. */
  const written = new Set<string>();
  return {
    servers,
    // A key belongs to one client, which may use any process.
    clients,
    // An upload goes past the bucket, so each one is followed by a reading of what is in it.
    async write(by, idempotencyKey) {
      if (!written.has(idempotencyKey)) {
        const answer = await by.request('POST', documents, { body: pdf, idempotencyKey });
        if (!bucket || answer.status >= 300) return answer;
        written.add(idempotencyKey);
      }
      return by.request('GET', office.document);
    },
    present: () => office.documentsIn(documents),
    ...cutter(outage, cuts[taken], filler),
    async close() {
      await Promise.all(servers.map((server) => server.stop()));
      await Promise.all([...lines, partnerLine].map((line) => line.stop()));
      await partner.stop();
      await bucket?.close();
    },
  };
}

/** Opens an accepted case at the partner, and counts what is handed in for it. */
async function openCaseAt(partner: RunningService) {
  const { credentials, baseUrl } = partner;
  const view = await openServerView(credentials, baseUrl);
  const body = { Category: 'special', PayloadJson: JSON.stringify(specialPayload()) };
  const caseId = await idOf(view.insurer.request('POST', claims, { body }));
  const { organizationId } = credentials.expert;
  await view.backoffice('POST', `/_backoffice/claims/${caseId}/assign`, {
    ExpertOrganizationId: organizationId,
  });
  await view.backoffice('POST', `/_backoffice/claims/${caseId}/accept`);
  const documents = `${claims}/${caseId}/documents`;
  const documentId = await idOf(view.insurer.request('POST', documents, { body: upload() }));
  return {
    caseId,
    /** The address of a document of the case for its expert. */
    document: `/v1/experts/cases/${caseId}/documents/${documentId}`,
    async documentsIn(documents: string) {
      const list = await expectDone(view.expert.request('GET', `${documents}?size=1`));
      return (list.json as { Total: number }).Total;
    },
  };
}

/** Makes a code for each writer in a database. */
async function codesIn(database: string): Promise<string[]> {
  const store = await openGatewayStore({
    directory: database,
    database: databaseOf(database),
    log: createMemoryLog().log,
  });
  const laptop = { name: 'L', isDispatcher: false };
  const making = Array.from({ length: writers }, () => createCode(store.db, machineClock, laptop));
  const made = await Promise.all(making);
  await store.close();
  return made.map(({ code }) => code);
}

/** Makes them with the operator's command, where the disk of a process is seen. */
function codesOnSmallDisk({ pid }: { readonly pid: number }, dataDir: string, to: string) {
  const names = join(to, 'names.txt');
  writeFileSync(
    names,
    Array.from({ length: writers }, (_, index) => `L${String(index)}\n`).join(''),
  );
  const namespace =
    process.getuid?.() === 0 ? ['--mount'] : ['--user', '--preserve-credentials', '--mount'];
  const command = [process.execPath, join(root, 'main/gateway/server.ts'), 'enrol'];
  const options = ['--data', dataDir, '--names', names, '--to', join(to, 'files')];
  const args = [`--target=${String(pid)}`, ...namespace, ...command, ...options];
  const lines = execFileSync('nsenter', args, { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => z.object({ code: z.string() }).parse(JSON.parse(line)).code);
}

/** Enrols one laptop, whose key is valid at every process. */
async function enrolLaptop(enrolUrl: string, code: string) {
  const { publicPem, privatePem } = newKey();
  const { json } = await enrol(enrolUrl, code, publicPem);
  return { clientId: (json as { ClientId: string }).ClientId, privateKeyPem: privatePem };
}
