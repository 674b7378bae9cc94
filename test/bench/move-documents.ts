/**
 * A desk that uploads and downloads 50 MB and then rests, in a process of its own: started by
 * engine-documents.ts with a folder and the service's credentials.
 */
import { once } from 'node:events';
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import { openEngine } from '#main/engine/open-engine.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { createPartner, sha256, type Partner } from '../main/service/support/partner.ts';
import { createMemoryVault } from '../support/desk-in-process.ts';
import { median, printFigure } from './figures.ts';

const rounds = 3;
/** A third of a second each, of which one in three has something of the system's in it. */
const downloads = 9;
const idleMs = 60_000;
/** Without a request for so long a round is over. */
const quietMs = 5000;
const [, , dir = '', credentialsFile = ''] = process.argv;
const party = z.object({
  organizationId: z.string(),
  clientId: z.string(),
  privateKeyPem: z.string(),
});
const { baseUrl, audience, expert, insurer } = z
  .object({ baseUrl: z.string(), audience: z.string(), expert: party, insurer: party })
  .parse(JSON.parse(readFileSync(credentialsFile, 'utf8')));
const idSchema = z.object({ Id: z.string() });

function memory(name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync('/proc/self/status', 'latin1');
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

/** By how many MB the resident memory grew at its most during a task. */
async function growthDuring(task: () => Promise<unknown>): Promise<number> {
  writeFileSync('/proc/self/clear_refs', '5');
  const before = memory('VmRSS');
  await task();
  return memory('VmHWM') - before;
}

/** Until no request is sent any more and the texts of what was fetched are read. */
async function rest(): Promise<void> {
  for (let count = -1; count < requests.length;) {
    count = requests.length;
    await after(quietMs);
  }
  await engine.readTexts();
}

/** When each request of the desk began, and how long it took, ms. */
const requests: { operation: string; startedAt: number; durationMs: number }[] = [];
const unlimited = { capacity: 10_000, refillPerMinute: 600_000 };
const engine = await openEngine({
  log: ({ operation, durationMs }) =>
    requests.push({ operation, startedAt: performance.now() - durationMs, durationMs }),
  home: join(dir, 'home'),
  vault: createMemoryVault(),
  policy: { limits: { standard: unlimited, documents: unlimited } },
  clock: systemClock,
  random: systemRandom,
});
await engine.workspaces.connect({
  baseUrl,
  audience,
  clientId: expert.clientId,
  privateKey: expert.privateKeyPem,
});
await engine.sync.run({ documents: 'none' });
const asExpert = await createPartner(expert, baseUrl, { audience, publicUrl: baseUrl });
const asInsurer = await createPartner(insurer, baseUrl, { audience, publicUrl: baseUrl });
const open = await Promise.all(
  (['Accepted', 'InProgress'] as const).map((status) => engine.cases.list({ status, limit: 10 })),
);
const [beside, ...cases] = open.flatMap(({ items }) => items.map(({ id }) => id));
if (beside === undefined || cases.length <= 2 * rounds)
  throw new Error('too few cases to report on');

interface Raw {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Buffer;
}

/** Sends what is signed before. */
async function sendRaw(
  partner: Partner,
  { method, path, body }: Raw,
): Promise<{ ms: number; text: string }> {
  const token = await partner.token();
  const headers = {
    authorization: `DPoP ${token}`,
    dpop: await partner.proof(method, baseUrl + path, { ath: sha256(token) }),
    ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
  };
  const start = performance.now();
  const outgoing = request(baseUrl + path, { method, headers });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  if ((incoming.statusCode ?? 500) >= 300) throw new Error(`raw: ${incoming.statusCode}`);
  const text = await forget(incoming);
  return { ms: performance.now() - start, text };
}

/** The answer's beginning; the rest is forgotten as it comes. */
async function forget(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const bytes of incoming as AsyncIterable<Buffer>) {
    if (text.length < 1000) text += bytes.toString('latin1').slice(0, 1000);
  }
  return text;
}

const file = join(dir, 'large.jpg');
const uploadOf = (fileName: string) =>
  Buffer.from(
    JSON.stringify({
      FileName: fileName,
      ContentType: 'image/jpeg',
      ContentBase64: readFileSync(file).toString('base64'),
    }),
  );

/** Sets an amount of another case as soon as the upload is seen to move; when that was. */
async function setAmountMeanwhile(signal: AbortSignal, round: number): Promise<number> {
  for await (const event of engine.events(signal)) {
    if (event.type !== 'queue.progress') continue;
    const setAt = performance.now();
    await engine.cases.setAmounts({ id: beside ?? '', costEstimateAmount: 1000 + round });
    return setAt;
  }
  throw new Error('the upload was over before an amount could be set');
}

/** Lets what waits go out; resolves when the report's last request was answered. */
async function deliverReport(): Promise<void> {
  const events = engine.events();
  await engine.sync.setPaused({ paused: false });
  for await (const event of events) {
    if (event.type !== 'queue.changed' || event.item.kind !== 'report') continue;
    if (event.item.state === 'delivered') return;
  }
}

const createTimes = () => ({ ms: [] as number[], rawMs: [] as number[] });
const lastOf = (operation: string) =>
  requests.findLast((one) => one.operation === operation) ?? { startedAt: NaN, durationMs: NaN };

const up = { grown: [] as number[], ...createTimes() };
const draft = await asExpert.request(
  'POST',
  `/v1/experts/cases/${cases[rounds] ?? ''}/reports:draft`,
  {
    body: { Comment: 'raw' },
  },
);
const draftPath = `/v1/experts/reports/${idSchema.parse(draft.json).Id}/documents`;
const addReport = (caseId = '') =>
  engine.makeReport(caseId, {
    comment: '',
    submit: true,
    files: [{ fileName: 'large.jpg', content: createReadStream(file) }],
  });
// Before texts of documents are read, and the memory that takes is had already.
for (let round = 0; round < rounds; round += 1) {
  await addReport(cases[round]);
  up.grown.push(await growthDuring(() => engine.sync.run({ documents: 'none' })));
  up.ms.push(lastOf('X13').durationMs);
}
// Afterwards: what these hold in memory would hide what the desk takes.
for (let round = 0; round < rounds; round += 1) {
  const raw: Raw = { method: 'POST', path: draftPath, body: uploadOf(`${round}.jpg`) };
  up.rawMs.push((await sendRaw(asExpert, raw)).ms);
}

const down = createTimes();
for (let round = 0; round < downloads; round += 1) {
  const path = `/v1/insurers/claims/${beside}/documents`;
  const body = uploadOf(`${round}.jpg`);
  const { text } = await sendRaw(asInsurer, { method: 'POST', path, body });
  const { Id: documentId } = idSchema.parse(JSON.parse(text));
  await engine.documents.list({ id: beside, refresh: true });
  const start = performance.now();
  await engine.documents.fetch({ caseId: beside, documentId });
  down.ms.push(performance.now() - start);
  const at = `/v1/experts/cases/${beside}/documents/${documentId}`;
  down.rawMs.push((await sendRaw(asExpert, { method: 'GET', path: at })).ms);
}

// It begins with a round that fetches what is due; from then on an act goes out by itself.
engine.startSchedule();
await rest();
const actMs: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  await engine.sync.setPaused({ paused: true });
  await addReport(cases[rounds + 1 + round]);
  const over = new AbortController();
  const amountSet = setAmountMeanwhile(over.signal, round);
  await deliverReport();
  over.abort();
  actMs.push(lastOf('X4').startedAt - (await amountSet));
}

await rest();
const sentBefore = requests.length;
const usedBefore = process.cpuUsage();
await after(idleMs);
const used = process.cpuUsage(usedBefore);
const sent = requests.slice(sentBefore).map(({ operation }) => operation);
await engine.close();

printFigure({
  what: "50 MB document up: growth of the desk's peak resident memory",
  figure: Math.max(...up.grown),
  unit: 'MB',
  limit: 32,
});
for (const [name, { ms, rawMs }] of Object.entries({ up, down })) {
  printFigure({
    what: `50 MB document ${name}: time, in times of that of the same bytes sent raw (${Math.round(median(rawMs))} ms)`,
    figure: median(ms) / median(rawMs),
    unit: 'times',
    limit: 1.5,
  });
}
printFigure({
  what: 'an amount set during the upload: until its request is on its way',
  figure: Math.max(...actMs),
  unit: 'ms',
  limit: 1000,
});
printFigure({
  what: `idle for a minute with the schedule on (requests: ${sent.join(' ') || 'none'})`,
  figure: ((used.user + used.system) / 1000 / idleMs) * 100,
  unit: '% of a core',
  limit: 0.5,
});
