import { describe, expect, it } from 'vitest';
import { countPlaywright, countVitest, summary } from '../../scripts/lib/test-counts.mjs';

describe('the counts of npm test', () => {
  const vitest = {
    success: true,
    numPassedTests: 5,
    numFailedTests: 0,
    testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }],
    numPendingTests: 1,
    numTodoTests: 1,
  };

  it('are vitest’s own', () => {
    expect(countVitest(vitest)).toEqual({ passed: 5, failed: 0, skipped: 2 });
  });

  it('count a file that did not load', () => {
    const withTest = { status: 'failed', assertionResults: [{ status: 'failed' }] };
    const testResults = [withTest, { status: 'failed', assertionResults: [] }];
    const broken = { ...vitest, success: false, numFailedTests: 1, testResults };
    expect(countVitest(broken).failed).toBe(2);
    expect(countVitest({ ...vitest, success: false }).failed).toBe(1);
  });

  it('count a flaky test as failed, and an error outside of any test', () => {
    const stats = { expected: 3, unexpected: 1, flaky: 1, skipped: 0 };
    expect(countPlaywright({ stats, errors: [{}] })).toEqual({ passed: 3, failed: 3, skipped: 0 });
  });

  it('end in one line', () => {
    const one = { passed: 1, failed: 0, skipped: 2 };
    expect(summary([one, { passed: 2, failed: 1, skipped: 0 }])).toBe(
      '3 passed, 1 failed, 2 skipped',
    );
  });
});
