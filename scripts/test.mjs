/**
 * The checks of the project; all of them run, whatever one says.
 *
 *     node scripts/run.mjs scripts/test.mjs [--long] [check | unit | e2e] [arguments of the runner]
 *
 * Without a part's name: every part. `--long` has the long forms of the same tests. ELECTRON_KIT names
 * the folder of an Electron kit (lib/electron-kit.mjs), whose runtime is tested then.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findElectron, installedElectron } from '../main/start/electron-runtime.ts';
import { prepareKit } from './lib/electron-kit.mjs';
import { homeOf, ordinaryUser } from './lib/ordinary-user.mjs';
import { runCommand } from './lib/run-command.mjs';
import {
  countPlaywright,
  countVitest,
  skippedOfPlaywright,
  skippedOfVitest,
  summary,
} from './lib/test-counts.mjs';
import {
  failure,
  failuresOfPlaywright,
  failuresOfVitest,
  listOfFailures,
  pagesOfPlaywright,
} from './lib/test-failures.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// Apart from the folder that Playwright empties before it starts.
const reports = join(root, 'test-results/reports');
const cache = 'node_modules/.cache';
const keyring = 'scripts/with-keyring.mjs';

const given = process.argv.slice(2);
const isLong = given[0] === '--long';
const [part = 'all', ...runnerArgs] = isLong ? given.slice(1) : given;

/** A check that passes or fails as one; others run next to it, so its output comes in one piece. */
const whole = (title, name, ...args) =>
  timed(title, async () => {
    let output = '';
    const code = await runCommand(root, name, args, {}, (text) => (output += text));
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, output };
  });

/** A runner whose own report has the counts, the failures and what was skipped; without one it failed as one. */
async function reported({ count, failuresOf, skippedOf, pagesOf = () => [] }, report, run) {
  rmSync(report, { force: true });
  const code = await run();
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const found = JSON.parse(readFileSync(report, 'utf8'));
  // Of tests that are asked for by title, all others count as skipped.
  if (runnerArgs.length === 0)
    for (const each of skippedOf(found)) process.stdout.write(`skipped: ${each}\n`);
  // A machine that nobody can look at says what was on the page, too.
  for (const page of pagesOf(found)) process.stdout.write(`\non the page of ${page}\n\n`);
  const counts = { ...count(found), failures: failuresOf(found) };
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

const vitest = () => {
  const report = join(reports, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const read = { count: countVitest, failuresOf: failuresOfVitest, skippedOf: skippedOfVitest };
  return reported(read, report, () =>
    runCommand(root, keyring, ['vitest', 'run', ...reporters, ...runnerArgs]),
  );
};

const playwrightReport = {
  count: countPlaywright,
  failuresOf: failuresOfPlaywright,
  skippedOf: skippedOfPlaywright,
  pagesOf: pagesOfPlaywright,
};

/** @param run runs Playwright with these arguments and environment, and resolves with its exit code */
const playwright = (
  shell,
  report = join(reports, `${shell}.json`),
  run = (args, env) => runCommand(root, keyring, ['playwright', ...args], env),
) =>
  reported(playwrightReport, report, () =>
    run(
      [
        ...['test', '--config', 'test/e2e/playwright.config.ts', `--project=${shell}`],
        ...['--reporter=list,json', ...runnerArgs],
      ],
      { PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    ),
  );

function skipped(why, count) {
  process.stdout.write(`skipped: ${why}\n`);
  return { passed: 0, failed: 0, skipped: count };
}

/** The same tests over the desktop shell, and its package; without a runtime they count as skipped. */
async function inElectron(inBrowser) {
  const title = 'end to end in Electron';
  const count = inBrowser.passed + inBrowser.failed;
  const kit = process.env['ELECTRON_KIT'];
  if (kit) return await inKit(kit, title, count);
  return [await timed(title, () => inOwnRuntime(count))];
}

/** In the runtime that the `electron` package brings. */
function inOwnRuntime(count) {
  const found = findElectron();
  if ('path' in found) return playwright('electron');
  const installed = installedElectron();
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  return isRoot && 'path' in installed
    ? asOrdinaryUser(installed.path, count)
    : skipped(`no Electron: ${found.missing}`, count);
}

/** The report and what the tests leave lie in folders of this user, who may not write here. */
async function asOrdinaryUser(executable, count) {
  const user = ordinaryUser(executable);
  if ('missing' in user) return skipped(`no Electron: ${user.missing}`, count);
  const home = homeOf(user);
  try {
    const output = ['--output', join(home.folder, 'results')];
    return await playwright('electron', join(home.folder, 'electron.json'), (args, env) =>
      home.run([process.execPath, join(root, keyring), 'playwright', ...args, ...output], env),
    );
  } finally {
    home.remove();
  }
}

async function inKit(folder, title, count) {
  const kit = prepareKit(folder, root);
  // With the package, which counts as one.
  if ('missing' in kit)
    return [await timed(title, () => skipped(`no Electron: ${kit.missing}`, count + 1))];
  try {
    const report = join(kit.folder, 'test-results/reports/electron.json');
    const run = (args, env) => kit.run('playwright', args, env);
    const counts = [await timed(title, () => playwright('electron', report, run))];
    // Not if some tests alone are asked for.
    if (runnerArgs.length === 0) counts.push(await timed('package', () => packaged(kit)));
    return counts;
  } finally {
    kit.remove();
  }
}

/** Packs the desk, starts it as a user does, and plays the main job over it. */
async function packaged(kit) {
  const make = await kit.run('node', ['scripts/package.mjs', '--dir']);
  const code = make === 0 ? await kit.run('node', ['scripts/try-package.mjs']) : make;
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

async function timed(title, run) {
  const start = performance.now();
  const { output = '', failures = [], ...counts } = await run();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`${output}=== ${title}: ${summary([counts])} (${seconds} s)\n\n`);
  if (counts.failed > 0 && failures.length === 0)
    failures.push(
      failure(title, [output || 'no failed test is in its report; its output has more']),
    );
  return { ...counts, failures };
}

async function inARow(...checks) {
  const counts = [];
  for (const run of checks) counts.push(await run());
  return counts;
}

/** Two rows next to each other, of about the same length. */
async function check() {
  const eslintCache = ['--cache', '--cache-strategy', 'content'];
  const rows = await Promise.all([
    inARow(
      // Types of what is in .ts, and their rules; vue-tsc has those of the window.
      () => whole('types, oxlint', 'oxlint'),
      () =>
        whole(
          'types of the window',
          'vue-tsc',
          ...['-p', 'test/renderer', '--incremental'],
          ...['--tsBuildInfoFile', `${cache}/types/renderer.tsbuildinfo`],
        ),
    ),
    inARow(
      () => whole('eslint', 'eslint', ...eslintCache, '--cache-location', `${cache}/eslint/`, '.'),
      () => whole('oxfmt', 'oxfmt', '--check'),
      () =>
        whole(
          'imports',
          'depcruise',
          ...['shared', 'main', 'renderer', 'test', '--config', '.dependency-cruiser.mjs'],
        ),
      () => whole('unused code', 'knip'),
    ),
  ]);
  return rows.flat();
}

const unit = async () => [await timed('unit, contract, faults', vitest)];

async function endToEnd() {
  const inBrowser = await timed('end to end in the browser', () => playwright('browser'));
  return [inBrowser, ...(await inElectron(inBrowser))];
}

const build = () => whole('build', 'scripts/build.mjs', '--if-stale');

const parts = {
  check,
  unit: async () => [await build(), ...(await unit())],
  e2e: async () => [await build(), ...(await endToEnd())],
  all: async () => [...(await check()), await build(), ...(await unit()), ...(await endToEnd())],
};

const run = parts[part];
if (run === undefined) {
  process.stderr.write(`No part "${part}"; there are: ${Object.keys(parts).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  mkdirSync(reports, { recursive: true });
  // The tests start hundreds of processes of the same sources; each compiles half as long with it.
  process.env['NODE_COMPILE_CACHE'] ??= join(root, cache, 'compile');
  if (isLong) process.env['TEST_LONG'] = '1';
  const counts = await run();
  // The end of the output is all that some machines show.
  process.stdout.write(listOfFailures(counts.flatMap(({ failures }) => failures)));
  process.stdout.write(`${summary(counts)}\n`);
  process.exitCode = counts.some(({ failed }) => failed > 0) ? 1 : 0;
}
