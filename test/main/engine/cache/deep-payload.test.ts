import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { testFolder } from '../support/test-folder.ts';

let dir: string;
beforeEach(() => {
  dir = testFolder();
});

/** What a desk reads of a payload, in a process with a third of the usual stack. */
const script = `
  import { caseDetail } from '#main/engine/calls/case-view.ts';
  import { openCache } from '#main/engine/cache/open-cache.ts';
  import { searchHits } from '#main/engine/cache/search-hits.ts';
  import { caseHints } from '#shared/payload/hints.ts';
  import { digestPayload } from '#shared/payload/digest.ts';
  import { sampleCase } from './test/main/engine/support/sample-case.ts';

  const depth = Number(process.env.DEPTH);
  const nested = (value) =>
    '{"a":['.repeat(depth / 2) + JSON.stringify(value) + ']}'.repeat(depth / 2);
  const payloadJson = (word) =>
    '{"incidentDate":' + nested(word) + ',"insured":' + nested(word) + '}';
  const cache = openCache(process.env.CACHE, 'ab'.repeat(32));
  const { id } = sampleCase(1);
  cache.cases.upsert([sampleCase(1, { payloadJson: payloadJson('before') })]);
  cache.cases.upsert([
    sampleCase(1, {
      payloadJson: payloadJson('hagel'),
      lastChangedAt: '2027-01-01T00:00:00Z',
    }),
  ]);
  const record = cache.cases.find(id);
  const { payload } = caseDetail({ cache, work: { overlays: { of: () => new Map() } } }, id);
  const parsed = JSON.parse(payloadJson('hagel'));
  const hinted = { ...record, costEstimateAmount: 1, approvedAmount: 1, reportSent: false, today: '2026-06-15' };
  console.log(JSON.stringify({
    payload,
    found: cache.list({ q: 'hagel' }).total,
    hits: searchHits(record, cache.cases.payloadJson(id), 'hagel').map(({ field }) => field),
    changes: cache.cases.history(id)[0].changes.map(({ field }) => field),
    digested: digestPayload('vehicle', parsed).searchText,
    hints: caseHints({ ...hinted, payload: parsed }).map(({ code }) => code),
  }));
  cache.close();`;

it.each([4000, 400_000])(
  'a payload of %i levels is text to all that reads it, whatever the stack',
  async (depth) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--stack-size=300', '--input-type=module', '--eval', script],
      { env: { ...process.env, DEPTH: String(depth), CACHE: join(dir, 'cache.db') } },
    );
    expect(JSON.parse(stdout)).toEqual({
      payload: null,
      // The words of a text beyond 100,000 characters are not searched.
      found: depth === 4000 ? 1 : 0,
      hits: depth === 4000 ? ['payload'] : [],
      changes: ['payload'],
      digested: 'hagel hagel',
      hints: ['plateMissing', 'phoneMissing'],
    });
  },
);
