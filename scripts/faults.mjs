/**
 * `npm run faults -- [--runs 300] [--seed 1]`: the long form of test/faults/mixed-work.test.ts, one
 * run for each seed from the given one on.
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from './lib/run-command.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
  },
});
process.exitCode = await runCommand(
  root,
  'vitest',
  ['run', '--project', 'node', 'test/faults/mixed-work.test.ts'],
  { FAULT_RUNS: values.runs, FAULT_SEED: values.seed },
);
