import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { createPartner, sha256, type Partner } from '../main/service/support/partner.ts';
import { startService, temporaryFolder } from '../support/processes.ts';
import { s3Keys, startS3Server } from '../support/s3-server.ts';
import { median, printFigure } from './figures.ts';
import { leaveServiceItsCore, pinnedService, startCounterpart } from './pinned.ts';
import { createPayloads } from './sample-claims.ts';

const documentBytes = 50 * 1024 * 1024;
/** As base64. */
const sentBytes = (documentBytes * 4) / 3;
const rounds = 5;
/** What the bare server does with the same bytes. */
const hows = ['forgotten', 'kept'] as const;

/** Milliseconds of one request; its answer is read and, where it is short, given back. */
function transfer(
  method: 'GET' | 'POST',
  url: string,
  headers: Record<string, string>,
  body?: Buffer,
): Promise<{ ms: number; text: string; bytes: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    ms: number;
    text: string;
    bytes: number;
  }>();
  const before = performance.now();
  const outgoing = request(
    url,
    { method, headers: { ...headers, ...(body && { 'content-length': body.length }) } },
    (incoming) => {
      let bytes = 0;
      let text = '';
      incoming.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes < 100_000) text += piece.toString('latin1');
      });
      incoming.on('error', reject);
      incoming.on('end', () => {
        if ((incoming.statusCode ?? 500) < 300) {
          resolve({ ms: performance.now() - before, text, bytes });
        } else reject(new Error(`${method} ${url}: ${incoming.statusCode} ${text}`));
      });
    },
  );
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}

/** Resident memory of a process in bytes, now and at its most since `forgetPeak`; Linux only. */
function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const bytes = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}

function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

async function headersFor(partner: Partner, method: string, url: string) {
  const token = await partner.token();
  return {
    authorization: `DPoP ${token}`,
    dpop: await partner.proof(method, url, { ath: sha256(token) }),
    'content-type': 'application/json',
  };
}

/** Documents of a service that keeps them in its store or in a bucket. */
async function measure(
  place: 'store' | 'bucket',
  bareUrl: string,
  args: readonly string[],
): Promise<void> {
  const dataDir = join(folder.path, place);
  mkdirSync(dataDir);
  const service = await startService({
    dataDir,
    args: ['--limits', 'off', ...args],
    program: pinnedService,
  });
  closers.push(() => service.kill());

  const insurer = await createPartner(service.credentials.insurer, service.baseUrl);
  const claim = await insurer.request('POST', '/v1/insurers/claims', {
    body: { Category: 'special', PayloadJson: createPayloads(4)(1, 4096) },
  });
  const { Id: claimId } = z.object({ Id: z.string() }).parse(claim.json);
  const documentsUrl = `${service.baseUrl}/v1/insurers/claims/${claimId}/documents`;
  const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(documentBytes - 9)]);
  const upload = Buffer.from(
    `{"FileName":"a.pdf","ContentType":"application/pdf","ContentBase64":"${content.toString('base64')}"}`,
  );

  const times = { up: [] as number[], down: [] as number[] };
  const raw = {
    forgotten: { up: [] as number[], down: [] as number[] },
    kept: { up: [] as number[], down: [] as number[] },
  };
  const growth = { up: [] as number[], down: [] as number[] };
  const hasMemory = existsSync(`/proc/${service.pid}/clear_refs`);
  const measured = async (name: 'up' | 'down', task: () => Promise<{ ms: number }>) => {
    if (hasMemory) forgetPeak(service.pid);
    const before = hasMemory ? memoryOf(service.pid).now : NaN;
    times[name].push((await task()).ms);
    growth[name].push((hasMemory ? memoryOf(service.pid).peak : NaN) - before);
  };
  for (let round = 0; round < rounds; round += 1) {
    let documentId = '';
    await measured('up', async () => {
      const headers = await headersFor(insurer, 'POST', documentsUrl);
      const answer = await transfer('POST', documentsUrl, headers, upload);
      documentId = z.object({ Id: z.string() }).parse(JSON.parse(answer.text)).Id;
      return answer;
    });
    for (const how of hows)
      raw[how].up.push((await transfer('POST', `${bareUrl}/${how}`, {}, upload)).ms);
    await measured('down', async () => {
      const url = `${documentsUrl}/${documentId}`;
      const answer = await transfer('GET', url, await headersFor(insurer, 'GET', url));
      if (answer.bytes < documentBytes) throw new Error('the document came back too short');
      return answer;
    });
    for (const how of hows) raw[how].down.push((await transfer('GET', `${bareUrl}/${how}`, {})).ms);
  }

  // The first of each direction counts most: memory that was taken once is used again.
  for (const name of ['up', 'down'] as const) {
    printFigure({
      what: `50 MB document ${name}, in the ${place}: growth of the service's peak resident memory`,
      figure: Math.max(...growth[name]) / 1024 / 1024,
      unit: 'MB',
      limit: 48,
      ratio: null,
    });
    // A bucket sees every byte a second time, and here it shares the sender's processor.
    if (place === 'bucket') continue;
    for (const how of hows) {
      const bare = how === 'kept' ? 'kept by a bare server in a file' : 'sent raw';
      printFigure({
        what: `50 MB document ${name}: time, in times of that of the same bytes, ${bare}`,
        figure: median(times[name]) / median(raw[how][name]),
        unit: 'times',
        limit: 1.5,
        ratio: null,
      });
    }
  }
}

leaveServiceItsCore();
const folder = temporaryFolder();
const closers: (() => unknown)[] = [];
try {
  const bare = await startCounterpart('bare-bytes.ts', [folder.path, String(sentBytes)]);
  closers.push(() => bare.stop());
  const { baseUrl: bareUrl } = z.object({ baseUrl: z.string() }).parse(bare.message);

  const storage = await startS3Server();
  closers.push(() => storage.close());
  process.env['AWS_ACCESS_KEY_ID'] = s3Keys.accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = s3Keys.secretAccessKey;

  await measure('store', bareUrl, []);
  await measure('bucket', bareUrl, ['--documents', storage.url]);
} finally {
  for (const close of closers.reverse()) await close();
  folder.remove();
}
