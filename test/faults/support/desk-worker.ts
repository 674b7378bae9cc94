/**
 * A desk in a separate process, to be killed: queues the acts of a plan that are not queued yet,
 * delivers until nothing waits, and prints the queue. It prints a line for every change of a row, so
 * that the test can choose the moment of the kill by the desk's progress and not by the clock.
 */
import { createReadStream, readFileSync } from 'node:fs';
import type { Engine } from '#main/engine/engine.ts';
import { createSessionVault } from '#main/engine/keys/vault.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { rappenFromChf } from '#shared/lib/money.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { planSchema, type PlannedAct } from './plan.ts';
import { faultLog } from '../../support/fault-log.ts';

const roundsMax = 40;
const unlimited = { capacity: 10_000, refillPerMinute: 600_000 };
const plan = planSchema.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function isQueued(engine: Engine, { kind, caseId, marker }: PlannedAct): Promise<boolean> {
  return (await engine.queue.list({ caseId, limit: 5000 })).items.some(({ act }) => {
    if (act.kind !== kind) return false;
    if (act.kind === 'amounts') return act.costEstimateRappen === rappenFromChf(Number(marker));
    if (act.kind === 'reopen') return act.reason === marker;
    return (act.kind === 'comment' ? act.text : act.comment) === marker;
  });
}

async function queue(engine: Engine, act: PlannedAct): Promise<void> {
  const { caseId: id, marker } = act;
  if (act.kind === 'amounts')
    await engine.cases.setAmounts({ id, costEstimateRappen: rappenFromChf(Number(marker)) });
  else if (act.kind === 'comment') await engine.cases.setComment({ id, text: marker });
  else if (act.kind === 'reopen') await engine.cases.reopen({ id, reason: marker });
  else {
    for (const draft of (await engine.reports.drafts()).items) {
      if (draft.queueId === null) await engine.reports.discardDraft({ draftId: draft.id });
    }
    const draft = await engine.reports.createDraft({ id });
    await engine.reports.updateDraft({ draftId: draft.id, comment: marker });
    for (const { fileName, path, isSalvageSale } of act.files) {
      await engine.files.addAttachment(draft.id, {
        fileName,
        content: createReadStream(path),
        isSalvageSale,
      });
    }
    await engine.reports.submitDraft({ draftId: draft.id });
  }
}

async function watch(engine: Engine): Promise<void> {
  for await (const { type } of engine.events()) {
    if (type === 'queue.changed' || type === 'queue.progress') say({ event: type });
  }
}

const engine = await openEngine({
  home: plan.home,
  // A passphrase would be half a second of the processor at each start, and is no part of this.
  vault: { ...createSessionVault(new Map(Object.entries(plan.secrets))), kind: 'passphrase' },
  clock: systemClock,
  random: systemRandom,
  log: faultLog,
  policy: { limits: { standard: unlimited, documents: unlimited } },
});
const watching = watch(engine);
try {
  for (const act of plan.acts) if (!(await isQueued(engine, act))) await queue(engine, act);
  for (let round = 0; round < roundsMax && (await engine.sync.status()).waiting > 0; round += 1) {
    // A failure is in its row, and the next round tries again.
    await engine.sync.run({ documents: 'none' }).catch(() => undefined);
  }
  say({ event: 'done', items: (await engine.queue.list({ limit: 5000 })).items });
} finally {
  await engine.close();
  await watching;
}
