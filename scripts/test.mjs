/**
 * Runs the checks of the project. All of them run, even if one fails.
 *
 *     node scripts/run.mjs scripts/test.mjs [--long] [check | unit | e2e | mutations] [arguments of the runner]
 *
 * Without a part's name, every part runs. `--long` adds the long forms of the same tests, and
 * mutations. ELECTRON_KIT names the folder of an Electron kit (lib/electron-kit.mjs), whose runtime
 * is then tested.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findElectron, installedElectron } from '../main/start/electron-runtime.ts';
import { sharePrivateNetwork } from '../test/support/private-network.ts';
import { changedFiles } from './lib/changed-files.mjs';
import { coreSecondsOfEnded, listOfCosts, sumCosts } from './lib/core-seconds.mjs';
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
// The reports are not in the folder that Playwright empties before it starts.
const reports = join(root, 'test-results/reports');
const costs = join(reports, 'costs.jsonl');
const cache = 'node_modules/.cache';
const keyring = 'scripts/with-keyring.mjs';

const given = process.argv.slice(2);
const isLong = given[0] === '--long';
const [part = 'all', ...runnerArgs] = isLong ? given.slice(1) : given;
const isAll = part === 'all';
/**
 * The output of the parts. If all parts run at once, their lines are mixed. A single part has the
 * terminal to itself.
 */
const write = isAll ? (line) => process.stdout.write(line) : undefined;
/**
 * The priority of the parts that run beside the tests in the browser. The tests in the
 * browser take the longest, because they wait half of the time, so they go first.
 */
const besidePriority = isAll ? 5 : undefined;

/**
 * Runs a check that passes or fails as a whole. Others run at the same time, so its output is
 * printed in one piece.
 */
const whole = (title, name, ...args) =>
  timed(title, async () => {
    let output = '';
    const collect = (text) => (output += text);
    const code = await runCommand(root, name, args, {}, collect, besidePriority);
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, output };
  });

/** What was on the pages when tests failed. */
const failedPages = [];

/**
 * Runs a runner whose own report has the counts, the failures and what was skipped. Without a
 * report, the runner failed as a whole.
 */
async function reported({ count, failuresOf, skippedOf, pagesOf = () => [] }, report, run) {
  rmSync(report, { force: true });
  const code = await run();
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const found = JSON.parse(readFileSync(report, 'utf8'));
  // If tests are chosen by title, all other tests count as skipped and are not listed.
  if (runnerArgs.length === 0)
    for (const each of skippedOf(found)) process.stdout.write(`skipped: ${each}\n`);
  failedPages.push(...pagesOf(found));
  const counts = { ...count(found), failures: failuresOf(found) };
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

const vitest = () => {
  const report = join(reports, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const read = { count: countVitest, failuresOf: failuresOfVitest, skippedOf: skippedOfVitest };
  return reported(read, report, () =>
    runCommand(
      root,
      keyring,
      ['vitest', 'run', ...reporters, ...runnerArgs],
      { TEST_COSTS: costs },
      write,
      besidePriority,
    ),
  );
};

const playwrightReport = {
  count: countPlaywright,
  failuresOf: failuresOfPlaywright,
  skippedOf: skippedOfPlaywright,
  pagesOf: pagesOfPlaywright,
};

/** The arguments of Playwright for the tests of a shell. It may have none of the chosen ones. */
const testsOf = (shell) => [
  'test',
  '--config',
  'test/e2e/playwright.config.ts',
  `--project=${shell}`,
  '--pass-with-no-tests',
  ...runnerArgs,
];

/** @param run runs Playwright with these arguments and environment, and resolves with its exit code */
const playwright = (
  shell,
  report = join(reports, `${shell}.json`),
  run = (args, env) => runCommand(root, keyring, ['playwright', ...args], env, write),
) =>
  reported(playwrightReport, report, () =>
    run([...testsOf(shell), '--reporter=list,json'], {
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      // The user who runs the desktop shell may not write to this file.
      ...(shell === 'browser' && { TEST_COSTS: costs }),
    }),
  );

/**
 * Runs the tests of the desktop shell (test/e2e/specs.ts), and checks its package. Without a runtime
 * they count as skipped.
 */
async function inElectron() {
  const title = 'end to end in Electron';
  const kit = process.env['ELECTRON_KIT'];
  if (kit) return await inKit(kit, title);
  return [await timed(title, inOwnRuntime)];
}

/** Runs the tests in the runtime that the `electron` package brings. */
function inOwnRuntime() {
  const found = findElectron();
  if ('path' in found) return playwright('electron');
  const installed = installedElectron();
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  return isRoot && 'path' in installed
    ? asOrdinaryUser(installed.path)
    : withoutElectron(found.missing);
}

/** @param {number} more the tests of the desktop shell that Playwright does not have */
async function withoutElectron(why, more = 0) {
  process.stdout.write(`skipped: no Electron: ${why}\n`);
  const report = join(reports, 'electron.json');
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  const args = [...testsOf('electron'), '--list', '--reporter=json'];
  const code = await runCommand(root, 'playwright', args, env, () => undefined);
  if (code !== 0) return { passed: 0, failed: 1, skipped: 0 };
  // Tests that are only listed count as skipped.
  const { skipped } = countPlaywright(JSON.parse(readFileSync(report, 'utf8')));
  return { passed: 0, failed: 0, skipped: skipped + more };
}

/**
 * Runs the tests as an ordinary user, who may not write here. The report and the tests' output are
 * in the user's own folders.
 */
async function asOrdinaryUser(executable) {
  const user = ordinaryUser(executable);
  if ('missing' in user) return await withoutElectron(user.missing);
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

async function inKit(folder, title) {
  const kit = await prepareKit(folder, root, write);
  // The package is included in the count as one test.
  if ('missing' in kit) return [await timed(title, () => withoutElectron(kit.missing, 1))];
  try {
    const report = join(kit.folder, 'test-results/reports/electron.json');
    const run = (args, env) => kit.run('playwright', args, env);
    const counts = [await timed(title, () => playwright('electron', report, run))];
    // The package is not checked if only some tests are chosen.
    if (runnerArgs.length === 0) counts.push(await timed('package', () => packaged(kit)));
    return counts;
  } finally {
    kit.remove();
  }
}

/** Packages the desk, starts it as a user does, and plays the main job over it. */
async function packaged(kit) {
  const make = await kit.run('node', ['scripts/package.mjs', '--dir']);
  const code = make === 0 ? await kit.run('node', ['scripts/try-package.mjs']) : make;
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** The processor time of ended programs that is already assigned to a part. */
let accounted = coreSecondsOfEnded();
const costsOfParts = [];

async function timed(title, run) {
  const start = performance.now();
  const { output = '', failures = [], ...counts } = await run();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const ended = coreSecondsOfEnded();
  costsOfParts.push({ title, coreSeconds: ended - accounted });
  accounted = ended;
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

const eslintCache = [
  '--cache',
  '--cache-strategy',
  'content',
  '--cache-location',
  `${cache}/eslint/`,
];

/**
 * Checks Vue's files. `npm test` checks the types of only those that were changed, because all of
 * them take a minute of processor time. `npm run check` and GitHub Actions check all of them.
 */
function lintWindow() {
  const changed =
    isAll && process.env['GITHUB_ACTIONS'] === undefined ? changedFiles(root, '*.vue') : null;
  if (changed !== null) process.env['LINT_TYPES_OF'] = changed.join('\n');
  return whole('eslint', 'eslint', ...eslintCache, '.');
}

/** The checks run one after the other, because the first two use all cores. */
const check = () =>
  inARow(
    // oxlint checks the types and rules of .ts files. vue-tsc checks the types of the window.
    () => whole('types, oxlint', 'oxlint'),
    () =>
      whole(
        'types of the window',
        'vue-tsc',
        '-p',
        'test/renderer',
        '--incremental',
        '--tsBuildInfoFile',
        `${cache}/types/renderer.tsbuildinfo`,
      ),
    lintWindow,
    () => whole('oxfmt', 'oxfmt', '--check'),
    () =>
      whole(
        'imports',
        'depcruise',
        'shared',
        'main',
        'renderer',
        'test',
        '--config',
        '.dependency-cruiser.mjs',
      ),
    () => whole('unused code', 'knip'),
  );

const unit = async () => [await timed('unit, contract, faults', vitest)];

const inBrowser = () => timed('end to end in the browser', () => playwright('browser'));

async function endToEnd() {
  const counts = [await inBrowser(), ...(await inElectron())];
  const isNone = counts.every(({ passed, failed, skipped }) => passed + failed + skipped === 0);
  return isNone ? [await timed('chosen tests', noTest)] : counts;
}

/** A mistyped name must not look like a success. */
const noTest = () => ({ passed: 0, failed: 1, skipped: 0, output: 'No test has this name.\n' });

/**
 * Finds changes of the code that the nearest tests do not notice (mutations.mjs). A file takes
 * minutes.
 */
const mutations = (...files) =>
  whole('mutations', keyring, process.execPath, 'scripts/mutations.mjs', ...files);

const build = () => whole('build', 'scripts/build.mjs', '--if-stale');

/**
 * Runs two rows of parts beside each other, so that the processor is busy while the browser or a
 * service is awaited, until the end. More than two at once made single tests take longer than they
 * may.
 */
async function all() {
  const building = build();
  const rows = [
    building.then((counts) => [counts]),
    building.then(inBrowser).then((counts) => [counts]),
    building.then(() => inARow(unit, check, inElectron)).then((counts) => counts.flat()),
  ];
  const counts = (await Promise.all(rows)).flat();
  // Mutations run alone, because a change counts as noticed if the tests take too long with it.
  return isLong ? [...counts, await mutations()] : counts;
}

/** A part whose tests need a private network. */
function inNetwork(run) {
  return () => {
    sharePrivateNetwork();
    return run();
  };
}

const parts = {
  check,
  unit: inNetwork(async () => [await build(), ...(await unit())]),
  e2e: inNetwork(async () => [await build(), ...(await endToEnd())]),
  mutations: async () => [await mutations(...runnerArgs)],
  all: inNetwork(all),
};

const run = parts[part];
if (run === undefined) {
  process.stderr.write(`No part "${part}"; there are: ${Object.keys(parts).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  mkdirSync(reports, { recursive: true });
  // The tests start hundreds of processes from the same sources. With the cache, compiling takes
  // half as long in each.
  process.env['NODE_COMPILE_CACHE'] ??= join(root, cache, 'compile');
  // Node strips the types of the tests as it does those of the programs, and keeps the result.
  // Playwright's own compiler takes three times as long for each of its processes.
  process.env['PW_DISABLE_TS_ESM'] = '1';
  // Chromium reads names of files by the locale, and without one drops those that are not ASCII.
  if (!process.env['LC_ALL'] && !process.env['LANG']) process.env['LANG'] = 'C.UTF-8';
  if (isLong) process.env['TEST_LONG'] = '1';
  writeFileSync(costs, '');
  const counts = await run();
  // Nobody can look at the screen of some machines. Some show only the end of the output, so what
  // explains a failure comes last.
  for (const page of failedPages) process.stdout.write(`\non the page of ${page}\n\n`);
  process.stdout.write(listOfCosts(costsOfParts, sumCosts(readFileSync(costs, 'utf8'))));
  process.stdout.write(listOfFailures(counts.flatMap(({ failures }) => failures)));
  process.stdout.write(`${summary(counts)}\n`);
  process.exitCode = counts.some(({ failed }) => failed > 0) ? 1 : 0;
}
