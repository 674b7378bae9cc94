import { describe, expect, it, beforeEach } from 'vitest';
import { searchHits } from '#main/engine/cache/case-search.ts';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { caseSummary } from '../../../support/desk-records.ts';
import { testFolder } from '../support/test-engine.ts';

const record = caseSummary({
  externalKey: 'SF-2026-000001',
  status: 'Accepted',
  expertComment: 'Stossstange links ersetzt',
  insurer: { name: 'Muster AG', responsible: { name: 'Anna Keller', email: '', phone: '' } },
  policyNumber: '',
  partyName: 'Zoé Müller',
  place: '8630 Rüti',
  postalCode: '8630',
  licensePlate: 'ZH 123 456',
  subject: 'Skoda Octavia',
});
const payload = (value: unknown) => JSON.stringify(value);
const hitsIn = (json: string, q: string, note = '') => searchHits(record, json, q, note);

describe('why a case was found', () => {
  it.each([
    ['nothing that its row shows', 'muller zh123456 ruti', {}, []],
    ['the comment', 'stoss', {}, [{ field: 'comment', text: 'Stossstange links ersetzt' }]],
    ['the person at the insurer', 'keller', {}, [{ field: 'responsible', text: 'Anna Keller' }]],
    [
      'only what the row leaves open',
      'müller garage',
      { workshop: { name: 'Garage Frei' } },
      [{ field: 'name', section: 'workshop', text: 'Garage Frei' }],
    ],
    [
      'a list by the name of the list',
      'kratzer',
      { damages: ['Beule', 'Kratzer vorne'] },
      [{ field: 'damages', text: 'Kratzer vorne' }],
    ],
    ['a number', '4711', { mileage: 47110 }, [{ field: 'mileage', text: '47110' }]],
    ['the insurer', 'muster', {}, [{ field: 'insurer', text: 'Muster AG' }]],
    [
      'a member by its name, within the top member',
      'kratzer',
      { damages: { parts: [{ side: { text: 'Kratzer vorne' } }] } },
      [{ field: 'text', section: 'damages', text: 'Kratzer vorne' }],
    ],
    [
      'a list by its name, within the top member',
      'kratzer',
      { vehicle: { damages: ['Kratzer vorne'] } },
      [{ field: 'damages', section: 'vehicle', text: 'Kratzer vorne' }],
    ],
    [
      'two places at most, in their order',
      'beule kratzer riss',
      { a: 'Beule', b: 'Kratzer', c: 'Riss' },
      [
        { field: 'a', text: 'Beule' },
        { field: 'b', text: 'Kratzer' },
      ],
    ],
    ['each word once', 'beule', { a: 'Beule', b: 'Beule' }, [{ field: 'a', text: 'Beule' }]],
    [
      'of two words in a place the first one',
      'hagel beule',
      { a: 'Beule und Hagel' },
      [{ field: 'a', text: 'Beule und Hagel' }],
    ],
    ['no value that is neither a text nor a number', 'true null', { a: true, b: null }, []],
    ['nothing for no words', ' - ', { a: 'Beule' }, []],
  ])('tells %s', (_, q, value, expected) => {
    expect(hitsIn(payload(value), q)).toEqual(expected);
  });

  it.each(['000001', 'zoe', 'octavia', 'zh123456', '8630'])(
    'does not tell where else %s stands, which the row shows',
    (q) => {
      const shown = ['SF-2026-000001', 'Zoé Müller', 'Skoda Octavia', 'ZH 123 456', '8630 Rüti'];
      expect(hitsIn(payload({ list: shown }), q)).toEqual([]);
      expect(hitsIn(payload({ list: [...shown, 'Beule'] }), `${q} beule`)).toMatchObject([
        { text: 'Beule' },
      ]);
    },
  );

  it('tells the words of the note, whose place is no part of the payload', () => {
    expect(hitsIn('{}', 'hagel', 'Hagel?')).toEqual([{ field: 'note', text: 'Hagel?' }]);
    expect(hitsIn('{}', 'hagel')).toEqual([]);
  });

  it('searches as many values and signs as a case has that is no attack', () => {
    const list = (count: number) => payload({ list: [...Array<string>(count).fill('x'), 'Hagel'] });
    // The payload and the list are values, too.
    expect(hitsIn(list(1997), 'hagel')).toHaveLength(1);
    expect(hitsIn(list(1998), 'hagel')).toEqual([]);
    const lists = {
      a: Array<string>(1500).fill('x'),
      b: [...Array<string>(1500).fill('x'), 'Hagel'],
    };
    expect(hitsIn(payload(lists), 'hagel')).toEqual([]);
    const behind = (length: number) => payload({ a: 'x'.repeat(length), b: 'Hagel' });
    expect(hitsIn(behind(199_900), 'hagel')).toHaveLength(1);
    expect(hitsIn(behind(200_000), 'hagel')).toEqual([]);
    const longer = `Hagel ${'y'.repeat(1000)}`;
    expect(hitsIn(payload({ a: 'x'.repeat(200_000), b: longer }), 'hagel')).toEqual([]);
    const within = (length: number) => payload({ a: `${' '.repeat(length)}Hagel` });
    expect(hitsIn(within(199_900), 'hagel')).toHaveLength(1);
    expect(hitsIn(within(200_000), 'hagel')).toEqual([]);
    const broken = (length: number) => `{${' '.repeat(length)}Hagel`;
    expect(hitsIn(broken(19_900), 'hagel')).toHaveLength(1);
    expect(hitsIn(broken(20_000), 'hagel')).toEqual([]);
  });

  it('cuts a long text around the word', () => {
    const text = `${'vorher '.repeat(40)}Windschutzscheibe ${'nachher '.repeat(40)}`;
    const [hit] = hitsIn(payload({ description: text }), 'windschutz');
    expect(hit?.text).toMatch(/^… (vorher )+Windschutzscheibe (nachher )+.* …$/);
    expect(hit?.text.length).toBeLessThan(110);
  });

  it.each([
    ['stands behind a long text without a space', 'a-'.repeat(60), ''],
    ['ends a long text', `${'vorher '.repeat(10)}${'a-'.repeat(60)}`, ''],
    ['stands before a long text', 'vorher '.repeat(10), '-a'.repeat(60)],
  ])('shows the word that %s', (_, before, after) => {
    const text = `${before}Windschutz${after}`;
    const [hit] = hitsIn(payload({ description: text }), 'windschutz');
    expect(hit?.text).toContain('Windschutz');
    expect(hit?.text.length).toBeLessThan(110);
  });

  it('shows a payload that cannot be read as text', () => {
    expect(hitsIn('{"broken words', 'word')).toEqual([
      { field: 'payload', text: '{"broken words' },
    ]);
    const deep = `${'['.repeat(5000)}"Hagelschlag"${']'.repeat(5000)}`;
    expect(hitsIn(deep, 'hagel')).toEqual([
      { field: 'payload', text: expect.stringContaining('Hagelschlag') as string },
    ]);
  });
});

let dir: string;
beforeEach(() => {
  dir = testFolder();
});

/** What a desk reads of a payload, in a process with a third of the usual stack. */
const script = `
  import { caseDetail } from '#main/engine/cases/case-view.ts';
  import { openCache } from '#main/engine/cache/open-cache.ts';
  import { searchHits } from '#main/engine/cache/case-search.ts';
  import { caseHints } from '#shared/payload/hints.ts';
  import { digestPayload } from '#shared/payload/digest.ts';
  import { sampleCase } from './test/main/engine/support/test-engine.ts';

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
  const work = {
    overlays: { of: () => new Map() },
    local: { handlersOf: () => new Map() },
    outbox: { rows: { hasDeliveredReport: () => false } },
  };
  const { payload } = caseDetail({ cache, work }, id);
  const parsed = JSON.parse(payloadJson('hagel'));
  const hinted = { ...record, costEstimateRappen: 100, approvedRappen: 100, reportSent: false, today: '2026-06-15' };
  console.log(JSON.stringify({
    payload,
    found: cache.list({ q: 'hagel' }).total,
    hits: searchHits(record, cache.cases.payloadJson(id), 'hagel', '').map(({ field }) => field),
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
