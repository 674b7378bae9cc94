/** `npm test`: every check, one after the other; all of them run, whatever one says. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findElectron } from '../main/start/electron-runtime.ts';
import { runCommand } from './lib/run-command.mjs';
import { countPlaywright, countVitest, summary } from './lib/test-counts.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const results = join(root, 'test-results');
const keyring = 'scripts/with-keyring.mjs';
const e2e = ['playwright', 'test', '--config', 'test/e2e/playwright.config.ts'];

/** A check that passes or fails as one. */
const whole =
  (name, ...args) =>
  async () => {
    const code = await runCommand(root, name, args);
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  };

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

const browser = () =>
  reported(countPlaywright, 'browser.json', [...e2e, '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: join(results, 'browser.json'),
  });

/**
 * The end-to-end tests know the browser shell only, so they count as skipped for Electron, also
 * where a runtime is present: running them in Chromium again would prove nothing about it.
 */
function electron(inBrowser) {
  const isMissing = 'missing' in findElectron();
  process.stdout.write(
    isMissing
      ? 'skipped: no Electron runtime\n'
      : 'skipped: the end-to-end tests do not drive Electron yet\n',
  );
  return { passed: 0, failed: 0, skipped: inBrowser.passed + inBrowser.failed };
}

async function check(name, run) {
  process.stdout.write(`\n=== ${name}\n`);
  const start = performance.now();
  const counts = await run();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`=== ${name}: ${summary([counts])} (${seconds} s)\n`);
  return counts;
}

mkdirSync(results, { recursive: true });
const counts = [
  await check('types', whole('scripts/typecheck.mjs')),
  await check('eslint', whole('eslint', '.')),
  await check('prettier', whole('prettier', '--check', '--log-level', 'warn', '.')),
  await check(
    'imports',
    whole(
      'depcruise',
      ...['shared', 'main', 'renderer', 'test'],
      ...['--config', '.dependency-cruiser.mjs'],
    ),
  ),
  await check('unused code', whole('knip')),
  await check('build', whole('scripts/build.mjs', '--if-stale')),
  await check('unit, contract, faults', vitest),
];
const inBrowser = await check('end to end in the browser', browser);
counts.push(inBrowser, await check('end to end in Electron', () => electron(inBrowser)));

process.stdout.write(`\n${summary(counts)}\n`);
process.exitCode = counts.some(({ failed }) => failed > 0) ? 1 : 0;
