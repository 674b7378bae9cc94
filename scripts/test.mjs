/** `npm test`: every check; all of them run, whatever one says. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findElectron } from '../main/start/electron-runtime.ts';
import { runCommand } from './lib/run-command.mjs';
import { countPlaywright, countVitest, summary } from './lib/test-counts.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const results = join(root, 'test-results');
const layers = ['shared', 'main', 'renderer', 'test'];
const keyring = 'scripts/with-keyring.mjs';
const e2e = ['playwright', 'test', '--config', 'test/e2e/playwright.config.ts'];

/** A check that passes or fails as one; it runs beside others, so its output comes in one piece. */
const whole = (title, name, ...args) =>
  check(title, async () => {
    let output = '';
    const code = await runCommand(root, name, args, {}, (text) => (output += text));
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, output };
  });

/** A runner whose own report has the counts; without a report it failed as one. */
async function reported(count, reportName, args, env) {
  const report = join(results, reportName);
  rmSync(report, { force: true });
  const code = await runCommand(root, keyring, args, env);
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const counts = count(JSON.parse(readFileSync(report, 'utf8')));
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

const vitest = () =>
  reported(countVitest, 'vitest.json', [
    'vitest',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(results, 'vitest.json')}`,
  ]);

const endToEnd = (shell) =>
  reported(countPlaywright, `${shell}.json`, [...e2e, '--project', shell, '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: join(results, `${shell}.json`),
  });

/** The same tests over the desktop shell; without a runtime they count as skipped. */
function electron(inBrowser) {
  if (!('missing' in findElectron())) return endToEnd('electron');
  process.stdout.write('skipped: no Electron runtime\n');
  return { passed: 0, failed: 0, skipped: inBrowser.passed + inBrowser.failed };
}

async function check(title, run) {
  const start = performance.now();
  const { output = '', ...counts } = await run();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`${output}=== ${title}: ${summary([counts])} (${seconds} s)\n\n`);
  return counts;
}

/** One after the other, beside the other row: the type checker and the linter fill a core each. */
async function inARow(...checks) {
  const counts = [];
  for (const run of checks) counts.push(await run());
  return counts;
}

mkdirSync(results, { recursive: true });
// The tests start hundreds of processes of the same sources; each compiles half as long with it.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compile');
const rows = await Promise.all([
  inARow(
    () => whole('types', 'scripts/typecheck.mjs'),
    () => whole('build', 'scripts/build.mjs', '--if-stale'),
    () => whole('prettier', 'prettier', '--check', '--log-level', 'warn', '.'),
    () => whole('imports', 'depcruise', ...layers, '--config', '.dependency-cruiser.mjs'),
    () => whole('unused code', 'knip'),
  ),
  inARow(() => whole('eslint', 'eslint', '.')),
]);
const unit = await check('unit, contract, faults', vitest);
const inBrowser = await check('end to end in the browser', () => endToEnd('browser'));
const inElectron = await check('end to end in Electron', () => electron(inBrowser));
const counts = [...rows.flat(), unit, inBrowser, inElectron];

process.stdout.write(`${summary(counts)}\n`);
process.exitCode = counts.some(({ failed }) => failed > 0) ? 1 : 0;
