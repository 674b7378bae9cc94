import { unzipSync } from 'fflate';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportColumns } from '#shared/desk/case-export.ts';
import type { CaseSummary } from '#shared/desk/cases.ts';
import { csvHead, csvRow, csvText } from '#main/engine/export/csv.ts';
import { xlsx } from '#main/engine/export/xlsx.ts';

const item: CaseSummary = {
  id: '6f1f5f0e-7b0a-4b2e-9c1d-000000000001',
  externalKey: 'VH-1',
  category: 'vehicle',
  status: 'InProgress',
  createdAt: '2026-01-31T23:30:00.000Z',
  updatedAt: '2026-07-01T10:00:00.000Z',
  lastChangedAt: '2026-07-01T10:00:00.000Z',
  expertComment: '=HYPERLINK("http://x")',
  archiveState: false,
  hailDriveInAccepted: false,
  insurer: { name: 'A & B <AG>', responsible: { name: 'Zoë', email: '', phone: '' } },
  costEstimateAmount: 1234.5,
  approvedAmount: 0,
  savingsAmount: null,
  policyNumber: '12.345',
  claimType: '',
  inspectionType: '',
  inspectionDate: '2026-03-01',
  incidentDate: null,
  partyName: '',
  place: 'Genève;GE',
  licensePlate: 'ZH 1',
  subject: '',
  pendingCount: 1,
  needsAttention: false,
  goneReason: null,
  documentCount: null,
  documentsOnLaptop: 0,
};

async function sheetOf(...items: CaseSummary[]) {
  const chunks: Uint8Array[] = [];
  const pages = (async function* () {
    await Promise.resolve();
    yield items;
  })();
  for await (const chunk of xlsx(pages, exportColumns, 'de')) chunks.push(chunk);
  const parts = unzipSync(Buffer.concat(chunks));
  return Buffer.from(parts['xl/worksheets/sheet1.xml'] ?? []).toString('utf8');
}

describe('csv', () => {
  it('has a mark, semicolons, and amounts, days and moments of Zurich', () => {
    expect(csvHead(exportColumns, 'fr')).toMatch(/^\ufeffCas;Statut;/);
    const cells = csvRow(item, exportColumns, 'de').split(';');
    expect(cells).toContain('In Arbeit');
    expect(cells).toContain('1234.50');
    expect(cells).toContain('0.00');
    expect(cells).toContain('2026-03-01');
    expect(cells).toContain('2026-02-01 00:30:00');
    expect(csvRow(item, exportColumns, 'de')).toContain('"Genève;GE"');
    expect(csvRow(item, exportColumns, 'de')).toMatch(/\r\n$/);
  });

  it('gives back every text, and begins none like a formula', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('', '=', '+', '-', '@', '\t', ' ='),
        (text, head) => {
          const cell = csvText(head + text);
          const read = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
          expect(read.replace(/^'/, '')).toBe((head + text).replace(/^'/, ''));
          expect(read).not.toMatch(/^\s*[=+\-@]/);
          if (!cell.startsWith('"')) expect(cell).not.toMatch(/[;\r\n"]/);
        },
      ),
    );
  });
});

describe('xlsx', () => {
  it('keeps amounts as numbers, days and moments as serials, texts as texts', async () => {
    const sheet = await sheetOf(item);
    expect(sheet).toContain('<c s="2"><v>1234.5</v></c>');
    expect(sheet).toContain('<c s="2"><v>0</v></c>');
    // 1 March 2026, and half past midnight on 1 February 2026 in Zurich
    expect(sheet).toContain('<c s="3"><v>46082</v></c>');
    expect(sheet).toMatch(/<c s="4"><v>46054\.0208333/);
    expect(sheet).toContain('>=HYPERLINK("http://x")</t>');
    expect(sheet).toContain('A &amp; B &lt;AG&gt;');
    expect(sheet).not.toContain('<f>');
  });

  it('leaves out what XML does not know', async () => {
    const sheet = await sheetOf({ ...item, place: 'a\u0000\u000b\ud800b' });
    expect(sheet).toContain('>a\ufffdb</t>');
  });
});
