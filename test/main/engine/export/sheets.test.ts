import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { CaseSummary } from '#shared/desk/cases/cases.ts';
import { contentOf } from '#main/engine/export/export-cases.ts';
import { wordFor } from '#shared/i18n/catalogue.ts';
import { type Language, languages } from '#shared/i18n/language.ts';
import { caseSummary } from '../../../support/desk-records.ts';

const item = caseSummary({
  createdAt: '2026-01-31T23:30:00.000Z',
  updatedAt: '2026-07-01T10:00:00.000Z',
  lastChangedAt: '2026-07-01T10:00:00.000Z',
  expertComment: '=HYPERLINK("http://x")',
  insurer: { name: 'A & B <AG>', responsible: { name: 'Zoë', email: '', phone: '' } },
  costEstimateRappen: 123_450,
  approvedRappen: 0,
  policyNumber: '12.345',
  inspectionDate: '2026-03-01',
  place: 'Genève;GE',
  pendingCount: 1,
});

async function exported(format: 'csv' | 'xlsx', language: Language, items: CaseSummary[]) {
  const pages = (async function* () {
    await Promise.resolve();
    yield items;
  })();
  return await buffer(contentOf(pages, { format, language, today: '2026-03-10' }));
}

async function sheetOf(...items: CaseSummary[]) {
  const parts = unzipSync(await exported('xlsx', 'de', items));
  return Buffer.from(parts['xl/worksheets/sheet1.xml'] ?? []).toString('utf8');
}

it('csv has a mark, semicolons, and amounts, days and moments of Zurich', async () => {
  expect((await exported('csv', 'fr', [])).toString()).toMatch(
    /^\ufeffNuméro de sinistre;Statut;.*\r\n$/,
  );
  const text = (await exported('csv', 'de', [item])).toString();
  expect(text.split(';')).toEqual(
    expect.arrayContaining(['In Arbeit', '1234.50', '0.00', '2026-03-01', '2026-02-01 00:30:00']),
  );
  expect(text).toContain('"Genève;GE"');
  expect(text).toContain(`"'=HYPERLINK(""http://x"")"`);
});

it.each(languages)(
  'csv in %s has the names of values, never the words of the API',
  async (language) => {
    const text = await exported('csv', language, [
      { ...item, status: 'ExpertCompleted', claimType: 'hail_damage', inspectionType: 'workshop' },
      { ...item, claimType: 'rear_end_collision', subject: 'stationary_machine' },
    ]);
    expect(text.toString()).not.toMatch(/[a-z]_[a-z]|ExpertCompleted|;(vehicle|workshop);/);
    expect(text.toString()).toContain(wordFor(language, 'values', 'rear_end_collision'));
  },
);

describe('xlsx', () => {
  it('writes amounts as numbers, days and moments as serials, texts as texts', async () => {
    const sheet = await sheetOf(item);
    expect(sheet).toContain('<c r="O2" s="2"><v>1234.5</v></c>');
    expect(sheet).toContain('<c r="P2" s="2"><v>0</v></c>');
    // 1 March 2026, and half past midnight on 1 February 2026 in Zurich
    expect(sheet).toContain('<c r="M2" s="3"><v>46082</v></c>');
    expect(sheet).toMatch(/<c r="U2" s="4"><v>46054\.0208333/);
    expect(sheet).toContain('>=HYPERLINK("http://x")</t>');
    expect(sheet).toContain('A &amp; B &lt;AG&gt;');
    expect(sheet).not.toContain('<f>');
    // 37 days since the creation, 9 since the inspection.
    expect(sheet).toContain('<c r="X2" s="0"><v>37</v></c><c r="Y2" s="0"><v>9</v></c>');
    expect(sheet).toContain('<autoFilter ref="A1:Y2"/>');
  });

  it('leaves out what XML does not know', async () => {
    const sheet = await sheetOf({ ...item, place: 'a\u0000\u000b\ud800b' });
    expect(sheet).toContain('>a\ufffdb</t>');
  });
});
