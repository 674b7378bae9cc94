/**
 * `npm run bench -- engine`: what a report with forty photographs takes to be filled.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import type { Engine } from '#main/engine/engine.ts';
import { makeDetailedJpeg } from '../support/sample-files.ts';
import { makeDocx, table } from '../support/word-documents.ts';
import { benchApart, memoryMb } from './desk-apart.ts';
import { printFigure } from './figures.ts';

const photos = 40;
const photoName = 'photo.jpg';
const megabyte = 1024 * 1024;

/** Another photo: it differs in what would be its colour profile. */
function withProfile(jpeg: Buffer, number: number): Buffer {
  const profile = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), Buffer.alloc(4)]);
  profile.writeUInt32BE(number, 14);
  const head = Buffer.from([0xff, 0xe2, 0, profile.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, profile, jpeg.subarray(2)]);
}

async function fillReport(dir: string, desk: Engine): Promise<void> {
  const { items } = await desk.cases.list({ status: 'InProgress', category: 'vehicle', limit: 1 });
  const draft = await desk.reports.createDraft({ id: items[0]?.id ?? '' });
  const photo = readFileSync(join(dir, photoName));
  for (let number = 1; number <= photos; number += 1) {
    const content = Readable.from([withProfile(photo, number)]);
    const file = { fileName: `${number}.jpg`, content, isSeen: true };
    await desk.files.addAttachment(draft.id, file);
  }
  const docx = makeDocx(table(['{#photos}{photo}', '{number} {caption}{/photos}']));
  const content = Readable.from([docx]);
  const { template } = await desk.files.addTemplate({ fileName: 'Report.docx', content });
  const ids = [template?.id ?? '', 'desk:report.vehicle.en.docx'];
  const size = `${photos} photographs of 2400 x 1800 pixels and ${Math.round(photo.length / 1024)} KB`;
  for (const [at, templateId] of ids.entries()) {
    const what = `report with ${size}, ${at === 0 ? 'one in a row' : 'two in a row'}`;
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const startedAt = performance.now();
    delay.enable();
    const { attachments } = await desk.templates.fill({ draftId: draft.id, templateId });
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
    figure: memoryMb('VmHWM'),
    unit: 'MB',
    limit: 400,
  });
}

await benchApart({
  file: import.meta.filename,
  cases: 40,
  prepare: (dir) => writeFileSync(join(dir, photoName), makeDetailedJpeg(2400, 1800)),
  measure: fillReport,
});
