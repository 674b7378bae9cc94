import { describe, expect, it } from 'vitest';
import {
  countPlaywright,
  countVitest,
  skippedOfPlaywright,
  skippedOfVitest,
  summary,
} from '../../scripts/lib/test-counts.mjs';

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

describe('what npm test skipped', () => {
  it('is named with its file, as vitest has it', () => {
    const tests = [
      { status: 'passed', fullName: 'a PDF is made' },
      { status: 'skipped', fullName: 'a PDF is sent: LibreOffice is not installed' },
      { status: 'todo', fullName: 'a PDF is signed' },
      { status: 'failed', fullName: 'a PDF is read' },
    ];
    const testResults = [{ name: '/checkout/test/pdf.test.ts', assertionResults: tests }];
    expect(skippedOfVitest({ testResults })).toEqual([
      'pdf.test.ts: a PDF is sent: LibreOffice is not installed',
      'pdf.test.ts: a PDF is signed',
    ]);
  });

  it('is named with its reason, where Playwright has one', () => {
    const spec = (title: string, status: string, annotations: readonly object[] = []) => ({
      title,
      file: 'case.spec.ts',
      tests: [{ status, annotations }],
    });
    const inner = {
      specs: [spec('a menu', 'skipped', [{ type: 'skip', description: 'no menu in a browser' }])],
    };
    const suites = [
      { specs: [spec('a case', 'expected'), spec('its report', 'skipped')], suites: [inner] },
    ];
    expect(skippedOfPlaywright({ suites })).toEqual([
      'case.spec.ts: its report',
      'case.spec.ts: a menu: no menu in a browser',
    ]);
  });
});
