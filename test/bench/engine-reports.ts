/**
 * `npm run bench -- engine`: what a report with forty photographs takes to be filled. The desk runs
 * from this very file, in a separate process; the service in another.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { openEngine } from '#main/engine/open-engine.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { createMemoryVault } from '../support/desk-in-process.ts';
import { faultLog } from '../support/fault-log.ts';
import { startService, temporaryFolder } from '../support/processes.ts';
import { makeDetailedJpeg } from '../support/sample-files.ts';
import { makeDocx, table } from '../support/word-documents.ts';
import { printFigure } from './figures.ts';

const photos = 40;
const photoName = 'photo.jpg';
const megabyte = 1024 * 1024;
const credentialsSchema = z.object({
  baseUrl: z.string(),
  audience: z.string(),
  expert: z.object({ clientId: z.string(), privateKeyPem: z.string() }),
});

async function startBoth(): Promise<void> {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'service');
  mkdirSync(dataDir);
  const service = await startService({
    dataDir,
    args: ['--demo', '40', '--limits', 'off', '--port', '0'],
  });
  try {
    // Made here, so that the desk's memory is what the desk needs.
    writeFileSync(join(folder.path, photoName), makeDetailedJpeg(2400, 1800));
    const args = [import.meta.filename, folder.path, service.credentialsPath];
    await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'close');
  } finally {
    await service.stop();
    folder.remove();
  }
}

async function openDesk(dir: string, credentialsFile: string) {
  const { baseUrl, audience, expert } = credentialsSchema.parse(
    JSON.parse(readFileSync(credentialsFile, 'utf8')),
  );
  const engine = await openEngine({
    home: join(dir, 'home'),
    vault: createMemoryVault(),
    policy: {},
    clock: systemClock,
    random: systemRandom,
    log: faultLog,
  });
  await engine.workspaces.connect({
    ...{ baseUrl, audience },
    ...{ clientId: expert.clientId, privateKey: expert.privateKeyPem },
  });
  await engine.sync.run({ documents: 'none' });
  return engine;
}

/** The peak of the process's resident memory since the last reset (Linux). */
function peakMb(): number {
  const status = readFileSync('/proc/self/status', 'latin1');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** Another photo: it differs in what would be its colour profile. */
function withProfile(jpeg: Buffer, number: number): Buffer {
  const profile = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), Buffer.alloc(4)]);
  profile.writeUInt32BE(number, 14);
  const head = Buffer.from([0xff, 0xe2, 0, profile.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, profile, jpeg.subarray(2)]);
}

async function fillReport(dir: string, credentialsFile: string): Promise<void> {
  const engine = await openDesk(dir, credentialsFile);
  const { items } = await engine.cases.list({ status: 'InProgress', limit: 1 });
  const draft = await engine.reports.createDraft({ id: items[0]?.id ?? '' });
  const photo = readFileSync(join(dir, photoName));
  for (let number = 1; number <= photos; number += 1) {
    const content = Readable.from([withProfile(photo, number)]);
    const file = { fileName: `${number}.jpg`, content, isSeen: true };
    await engine.files.addAttachment(draft.id, file);
  }
  const docx = makeDocx(table(['{#photos}{photo}', '{number} {caption}{/photos}']));
  const content = Readable.from([docx]);
  const { template } = await engine.files.addTemplate({ fileName: 'Report.docx', content });
  const ids = [template?.id ?? '', 'desk:report.vehicle.en.docx'];
  const size = `${photos} photographs of 2400 x 1800 pixels and ${Math.round(photo.length / 1024)} KB`;
  for (const [at, templateId] of ids.entries()) {
    const what = `report with ${size}, ${at === 0 ? 'one in a row' : 'two in a row'}`;
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const startedAt = performance.now();
    delay.enable();
    const { attachments } = await engine.templates.fill({ draftId: draft.id, templateId });
    delay.disable();
    const seconds = (performance.now() - startedAt) / 1000;
    printFigure({ what: `${what}: filled`, figure: seconds, unit: 's', limit: 10 });
    // The document that was filled last is the first.
    const figure = (attachments[0]?.sizeBytes ?? NaN) / megabyte;
    printFigure({ what: `${what}: document`, figure, unit: 'MB', limit: 20 });
    const waitMs = delay.max / 1e6;
    printFigure({ what: `${what}: longest wait`, figure: waitMs, unit: 'ms', limit: 100 });
  }
  printFigure({
    what: `report with ${size}: peak memory of the desk`,
    figure: peakMb(),
    unit: 'MB',
    limit: 400,
  });
  await engine.close();
}

const [, , dir, credentialsFile] = process.argv;
if (process.argv[1] === import.meta.filename && dir && credentialsFile)
  await fillReport(dir, credentialsFile);
else await startBoth();
