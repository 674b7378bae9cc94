import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { specsOf } from './test-counts.mjs';

const errorLines = 16;
const longestLine = 200;
const longestFailure = 1500;
/**
 * The maximum length of the list of failures. GitHub and others show only the end of a long output,
 * in which the list and the counts must fit.
 */
const longestList = 9000;
/** The maximum length of the text of a page that was open when a test failed. */
const longestPage = 3000;

/**
 * Returns the failed tests of a vitest JSON report, each with its file and its error, and the files
 * that failed outside of their tests.
 *
 * @param {any} report
 * @returns {string[]}
 */
export function failuresOfVitest({ testResults }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0)
        return [failure(`${basename(name)}: outside of its tests`, [message])];
      return failed.map(({ fullName, failureMessages }) =>
        failure(`${basename(name)}: ${fullName}`, failureMessages),
      );
    });
}

/**
 * Returns the failed tests of a Playwright JSON report, each with its file, the failed step and its
 * errors, and the errors outside of any test.
 *
 * @param {any} report
 * @returns {string[]}
 */
export function failuresOfPlaywright({ suites, errors }) {
  const ofTests = suites.flatMap(specsOf).flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName, results }) => {
        const steps = results.flatMap((result) => failedSteps(result.steps));
        const path = [title, ...steps].join(' › ');
        const messages = results.flatMap((result) => result.errors.map(({ message }) => message));
        return failure(`[${projectName}] ${basename(file)}: ${path}`, messages);
      }),
  );
  const outside = errors.map(({ message }) => failure('outside of the tests', [message]));
  return [...ofTests, ...outside];
}

/** Returns the titles of the failed step and of the failed steps within it. */
function failedSteps(steps = []) {
  const failed = steps.find(({ error }) => error !== undefined);
  return failed ? [failed.title, ...failedSteps(failed.steps)] : [];
}

/**
 * Describes a failed test or check in a few lines.
 *
 * @param {string} title
 * @param {readonly (string | undefined)[]} messages the messages, each with its stack
 * @returns {string}
 */
export function failure(title, messages) {
  const lines = messages.flatMap((message) => firstLines(stripVTControlCharacters(message ?? '')));
  return cut(
    [title, ...lines.map((line) => `    ${cut(line, longestLine)}`)].join('\n'),
    longestFailure,
  );
}

/** Returns the first lines of an error, and the first place in its stack that is in our code. */
function firstLines(message) {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  const isPlace = (line) => /^\s+at .*:\d+/.test(line);
  const stack = lines.findIndex(isPlace);
  const text = stack === -1 ? lines : lines.slice(0, stack);
  const place = lines.find((line) => isPlace(line) && !/node_modules|node:/.test(line));
  return [...text.slice(0, errorLines), ...(place === undefined ? [] : [place.trim()])];
}

/**
 * Returns what `npm test` prints about all failures before its last line. Each failure is shorter
 * if there are many.
 *
 * @param {readonly string[]} failures
 * @returns {string}
 */
export function listOfFailures(failures) {
  if (failures.length === 0) return '';
  const share = Math.floor(longestList / failures.length);
  return `failed:\n\n${failures.map((each) => `${cut(each, share)}\n\n`).join('')}`;
}

/**
 * Returns what was on the pages when tests of a Playwright JSON report failed (`attachPages` in
 * test/e2e/desk-window.ts), each with the title of its test.
 *
 * @param {any} report
 * @returns {string[]}
 */
export function pagesOfPlaywright({ suites }) {
  return suites.flatMap(specsOf).flatMap(({ title, tests }) =>
    tests
      .flatMap(({ results }) => results.flatMap(({ attachments }) => attachments))
      .filter(({ name, body }) => name === 'page' && body !== undefined)
      .map(({ body }) => `${title}:\n${partsOf(Buffer.from(body, 'base64').toString())}`),
  );
}

/**
 * Returns the beginning of a page's main part, and the end of the page with its status bar and its
 * dialogs.
 */
function partsOf(page) {
  const main = page.slice(Math.max(page.search(/^ *- main\b/m), 0));
  if (main.length <= longestPage) return main;
  const start = main.slice(0, longestPage / 2);
  const end = main.slice(-longestPage / 2);
  return `${start.slice(0, start.lastIndexOf('\n'))}\n…${end.slice(end.indexOf('\n'))}`;
}

function cut(text, longest) {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
