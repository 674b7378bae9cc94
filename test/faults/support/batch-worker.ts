/**
 * A desk in a separate process, to be killed: it fills a template for each case of a batch, queues
 * the reports and delivers them. It prints a line as each step begins.
 */
import { readFileSync } from 'node:fs';
import { createSessionVault } from '#main/engine/keys/vault.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { readPolicy } from '#main/shell/policy.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { faultLog } from '../../support/fault-log.ts';
import { batchPlanSchema, type BatchStep } from './batch-plan.ts';
import { giveBatch } from './give-batch.ts';

const plan = batchPlanSchema.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
const begin = (step: BatchStep) => process.stdout.write(`${JSON.stringify({ step })}\n`);

const engine = await openEngine({
  home: plan.home,
  vault: { ...createSessionVault(new Map(Object.entries(plan.secrets))), kind: 'passphrase' },
  policy: readPolicy(process.env),
  clock: systemClock,
  random: systemRandom,
  log: faultLog,
});

async function watchSteps(): Promise<void> {
  let taken = 0;
  let made = 0;
  for await (const event of engine.events()) {
    if (event.type === 'task.progress' && event.task === 'batch') {
      taken += 1;
      if (taken === 1) begin('taking');
      if (event.done === event.total) begin('filling');
    }
    if (event.type === 'reports.changed') {
      made += 1;
      if (made === 1) begin('made');
      if (made === 2) begin('another made');
    }
  }
}

void watchSteps();
await giveBatch(engine, plan, () => begin('filling'));
begin('delivering');
await engine.sync.run({ documents: 'none' });
// The kill may come a moment after the last step has begun.
await new Promise(() => setInterval(() => undefined, 60_000));
