import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatAmount } from '#shared/i18n/format.ts';
import type { Engine } from '#main/engine/engine.ts';
import { createSessionVault } from '#main/engine/keys/vault.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { readPolicy } from '#main/shell/policy.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { endsWithTests } from '../support/children.ts';
import { seededRandom } from '../main/engine/support/seeded-random.ts';
import { faultLog } from '../support/fault-log.ts';
import { smokeOrLong, testLimitMs } from '../support/long.ts';
import { root } from '../support/processes.ts';
import { serviceFolderHere } from '../support/service-here.ts';
import { makePlainJpeg } from '../support/sample-files.ts';
import { openServerView, type ServerView } from '../support/server-view.ts';
import { makeDocx, paragraph, textsOf } from '../support/word-documents.ts';
import {
  type BatchPlan,
  batchSignSchema,
  type BatchStep,
  batchSteps,
  type BatchWay,
} from './support/batch-plan.ts';
import { giveBatch } from './support/give-batch.ts';

/** Kills of each step: at its beginning, then at random moments after that. */
const runs = smokeOrLong(1, 6);
const latestMs = 300;
const timeout = smokeOrLong(testLimitMs, 900_000);
type Kill = readonly [BatchWay, BatchStep];
const all: readonly Kill[] = [
  ...batchSteps.map((step) => ['folder', step] as const),
  ...batchSteps.flatMap((step) => (step === 'taking' ? [] : [['window', step] as const])),
];
const kills = smokeOrLong<readonly Kill[]>(
  [
    ['folder', 'made'],
    ['window', 'filling'],
  ],
  all,
);
/** Two with a photo, and one that only the sheet names. */
const casesOfBatch = 3;
const random = seededRandom(Number(process.env['FAULT_SEED'] ?? 1));

const folder = serviceFolderHere();
const secrets = new Map<string, string>();
let server: ServerView;
let cases: { id: string; key: string }[];
let templateId = '';

const openDesk = (home: string): Promise<Engine> =>
  openEngine({
    home,
    policy: readPolicy(process.env),
    vault: { ...createSessionVault(secrets), kind: 'passphrase' },
    clock: systemClock,
    random: systemRandom,
    log: faultLog,
  });

beforeAll(async () => {
  Object.assign(process.env, folder.ownLimits);
  const demo = String(60 + all.length * (runs - 1) * casesOfBatch * 4);
  const { credentials } = await folder.start('--demo', demo, '--limits', 'x1000');
  server = await openServerView(credentials);
  cases = (await server.cases())
    .filter(({ Status }) => Status === 'InProgress' || Status === 'Accepted')
    .map((one) => ({ id: String(one['Id']), key: String(one['ExternalKey']) }));
  const desk = await openDesk(folder.at('before'));
  const { baseUrl, audience, expert } = credentials;
  const { clientId, privateKeyPem: privateKey } = expert;
  await desk.workspaces.connect({ baseUrl, audience, clientId, privateKey });
  await desk.sync.run({ documents: 'none' });
  const content = Readable.from([makeDocx(paragraph('{case.key} {amounts.approved}'))]);
  const added = await desk.files.addTemplate({ fileName: 'Report.de.docx', content });
  templateId = added.template?.id ?? '';
  await desk.close();
});
afterAll(async () => {
  delete process.env['DESK_POLICY'];
  await folder.end();
});

/** A batch of the next cases, with a separate desk. */
async function prepare(way: BatchWay) {
  const chosen = cases.splice(0, casesOfBatch).map(async (one, index) => ({
    ...one,
    rappen: 12_300 + 100 * index,
    photos: index === casesOfBatch - 1 ? [] : [`${one.key} front.jpg`],
    before: new Set((await server.reports(one.id)).map(({ Id }) => Id)),
  }));
  const ofBatch = await Promise.all(chosen);
  expect(ofBatch).toHaveLength(casesOfBatch);
  const dir = folder.at(ofBatch[0]?.key ?? '');
  const files = join(dir, 'files');
  mkdirSync(files, { recursive: true });
  for (const name of ofBatch.flatMap(({ photos }) => photos))
    writeFileSync(join(files, name), makePlainJpeg(800, 600, [name.length, 40, 40]));
  const lines = ofBatch.map(({ key, rappen }) => `${key};${rappen / 100}`);
  const sheet = join(dir, 'sheet.csv');
  writeFileSync(sheet, ['externalKey;approvedAmount', ...lines, ''].join('\n'));
  const home = join(dir, 'home');
  cpSync(folder.at('before'), home, { recursive: true });
  const stored = Object.fromEntries(secrets);
  const plan: BatchPlan = { home, secrets: stored, way, folder: files, sheet, templateId };
  return { dir, plan, ofBatch };
}

/** Runs a desk until a step begins, and kills it after that time. */
async function killIn(dir: string, plan: BatchPlan, step: BatchStep, afterMs: number) {
  const planFile = join(dir, 'plan.json');
  writeFileSync(planFile, JSON.stringify(plan));
  const worker = join(root, 'test/faults/support/batch-worker.ts');
  const child = endsWithTests(
    spawn(process.execPath, [worker, planFile], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const ended = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    if (batchSignSchema.parse(JSON.parse(line)).step !== step) continue;
    await setTimeout(afterMs);
    child.kill('SIGKILL');
  }
  await ended;
  expect(child.signalCode).toBe('SIGKILL');
}

/** Each case has one report, with one document that was filled for its line, and its photos. */
async function expectEachOnce({ ofBatch }: Awaited<ReturnType<typeof prepare>>): Promise<void> {
  for (const { id, key, rappen, photos, before } of ofBatch) {
    const reports = (await server.reports(id)).filter(({ Id }) => !before.has(Id));
    expect(reports.map(({ Status }) => Status)).toEqual(['Submitted']);
    const contents = await server.contents(String(reports[0]?.['Id']));
    const document = `Report ${key}.docx`;
    expect([...contents.keys()].sort()).toEqual([document, ...photos].sort());
    expect(textsOf(contents.get(document) ?? Buffer.of())).toEqual([
      `${key} ${formatAmount(rappen, 'de')}`,
    ]);
    expect(await server.case(id)).toMatchObject({ ApprovedAmount: rappen / 100 });
  }
}

describe.skipIf(process.platform === 'win32')('a desk that fills a batch and is killed', () => {
  it.each(kills)('sends each case once and whole: by %s, at %s', { timeout }, async (way, step) => {
    for (let run = 0; run < runs; run += 1) {
      const batch = await prepare(way);
      await killIn(batch.dir, batch.plan, step, run === 0 ? 0 : random() * latestMs);
      const desk = await openDesk(batch.plan.home);
      await giveBatch(desk, batch.plan);
      expect((await desk.batch.get()).batch?.sheet ?? null).toBeNull();
      await expect.poll(async () => (await desk.sync.run({ documents: 'none' })).waiting).toBe(0);
      expect((await desk.reports.drafts()).items).toEqual([]);
      await desk.close();
      await expectEachOnce(batch);
      rmSync(batch.dir, { recursive: true });
    }
  });
});
