/** Type-checks every layer under its own configuration; all of them, whatever one says. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from './lib/run-command.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const layers = [
  ['tsc', 'shared'],
  ['tsc', 'main'],
  ['vue-tsc', 'renderer'],
  ['tsc', 'test'],
  ['vue-tsc', 'test/renderer'],
];

const failed = [];
for (const [compiler, layer] of layers)
  if ((await runCommand(root, compiler, ['-p', layer])) !== 0) failed.push(layer);
if (failed.length > 0) {
  process.stderr.write(`Types are wrong in: ${failed.join(', ')}.\n`);
  process.exitCode = 1;
}
