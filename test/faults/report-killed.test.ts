import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '#main/engine/engine.ts';
import { createSessionVault } from '#main/engine/keys/vault.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { endsWithTests } from '../support/children.ts';
import { seededRandom } from '../main/engine/support/seeded-random.ts';
import { sharePractice } from '../main/engine/support/test-engine.ts';
import { faultLog } from '../support/fault-log.ts';
import { smokeOrLong, testLimitMs } from '../support/long.ts';
import { root, temporaryFolder } from '../support/processes.ts';
import { makePlainJpeg } from '../support/sample-files.ts';
import { makeDocx, paragraph, placedPicturesOf, textsOf } from '../support/word-documents.ts';
import {
  type ReportPlan,
  reportSignSchema,
  type ReportStep,
  reportSteps,
} from './support/report-plan.ts';

/** Kills of each step: at its beginning, then at random moments after that. */
const runs = smokeOrLong(1, 15);
const latestMs = 400;
const timeout = smokeOrLong(testLimitMs, 900_000);
/** Before the document is stored, and when what Word saved is not taken yet. */
const steps = smokeOrLong<readonly ReportStep[]>(['filling', 'saved'], reportSteps);
const random = seededRandom(Number(process.env['FAULT_SEED'] ?? 1));

const { connection } = sharePractice();
const folder = temporaryFolder();
const at = (...names: string[]) => join(folder.path, ...names);
const secrets = new Map<string, string>();
const caption = 'Delle vorne links';
const body = paragraph('{case.key}') + paragraph('{#photos}{photo}{number} {caption}{/photos}');
let plan: ReportPlan;
let key = '';

beforeAll(async () => {
  const desk = await openDesk(at('before'));
  await desk.workspaces.connect(connection());
  await desk.sync.run({ documents: 'none' });
  const [found] = (await desk.cases.list({ status: 'InProgress' })).items;
  key = found?.externalKey ?? '';
  const { id: draftId } = await desk.reports.createDraft({ id: found?.id ?? '' });
  const photo = Readable.from([makePlainJpeg(1600, 1200, [200, 40, 40])]);
  const { id: attachmentId } = await desk.files.addAttachment(draftId, {
    fileName: 'front.jpg',
    content: photo,
    isSeen: true,
  });
  await desk.reports.updateAttachment({ draftId, attachmentId, details: { caption } });
  await desk.reports.updateDraft({ draftId, comment: 'Typed before' });
  const template = { fileName: 'Report.docx', content: Readable.from([makeDocx(body)]) };
  const templateId = (await desk.files.addTemplate(template)).template?.id ?? '';
  await desk.close();
  writeFileSync(at('saved.docx'), makeDocx(paragraph('Saved in Word')));
  const savedFile = at('saved.docx');
  plan = { home: '', secrets: Object.fromEntries(secrets), draftId, templateId, savedFile };
});
afterAll(folder.remove);

const openDesk = (home: string): Promise<Engine> =>
  openEngine({
    home,
    vault: { ...createSessionVault(secrets), kind: 'passphrase' },
    clock: systemClock,
    random: systemRandom,
    log: faultLog,
  });

/** In the place of LibreOffice: it begins, and does not end while the test runs. */
function neverEndingOffice(dir: string) {
  mkdirSync(dir);
  const note = join(dir, 'started');
  const lasts = `while kill -0 ${String(process.pid)} && [ -e ${dir} ]; do sleep 1; done`;
  const script = `#!/bin/sh\necho $$ > ${note}.new; mv ${note}.new ${note}; ${lasts}\n`;
  writeFileSync(join(dir, 'soffice'), script, { mode: 0o755 });
  const watcher = watch(dir);
  return {
    async started(): Promise<number> {
      while (!existsSync(note)) await once(watcher, 'change');
      return Number(readFileSync(note, 'utf8'));
    },
    close: () => watcher.close(),
  };
}

/** Runs a desk until a step begins, and kills it after that time. */
async function killIn(home: string, step: ReportStep, afterMs: number): Promise<void> {
  const planFile = `${home}.json`;
  writeFileSync(planFile, JSON.stringify({ ...plan, home }));
  const programs = `${home}-programs`;
  const office = neverEndingOffice(programs);
  const worker = join(root, 'test/faults/support/report-worker.ts');
  const child = endsWithTests(
    spawn(process.execPath, [worker, planFile], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}` },
    }),
  );
  const ended = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    if (reportSignSchema.parse(JSON.parse(line)).step !== step) continue;
    const program = step === 'making' ? await office.started() : null;
    if (program === null) await setTimeout(afterMs);
    child.kill('SIGKILL');
    if (program !== null) process.kill(program, 'SIGKILL');
  }
  await ended;
  office.close();
  expect(child.signalCode).toBe('SIGKILL');
}

const isAfter = (step: ReportStep, other: ReportStep) =>
  reportSteps.indexOf(step) >= reportSteps.indexOf(other);

async function bytesOf(desk: Engine, attachmentId: string): Promise<Buffer> {
  const { stream } = await desk.files.openAttachment(plan.draftId, attachmentId);
  return await buffer(stream);
}

/** Whether the program had saved the document, which lies in a folder of the desk. */
function isSaved(home: string): boolean {
  const dir = join(home, 'opened-reports');
  if (!existsSync(dir)) return false;
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const saved = readFileSync(plan.savedFile);
  return names.some(
    (name) => name.endsWith('.docx') && readFileSync(join(dir, name)).equals(saved),
  );
}

/** What must be there when a desk has been opened again. */
/** What Word saved reaches the draft once the desk has looked at the folder. */
async function expectSaved(content: () => Promise<Uint8Array>): Promise<void> {
  const texts = async () => textsOf(await content());
  await expect.poll(texts).toEqual(['Saved in Word']);
}

async function expectFilled(content: () => Promise<Uint8Array>): Promise<void> {
  const bytes = await content();
  expect(textsOf(bytes)).toEqual([key, `1 ${caption}`]);
  expect(placedPicturesOf(bytes)).toHaveLength(1);
}

async function expectNothingLost(
  desk: Engine,
  { step, hasSaved }: { step: ReportStep; hasSaved: boolean },
): Promise<void> {
  const { draftId } = plan;
  const read = async () => {
    const { comment, attachments } = await desk.reports.getDraft({ draftId });
    const photo = attachments.find(({ fileName }) => fileName === 'front.jpg');
    const others = attachments.filter((file) => file !== photo);
    return { comment, caption: photo?.details.caption, others };
  };
  const { others, ...typed } = await read();
  expect(typed).toEqual({ comment: 'Typed before', caption });
  const [document] = others;
  expect(others).toHaveLength(isAfter(step, 'filled') || document ? 1 : 0);
  if (!document) return;
  await (hasSaved ? expectSaved : expectFilled)(() => bytesOf(desk, document.id));
  expect((await read()).others.map(({ id }) => id)).toEqual([document.id]);
}

const plaintext = (home: string) =>
  ['opened', 'opened-reports'].flatMap((name) =>
    existsSync(join(home, name))
      ? readdirSync(join(home, name), { recursive: true, encoding: 'utf8' })
      : [],
  );

describe.skipIf(process.platform === 'win32')('a desk that writes a report and is killed', () => {
  it.each(steps)('loses nothing at the step: %s', { timeout }, async (step) => {
    for (let run = 0; run < runs; run += 1) {
      const home = at(`${step}-${run}`);
      cpSync(at('before'), home, { recursive: true });
      await killIn(home, step, run === 0 ? 0 : random() * latestMs);
      const hasSaved = isSaved(home);
      expect(hasSaved || !isAfter(step, 'saved')).toBe(true);
      const desk = await openDesk(home);
      await expectNothingLost(desk, { step, hasSaved });
      // The copies of a PDF that was being made are removed by the start.
      expect(existsSync(join(home, 'opened'))).toBe(false);
      const { attachments } = await desk.templates.fill({
        draftId: plan.draftId,
        templateId: plan.templateId,
      });
      expect(textsOf(await bytesOf(desk, attachments[0]?.id ?? ''))[0]).toBe(key);
      await desk.close();
      expect(plaintext(home)).toEqual([]);
      rmSync(home, { recursive: true });
    }
  });
});
