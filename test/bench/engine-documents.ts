/**
 * `npm run bench -- engine`: what a document of 50 MB takes of the desk's memory, up and down.
 */
import { randomBytes } from 'node:crypto';
import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Engine } from '#main/engine/engine.ts';
import { createPartner } from '../main/service/support/partner.ts';
import type { RunningService } from '../support/processes.ts';
import { benchApart, memoryMb } from './desk-apart.ts';
import { printFigure } from './figures.ts';

const rounds = 3;
const documentBytes = 50 * 1024 * 1024;
const fileName = 'large.jpg';

async function sendDocuments(dir: string, service: RunningService): Promise<void> {
  // Made here, so that the desk's memory is what the desk needs. No PDF, whose text would be read
  // in a thread with its own memory (decision 18).
  const jpeg = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), randomBytes(documentBytes - 4)]);
  writeFileSync(join(dir, fileName), jpeg);
  const insurer = await createPartner(service.credentials.insurer, service.baseUrl);
  const claims = await insurer.request('GET', `/v1/insurers/claims?status=Accepted&size=${rounds}`);
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
}

/** By how many MB the resident memory grew at its most during a task (Linux). */
async function growthDuring(task: () => Promise<unknown>): Promise<number> {
  writeFileSync('/proc/self/clear_refs', '5');
  const before = memoryMb('VmRSS');
  await task();
  return memoryMb('VmHWM') - before;
}

async function moveDocuments(dir: string, desk: Engine): Promise<void> {
  const { items } = await desk.cases.list({ status: 'Accepted', limit: rounds });
  if (items.length < rounds) throw new Error('too few cases to report on');

  const down: number[] = [];
  for (const { id: caseId } of items) {
    const documents = await desk.documents.list({ id: caseId, refresh: true });
    const documentId = documents.items.find((document) => document.fileName === fileName)?.id ?? '';
    down.push(await growthDuring(() => desk.documents.fetch({ caseId, documentId })));
  }
  const up: number[] = [];
  for (const { id } of items) {
    const content = createReadStream(join(dir, fileName));
    await desk.makeReport(id, { comment: '', submit: true, files: [{ fileName, content }] });
    up.push(await growthDuring(() => desk.sync.run({ documents: 'none' })));
  }
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

await benchApart({
  file: import.meta.filename,
  cases: 120,
  prepare: sendDocuments,
  measure: moveDocuments,
});
