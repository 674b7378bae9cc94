/**
 * Runs the mutation tool over the files of test/mutation/files.json, one file at a time, each with
 * its nearest tests:
 *
 *     node scripts/with-keyring.mjs node scripts/mutations.mjs [FILE...]
 *
 * It fails if a change of the code survives that test/mutation/survivors.json does not explain. A
 * change that is explained but was killed is printed, so that its line can be removed.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newSurvivors, readReport } from './lib/mutants.mjs';
import { runCommand } from './lib/run-command.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
const say = (line) => process.stdout.write(`${line}\n`);

const testsOf = read('test/mutation/files.json');
const explained = read('test/mutation/survivors.json');
const reportFile = join(root, 'test-results/mutation.json');
const files = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(testsOf);

/** @returns whether every change that survived is explained */
async function examine(file) {
  const tests = testsOf[file];
  if (tests === undefined) {
    say(`${file}: test/mutation/files.json names no tests for it`);
    return false;
  }
  rmSync(reportFile, { force: true });
  const tool = 'node_modules/@stryker-mutator/core/bin/stryker.js';
  const output = [];
  const code = await runCommand(
    root,
    process.execPath,
    [join(root, tool), 'run', 'test/mutation/stryker.config.json', '--mutate', file],
    { MUTATION_TESTS: tests.join(',') },
    (line) => output.push(line),
  );
  if (code !== 0) {
    say(`${file}: the tool failed\n${output.join('')}`);
    return false;
  }
  const found = readReport(JSON.parse(readFileSync(reportFile, 'utf8')));
  const own = explained.filter((each) => each.file === file);
  const unexplained = newSurvivors(found.survivors, own);
  const gone = newSurvivors(own, found.survivors);
  say(
    `${file}: ${found.mutants} changes, ${found.killed} noticed, ${found.survivors.length} not (${found.survivors.length - unexplained.length} explained)`,
  );
  for (const each of unexplained) say(`  unnoticed: ${JSON.stringify(each)}`);
  for (const each of gone) say(`  explained, but noticed: ${JSON.stringify(each)}`);
  const folder = join(root, 'test-results/mutants');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${file.replaceAll('/', '+')}.json`),
    `${JSON.stringify({ ...found, unexplained }, null, 2)}\n`,
  );
  return unexplained.length === 0;
}

let failed = 0;
for (const file of files) if (!(await examine(file))) failed += 1;
say(`${files.length - failed} of ${files.length} files as explained`);
process.exitCode = failed > 0 ? 1 : 0;
