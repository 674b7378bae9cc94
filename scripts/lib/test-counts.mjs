import { basename } from 'node:path';

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 */

/**
 * Returns the counts of a vitest JSON report. A file that could not be loaded has no tests, and
 * counts as a failure.
 *
 * @param {any} report
 * @returns {Counts}
 */
export function countVitest(report) {
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = report.numFailedTests + unloaded.length;
  return {
    passed: report.numPassedTests,
    failed: report.success ? failed : Math.max(failed, 1),
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * Returns the counts of a Playwright JSON report. A test that passed only on a retry counts as
 * failed.
 *
 * @param {any} report
 * @returns {Counts}
 */
export function countPlaywright({ stats, errors }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  };
}

/**
 * Returns the skipped tests of a vitest JSON report, each with its file. Their reasons are in their
 * titles, because the report has none.
 *
 * @param {any} report
 * @returns {string[]}
 */
export function skippedOfVitest({ testResults }) {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => `${basename(name)}: ${fullName}`),
  );
}

/**
 * Returns the skipped tests of a Playwright JSON report, each with its file and its reason. A
 * skipped test without a reason comes after a test that failed.
 *
 * @param {any} report
 * @returns {string[]}
 */
export function skippedOfPlaywright({ suites }) {
  return suites.flatMap(specsOf).flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'skipped')
      .map(({ annotations }) => {
        const reasons = annotations.flatMap(({ description }) => description ?? []);
        return [`${basename(file)}: ${title}`, ...reasons].join(': ');
      }),
  );
}

/**
 * Returns every test of a suite in a Playwright JSON report, including the tests of nested suites.
 */
export function specsOf(suite) {
  return [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];
}

/**
 * Returns the last line of `npm test`.
 *
 * @param {readonly Counts[]} counts
 * @returns {string}
 */
export function summary(counts) {
  const sum = (name) => counts.reduce((total, one) => total + one[name], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`;
}
