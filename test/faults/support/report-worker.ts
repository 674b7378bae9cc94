/**
 * A desk in a separate process, to be killed: fills a template, gives the document to a program,
 * which saves it, and makes its PDF. It prints a line as each step begins.
 */
import { cpSync, readFileSync, renameSync } from 'node:fs';
import type { Engine } from '#main/engine/engine.ts';
import { createSessionVault } from '#main/engine/keys/vault.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { faultLog } from '../../support/fault-log.ts';
import { reportPlanSchema, type ReportStep } from './report-plan.ts';

const plan = reportPlanSchema.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
const { draftId, templateId } = plan;
const begin = (step: ReportStep) => process.stdout.write(`${JSON.stringify({ step })}\n`);

/** Until the document in the draft is the one that was saved. */
async function takenBack(engine: Engine, attachmentId: string): Promise<void> {
  const isTaken = async () => {
    const { attachments } = await engine.reports.getDraft({ draftId });
    const document = attachments.find(({ id }) => id === attachmentId);
    return typeof document?.details.filled?.savedAt === 'string';
  };
  for await (const { type } of engine.events())
    if (type === 'reports.changed' && (await isTaken())) return;
}

let copy = '';
const engine = await openEngine({
  home: plan.home,
  vault: { ...createSessionVault(new Map(Object.entries(plan.secrets))), kind: 'passphrase' },
  // Looks at the open documents twenty times in a second, instead of once.
  clock: { ...systemClock, after: (ms, run) => systemClock.after(ms === 1000 ? 50 : ms, run) },
  random: systemRandom,
  log: faultLog,
  handOver: (path) => {
    copy = path;
    return Promise.resolve(true);
  },
});
begin('chosen');
await engine.templates.preview({ draftId, templateId });
begin('filling');
const { attachments } = await engine.templates.fill({ draftId, templateId });
const attachmentId = attachments.find(({ details }) => details.filled)?.id ?? '';
begin('filled');
begin('opening');
await engine.templates.open({ draftId, attachmentId });
begin('opened');
const taken = takenBack(engine, attachmentId);
cpSync(plan.savedFile, `${copy}.tmp`);
renameSync(`${copy}.tmp`, copy);
begin('saved');
await taken;
begin('taken');
begin('making');
await engine.templates.makePdf({ draftId, attachmentId });
throw new Error('the desk was not killed');
