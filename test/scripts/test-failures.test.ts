import { describe, expect, it } from 'vitest';
import {
  failure,
  failuresOfPlaywright,
  failuresOfVitest,
  listOfFailures,
  pagesOfPlaywright,
} from '../../scripts/lib/test-failures.mjs';

describe('a failed test', () => {
  it('is named with its file, its first lines and its place, as vitest has it', () => {
    const message = [
      'Error: Property failed after 1 tests',
      '{ seed: 7 }',
      'Counterexample: [0]',
      '',
      'Shrunk 1 time(s)',
      ...Array.from({ length: 14 }, (_, at) => `line ${String(at)}`),
      '    at buildError (file:///checkout/node_modules/fast-check/lib/fast-check.js:2469:16)',
      '    at /checkout/test/money.test.ts:22:8',
    ].join('\n');
    const assertionResults = [
      { status: 'passed', fullName: 'francs', failureMessages: [] },
      { status: 'failed', fullName: 'Rappen come back', failureMessages: [message] },
    ];
    const name = '/checkout/test/money.test.ts';
    expect(
      failuresOfVitest({ testResults: [{ name, status: 'failed', assertionResults }] }),
    ).toEqual([
      [
        'money.test.ts: Rappen come back',
        '    Error: Property failed after 1 tests',
        '    { seed: 7 }',
        '    Counterexample: [0]',
        '    Shrunk 1 time(s)',
        ...Array.from({ length: 12 }, (_, at) => `    line ${String(at)}`),
        '    at /checkout/test/money.test.ts:22:8',
      ].join('\n'),
    ]);
  });

  it('is a file that did not load, too', () => {
    const testResults = [
      { name: '/a/x.test.ts', status: 'failed', message: 'Cannot find it', assertionResults: [] },
      { name: '/a/y.test.ts', status: 'passed', message: '', assertionResults: [] },
    ];
    expect(failuresOfVitest({ testResults })).toEqual([
      'x.test.ts: outside of its tests\n    Cannot find it',
    ]);
  });

  it('is named with its shell and its failed step, without colours, as Playwright has it', () => {
    const message =
      'Error: \u001B[2mexpect(\u001B[22mlocator) failed\n\nReceived: \u001B[31m"Heute"\u001B[39m';
    const place = '\n> 25 | test\n    at /checkout/test/e2e/case.spec.ts:25:3';
    const inner = [{ title: 'its PDF' }, { title: 'its report', error: {} }];
    const results = [
      {
        errors: [{ message: 'Test timeout of 180000ms exceeded.' }, { message: message + place }],
        steps: [{ title: 'opened' }, { title: 'read', error: {}, steps: inner }],
      },
    ];
    const test = (status: string) => ({ status, projectName: 'browser', results });
    const specs = [
      { title: 'a case', file: 'case.spec.ts', tests: [test('unexpected'), test('expected')] },
    ];
    expect(
      failuresOfPlaywright({ suites: [{ specs }], errors: [{ message: 'no Chrome' }] }),
    ).toEqual([
      [
        '[browser] case.spec.ts: a case › read › its report',
        '    Test timeout of 180000ms exceeded.',
        '    Error: expect(locator) failed',
        '    Received: "Heute"',
        '    > 25 | test',
        '    at /checkout/test/e2e/case.spec.ts:25:3',
      ].join('\n'),
      'outside of the tests\n    no Chrome',
    ]);
  });

  it('that passed on a retry, or has no steps, is named too', () => {
    const tests = [
      { status: 'flaky', projectName: 'electron', results: [{ errors: [] }, { errors: [] }] },
    ];
    const suites = [{ specs: [{ title: 'a case', file: 'case.spec.ts', tests }] }];
    expect(failuresOfPlaywright({ suites, errors: [] })).toEqual([
      '[electron] case.spec.ts: a case',
    ]);
  });

  it('takes at most 1,500 characters, and the list of many at most 10,000', () => {
    const long = failure(
      'a title',
      Array.from({ length: 9 }, () => 'x'.repeat(5000)),
    );
    expect(long).toMatch(/^a title\n {4}x{199}…\n/);
    expect(long).toHaveLength(1500);
    expect(listOfFailures([long, 'b'])).toBe(`failed:\n\n${long}\n\nb\n\n`);
    const list = listOfFailures(Array.from({ length: 40 }, () => long));
    expect(list.length).toBeLessThan(10_000);
    expect(list.match(/^a title$/gm)).toHaveLength(40);
    expect(listOfFailures([])).toBe('');
  });
});

describe('the page of a test that failed', () => {
  const pagesOf = (page: string) => {
    const body = Buffer.from(page).toString('base64');
    const attachments = [{ name: 'screenshot', path: '/results/test-failed-1.png' }];
    const results = [{ attachments }, { attachments: [{ name: 'page', body }] }];
    return pagesOfPlaywright({ suites: [{ specs: [{ title: 'a case', tests: [{ results }] }] }] });
  };

  it('is in the report, from its main part on', () => {
    expect(pagesOf('- status: Online')).toEqual(['a case:\n- status: Online']);
    const main = '- main:\n  - heading "Heute"\n- contentinfo:\n  - status: Online';
    expect(pagesOf(`- navigation "main":\n  - link\n${main}`)).toEqual([`a case:\n${main}`]);
  });

  it('is cut in its middle if it is long', () => {
    const rows = Array.from({ length: 500 }, (_, row) => `  - listitem: ${String(row)}`);
    const [page = ''] = pagesOf(['- main:', ...rows, '- status: Online'].join('\n'));
    expect(page.length).toBeLessThan(3010);
    expect(page).toMatch(/^a case:\n- main:\n {2}- listitem: 0\n/);
    expect(page).toMatch(/\n {2}- listitem: \d+\n…\n {2}- listitem: \d+\n/);
    expect(page).toMatch(/\n {2}- listitem: 499\n- status: Online$/);
  });
});
