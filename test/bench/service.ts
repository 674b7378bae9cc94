/**
 * `npm run bench -- service`: the service against servers that do the least, and against the limits
 * that the user notices. The peers run from this very file, as their own processes.
 */
import { fork, spawnSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { availableParallelism } from 'node:os';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { performance } from 'node:perf_hooks';
import Fastify from 'fastify';
import { z } from 'zod';
import { systemClock } from '#main/front/clock.ts';
import { openContext } from '#main/service/context.ts';
import { admit } from '#main/front/admit.ts';
import { mountTokenEndpoint } from '#main/front/auth/token-endpoint.ts';
import { createLog } from '#main/front/log.ts';
import { credentialsTable, ensureCredentials } from '#main/service/organizations/credentials.ts';
import { listen } from '#main/front/process.ts';
import { heapFlags } from '../../scripts/lib/heap-flags.mjs';
import {
  createPartner,
  sha256,
  signAssertion,
  tokenForm,
  type Partner,
} from '../main/service/support/partner.ts';
import { createForeignIssuer } from '../support/partner/foreign-issuer.ts';
import { root, startService, temporaryFolder, type RunningService } from '../support/processes.ts';
import { median, printFigure } from './figures.ts';

const cases = 50;
const casesPath = '/v1/experts/cases';
const listPath = `${casesPath}?size=${cases}`;
const pollPath = `${casesPath}?size=5`;
const uploadBytes = 1024 * 1024;
const rounds = 25;
const requestsPerRound = 60;
const documentBytes = 50 * 1024 * 1024;
const idSchema = z.object({ Id: z.string() });
const clientSchema = z.object({ clientId: z.string(), privateKeyPem: z.string() });
const peersSchema = z.object({
  bareUrl: z.string(),
  oidcUrl: z.string(),
  expert: clientSchema,
  insurer: clientSchema,
});
const itemsSchema = z.object({ Items: z.array(idSchema).min(1) });

/**
 * The peers, in a separate process: a Fastify that sends the bytes of a file behind the service's
 * own check of token and proof, and oidc-provider with the same grant, client and kind of token.
 */
async function servePeers(folder: string, clientFile: string, directory: string): Promise<void> {
  const bytesOf = (name: string) => readFileSync(join(folder, name));
  const [list, poll, one] = ['list.json', 'poll.json', 'one.json'].map(bytesOf);
  const log = createLog('silent');
  const context = await openContext({ directory, limits: 'off', clock: systemClock, log });
  const { expert, insurer } = await ensureCredentials(context, credentialsTable(context.db));
  const app = Fastify();
  mountTokenEndpoint(app, context);
  const json = 'application/json; charset=utf-8';
  app.get('/v1/experts/cases', async (request, reply) => {
    await admit(context, 'X1', request);
    return reply.type(json).send(request.url.endsWith(`size=${cases}`) ? list : poll);
  });
  app.get('/v1/experts/cases/:id', async (request, reply) => {
    await admit(context, 'X2', request);
    return reply.type(json).send(one);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
  app.post('/v1/insurers/claims/:id/documents', async (request, reply) => {
    await admit(context, 'I6', request);
    // The least that whoever stores a document does: its bytes, out of Base64, on the disk.
    const body = await buffer(request.raw);
    const { ContentBase64 } = JSON.parse(body.toString()) as { ContentBase64: string };
    await writeFile(join(folder, 'upload'), Buffer.from(ContentBase64, 'base64'), { flush: true });
    return reply.code(201).type(json).send('{}');
  });
  const bareUrl = await listen(app, context, { host: '127.0.0.1', port: 0 });

  const { clientId, publicJwk } = z
    .object({ clientId: z.string(), publicJwk: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(clientFile, 'utf8')));
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const oidcUrl = `http://127.0.0.1:${port}`;
  const provider = createForeignIssuer(oidcUrl, { id: clientId, publicJwk });
  const handle = provider.callback();
  server.on('request', (request, response) => void handle(request, response));
  process.send?.({ bareUrl, oidcUrl, expert, insurer });
  process.on('disconnect', () => process.exit());
}

async function measureAll(): Promise<void> {
  // The measured processes get a separate core if the system can bind them.
  const core = String(availableParallelism() - 1);
  const isBound = core !== '0' && spawnSync('taskset', ['--version']).status === 0;
  const pin = isBound ? ['taskset', '-c', core] : [];
  if (isBound) spawnSync('taskset', ['-apc', `0-${Number(core) - 1}`, String(process.pid)]);
  const script = join(root, 'scripts/run.mjs');
  const target = 'main/service/server.ts';
  const program = [...pin, process.execPath, ...heapFlags(target), script, target];
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'service');
  mkdirSync(dataDir);
  const start = () =>
    startService({ dataDir, args: ['--limits', 'off', '--demo', '200'], program });

  let service = await start();
  const closers: (() => unknown)[] = [];
  try {
    const { expert } = service.credentials;
    const partner = await createPartner(expert, service.baseUrl);
    const list = await partner.request('GET', listPath);
    z.object({ Items: z.array(z.unknown()).length(cases) }).parse(list.json);
    const poll = await partner.request('GET', pollPath);
    const onePath = `${casesPath}/${itemsSchema.parse(poll.json).Items[0]?.Id}`;
    const one = await partner.request('GET', onePath);
    for (const [name, { body }] of Object.entries({ list, poll, one }))
      writeFileSync(join(folder.path, `${name}.json`), body);
    const files = [folder.path, join(folder.path, 'client.json'), join(folder.path, 'peers')];
    const clientFile = files[1] ?? '';
    // The same client with the same key.
    const publicJwk = createPublicKey(expert.privateKeyPem).export({ format: 'jwk' });
    writeFileSync(clientFile, JSON.stringify({ clientId: expert.clientId, publicJwk }));
    const [execPath, ...execArgv] = [...pin, process.execPath];
    const child = fork(import.meta.filename, ['peers', ...files], { execPath, execArgv });
    closers.push(() => child.kill());
    const peers = peersSchema.parse(((await once(child, 'message')) as unknown[])[0]);
    const barePartner = await createPartner(peers.expert, peers.bareUrl);
    printFigure({
      what: `X1 with ${cases} cases, against a bare server that sends the same bytes behind the same check`,
      ...(await compare(
        () => signed(partner, 'GET', service.baseUrl + listPath),
        () => signed(barePartner, 'GET', peers.bareUrl + listPath),
      )),
      unit: 'requests/s',
      limit: 0.5,
    });

    const reads = { 'X1 with 5 cases': pollPath, 'X2, one case': onePath };
    for (const [what, path] of Object.entries(reads)) {
      printFigure({
        what: `${what}, against the same bare server`,
        ...(await compare(
          () => signed(partner, 'GET', service.baseUrl + path),
          () => signed(barePartner, 'GET', peers.bareUrl + path),
        )),
        unit: 'requests/s',
        limit: 0.6,
      });
    }

    const filer = await createPartner(service.credentials.insurer, service.baseUrl);
    const bareFiler = await createPartner(peers.insurer, peers.bareUrl);
    const claims = await filer.request('GET', '/v1/insurers/claims?size=1');
    const uploadPath = `/v1/insurers/claims/${itemsSchema.parse(claims.json).Items[0]?.Id}/documents`;
    const document = documentOf(uploadBytes);
    const uploading = async (by: Partner, baseUrl: string) => {
      const request = await signed(by, 'POST', baseUrl + uploadPath);
      const headers = { ...request.headers, 'content-type': 'application/json' };
      return { ...request, headers, body: document };
    };
    printFigure({
      what: 'I6 with 1 MB, against a bare server that writes the bytes to a file',
      ...(await compare(
        () => uploading(filer, service.baseUrl),
        () => uploading(bareFiler, peers.bareUrl),
        8,
      )),
      unit: 'requests/s',
      limit: 0.65,
    });

    printFigure({
      what: 'token endpoint (private_key_jwt, DPoP, JWT), against oidc-provider',
      ...(await compare(
        () => tokenRequest(service.baseUrl, expert, partner),
        () => tokenRequest(peers.oidcUrl, expert, partner),
      )),
      unit: 'requests/s',
      limit: 1,
    });

    const insurer = await createPartner(service.credentials.insurer, service.baseUrl);
    for (const [name, bytes] of Object.entries(await memoryGrowth(service, insurer))) {
      printFigure({
        what: `50 MB document ${name}: growth of the service's peak resident memory`,
        figure: bytes / 1024 / 1024,
        unit: 'MB',
        limit: 48,
      });
    }

    const starts: number[] = [];
    for (let run = 0; run < 7; run += 1) {
      await service.stop();
      const before = performance.now();
      service = await start();
      starts.push(performance.now() - before);
    }
    printFigure({
      what: 'service start to listening, as npm run service starts it',
      figure: median(starts),
      unit: 'ms',
      limit: 1000,
    });
  } finally {
    for (const close of closers) close();
    await service.kill();
    folder.remove();
  }
}

interface SignedRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

async function signed(partner: Partner, method: 'GET' | 'POST', url: string) {
  const token = await partner.token();
  const dpop = await partner.proof(method, url, { ath: sha256(token) });
  return { method, url, headers: { authorization: `DPoP ${token}`, dpop } };
}

async function tokenRequest(
  baseUrl: string,
  { clientId, privateKeyPem }: z.infer<typeof clientSchema>,
  partner: Partner,
): Promise<SignedRequest> {
  const url = `${baseUrl}/v1/oauth/token`;
  const key = createPrivateKey(privateKeyPem);
  const assertion = await signAssertion(key, { clientId, audience: url, nowMs: Date.now() });
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    dpop: await partner.proof('POST', url),
  };
  return { method: 'POST', url, headers, body: tokenForm(clientId, assertion) };
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Sends a request and reads its answer. */
async function exchange({ method, url, headers, body }: SignedRequest): Promise<string> {
  const outgoing = httpRequest(url, { method, headers, agent });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  let start = '';
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    if (start.length < 1000) start += piece.toString('latin1', 0, 1000);
  }
  if ((incoming.statusCode ?? 500) >= 300) throw new Error(`${url}: ${start}`);
  return start;
}

/**
 * Requests a second of both sides, in short rounds in turn after some to warm up, so that what
 * slows the machine for a while slows both. What is signed is signed before each round.
 */
async function compare(
  own: () => Promise<SignedRequest>,
  other: () => Promise<SignedRequest>,
  inRound = requestsPerRound,
) {
  const rates: [own: number, other: number][] = [];
  const rate = async (make: () => Promise<SignedRequest>) => {
    const requests = await Promise.all(Array.from({ length: inRound }, make));
    const before = performance.now();
    await Promise.all(requests.map(exchange));
    return (requests.length / (performance.now() - before)) * 1000;
  };
  for (let round = -3; round < rounds; round += 1) {
    const pair: [number, number] = [await rate(own), await rate(other)];
    if (round >= 0) rates.push(pair);
  }
  return {
    figure: median(rates.map(([first]) => first)),
    ratio: median(rates.map(([first, second]) => first / second)),
  };
}

/** The body of an upload of a document of this size. */
function documentOf(sizeBytes: number): string {
  const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(sizeBytes - 9)]);
  return JSON.stringify({
    FileName: 'a.pdf',
    ContentType: 'application/pdf',
    ContentBase64: content.toString('base64'),
  });
}

/**
 * Bytes by which the service's resident memory grows at most while a document passes through; Linux
 * only.
 */
async function memoryGrowth({ pid, baseUrl }: RunningService, insurer: Partner) {
  const growth = { up: 0, down: 0 };
  if (!existsSync(`/proc/${pid}/clear_refs`)) return growth;
  const memory = (name: string) => {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  };
  const measured = async (name: keyof typeof growth, request: SignedRequest) => {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    const before = memory('VmRSS');
    const start = await exchange(request);
    growth[name] = Math.max(growth[name], memory('VmHWM') - before);
    return start;
  };
  const claims = await insurer.request('GET', '/v1/insurers/claims?size=1');
  const { Items } = z.object({ Items: z.array(idSchema).length(1) }).parse(claims.json);
  const url = `${baseUrl}/v1/insurers/claims/${Items[0]?.Id}/documents`;
  const body = documentOf(documentBytes);
  for (let round = 0; round < 3; round += 1) {
    const upload = await signed(insurer, 'POST', url);
    const headers = { ...upload.headers, 'content-type': 'application/json' };
    const document = await measured('up', { ...upload, headers, body });
    const { Id: id } = idSchema.parse(JSON.parse(document));
    await measured('down', await signed(insurer, 'GET', `${url}/${id}`));
  }
  return growth;
}

const [, , role, ...files] = process.argv;
if (role === 'peers') await servePeers(files[0] ?? '', files[1] ?? '', files[2] ?? '');
else await measureAll();
