import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { zipSync } from 'fflate';
import { openPassphraseVault } from '#main/engine/keys/passphrase-vault.ts';
import type { Engine } from '#main/engine/engine.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { startPracticeService } from '#main/service/practice-thread.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { fileOf, passphrase, typed } from './released-home.ts';

/*
 * `node scripts/run.mjs test/support/released/make-home.ts` runs when a version is released, and
 * for 0.1.0 after each change of its steps until then. It creates a home of that version, with
 * unsent work of every kind.
 */

const folder = mkdtempSync(join(tmpdir(), 'released-'));
const home = join(folder, 'home');
const service = await startPracticeService({
  dataDir: join(folder, 'service'),
  storeKey: 'ef'.repeat(32),
  count: 4,
  seed: 1,
  language: 'de',
  limits: 1000,
});
const engine = await openEngine({
  home,
  vault: await openPassphraseVault(join(home, 'vault.json'), passphrase),
  clock: systemClock,
  random: systemRandom,
  log: { error: (fault) => process.stderr.write(`${JSON.stringify(fault)}\n`) },
});
try {
  const { baseUrl, audience, expert } = service;
  const credentials = { clientId: expert.clientId, privateKey: expert.privateKeyPem };
  await engine.workspaces.connect({ name: 'Insurer', baseUrl, audience, ...credentials });
  await engine.sync.run({ documents: 'none' });
  await engine.sync.setPaused({ paused: true });
  await work(engine);
} finally {
  await engine.close();
  await service.stop();
}
writeFileSync(fileOf(packageJson.version), zipSync(filesOf(home)));
rmSync(folder, { recursive: true });

async function work(desk: Engine): Promise<void> {
  const { items } = await desk.cases.list({ sort: 'externalKey', descending: false });
  const id = items.find(({ status }) => status === 'Accepted' || status === 'InProgress')?.id;
  if (id === undefined) throw new Error('no case takes work');
  await desk.cases.setComment({ id, text: typed.comment });
  await desk.cases.setAmounts({ id, approvedRappen: typed.approvedRappen });
  await addReport(desk, id, typed.queuedComment, true);
  await addReport(desk, id, typed.draftComment, false);
  await desk.edits.save({ id, estimate: typed.estimate });
  await desk.notes.set({ id, text: typed.note });
  await desk.day.setVisit({ id, ...typed.visit });
  await desk.day.setPlan({ day: '2026-12-01', order: [id] });
  await desk.own.mark({ ids: [id], own: true });
  await desk.own.setHandler({ ids: [id], name: typed.handler });
  const view = {
    filter: {},
    sort: 'approvedRappen',
    descending: true,
    columns: ['place'],
  } as const;
  await desk.views.save({ name: typed.view, ...view, columns: [...view.columns] });
  const { block } = typed;
  await desk.texts.save({
    blocks: [{ id: '9d0f5a52-7f0c-4f7e-8a3f-1a2b3c4d5e12', ...block }],
  });
  await desk.texts.tick({ id, entry: typed.tick, isDone: true });
  await desk.batch.announce({ files: [{ path: typed.batchFile, sizeBytes: 9 }] });
}

async function addReport(desk: Engine, caseId: string, comment: string, isQueued: boolean) {
  const { id } = await desk.reports.createDraft({ id: caseId });
  await desk.files.addAttachment(id, { fileName: 'report.txt', content: contentOf(comment) });
  await desk.reports.updateDraft({ draftId: id, comment });
  if (isQueued) await desk.reports.submitDraft({ draftId: id });
}

async function* contentOf(text: string) {
  yield await Promise.resolve(Buffer.from(text));
}

/** Returns the files of a folder by name, without locks, logs and copies of other files. */
function filesOf(root: string): Record<string, Uint8Array> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const wanted = names
    .filter((name) => statSync(join(root, name)).isFile())
    .filter((name) => !/(^|\/)(backups|logs)\/|\.log$|(^|\/)lock$/.test(name));
  return Object.fromEntries(
    wanted.map((name) => [relative('.', name), readFileSync(join(root, name))]),
  );
}
