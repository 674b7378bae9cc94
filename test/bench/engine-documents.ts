/**
 * `npm run bench -- engine`: what a document of 50 MB takes of the desk's memory, up and down. The
 * desk runs from this very file, in a separate process that measures itself; the service in
 * another.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openEngine } from '#main/engine/open-engine.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { createPartner } from '../main/service/support/partner.ts';
import { createMemoryVault } from '../support/desk-in-process.ts';
import { startService, temporaryFolder } from '../support/processes.ts';
import { printFigure } from './figures.ts';
import { faultLog } from '../support/fault-log.ts';

const rounds = 3;
const documentBytes = 50 * 1024 * 1024;
const fileName = 'large.jpg';
const party = z.object({
  organizationId: z.string(),
  clientId: z.string(),
  privateKeyPem: z.string(),
});

async function startBoth(): Promise<void> {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'service');
  mkdirSync(dataDir);
  const service = await startService({
    dataDir,
    args: ['--demo', '120', '--limits', 'off', '--port', '0'],
  });
  try {
    // Made here, so that the desk's memory is what the desk needs. No PDF, whose text would be read
    // in a thread with its own memory (decision 18).
    const jpeg = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), randomBytes(documentBytes - 4)]);
    writeFileSync(join(folder.path, fileName), jpeg);
    const insurer = await createPartner(service.credentials.insurer, service.baseUrl);
    const claims = await insurer.request(
      'GET',
      `/v1/insurers/claims?status=Accepted&size=${rounds}`,
    );
    const { Items } = z.object({ Items: z.array(z.object({ Id: z.string() })) }).parse(claims.json);
    for (const { Id } of Items) {
      await insurer.request('POST', `/v1/insurers/claims/${Id}/documents`, {
        body: {
          FileName: fileName,
          ContentType: 'image/jpeg',
          ContentBase64: jpeg.toString('base64'),
        },
      });
    }
    const args = [import.meta.filename, folder.path, service.credentialsPath];
    await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'close');
  } finally {
    await service.stop();
    folder.remove();
  }
}

/** By how many MB the resident memory grew at its most during a task (Linux). */
async function growthDuring(task: () => Promise<unknown>): Promise<number> {
  const memory = (name: 'VmRSS' | 'VmHWM') => {
    const status = readFileSync('/proc/self/status', 'latin1');
    return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  };
  writeFileSync('/proc/self/clear_refs', '5');
  const before = memory('VmRSS');
  await task();
  return memory('VmHWM') - before;
}

async function moveDocuments(dir: string, credentialsFile: string): Promise<void> {
  const { baseUrl, audience, expert } = z
    .object({ baseUrl: z.string(), audience: z.string(), expert: party })
    .parse(JSON.parse(readFileSync(credentialsFile, 'utf8')));
  const unlimited = { capacity: 10_000, refillPerMinute: 600_000 };
  const engine = await openEngine({
    home: join(dir, 'home'),
    vault: createMemoryVault(),
    policy: { limits: { standard: unlimited, documents: unlimited } },
    clock: systemClock,
    random: systemRandom,
    log: faultLog,
  });
  await engine.workspaces.connect({
    baseUrl,
    audience,
    clientId: expert.clientId,
    privateKey: expert.privateKeyPem,
  });
  await engine.sync.run({ documents: 'none' });
  const { items } = await engine.cases.list({ status: 'Accepted', limit: rounds });
  if (items.length < rounds) throw new Error('too few cases to report on');

  const down: number[] = [];
  for (const { id: caseId } of items) {
    const documents = await engine.documents.list({ id: caseId, refresh: true });
    const documentId = documents.items.find((document) => document.fileName === fileName)?.id ?? '';
    down.push(await growthDuring(() => engine.documents.fetch({ caseId, documentId })));
  }
  const up: number[] = [];
  for (const { id } of items) {
    const content = createReadStream(join(dir, fileName));
    await engine.makeReport(id, { comment: '', submit: true, files: [{ fileName, content }] });
    up.push(await growthDuring(() => engine.sync.run({ documents: 'none' })));
  }
  await engine.close();
  for (const { way, grown, limit } of [
    { way: 'up', grown: up, limit: 32 },
    { way: 'down', grown: down, limit: 48 },
  ]) {
    printFigure({
      what: `50 MB document ${way}: growth of the desk's peak resident memory`,
      figure: Math.max(...grown),
      unit: 'MB',
      limit,
    });
  }
}

const [, , dir, credentialsFile] = process.argv;
if (process.argv[1] === import.meta.filename && dir && credentialsFile) {
  await moveDocuments(dir, credentialsFile);
} else await startBoth();
