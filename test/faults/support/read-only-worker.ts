/**
 * A desk whose disk became read-only: every command refuses in a sentence, the window's program
 * too, and afterwards all is as it was. Needs a small disk in `argv[2]` (disk-full.test.ts).
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createDeskRunner, createMemoryVault } from '../../support/desk-in-process.ts';
import { waitLimitMs } from '../../support/long.ts';
import { root } from '../../support/processes.ts';

const [, , path = '', credentialsFile = '', caseId = ''] = process.argv;
const home = join(path, 'home');
const desk = createDeskRunner(home, { vault: createMemoryVault() });
const done = async (...args: string[]) => {
  const run = await desk(...args);
  assert.equal(run.code, 0, run.stderr);
  return run.line;
};
const remount = (how: 'ro' | 'rw') => execFileSync('mount', ['-o', `remount,${how}`, path]);

await done('connect', '--credentials', credentialsFile);
await done('sync');
await done('comment', caseId, 'Seen at the garage.');
const before = [await done('queue'), await done('cases')];

remount('ro');
const commands = [['cases'], ['queue'], ['comment', caseId, 'Not kept.'], ['sync']];
const refusals = [];
for (const command of commands) {
  const run = await desk(...command);
  refusals.push({ command: command[0], code: run.code, stderr: run.stderr.trim() });
}
const window = ['main/start.ts', '--shell', 'browser', '--no-open', '--lang', 'en', '--home', home];
const started = spawnSync(process.execPath, window, {
  cwd: root,
  encoding: 'utf8',
  // A desk that started all the same would stay.
  timeout: waitLimitMs,
});
// It prints other lines too, such as the folder of its secrets.
const last = started.stderr.trim().split('\n').at(-1);
refusals.push({ command: 'start', code: started.status, stderr: last });

remount('rw');
assert.deepEqual([await done('queue'), await done('cases')], before);
process.stdout.write(`${JSON.stringify(refusals)}\n`);
