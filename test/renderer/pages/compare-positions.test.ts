import { flushPromises } from '@vue/test-utils';
import { describe, expect, test } from 'vitest';
import type { CasePositions, DocumentEstimate } from '#shared/desk/reports/positions.ts';
import ComparePositions from '#renderer/pages/case/ComparePositions.vue';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

const estimateOf = (...lines: readonly [string, number][]): DocumentEstimate['estimate'] => {
  const positions = lines.map(([text, rappen], at) => ({ number: String(at + 1), text, rappen }));
  const sumRappen = lines.reduce((sum, [, rappen]) => sum + rappen, 0);
  const more = { taxRappen: null, taxRate: null, roundingRappen: 0 };
  return { positions, sumRappen, totalRappen: sumRappen, ...more };
};
const mine = {
  documentId: 'd1',
  fileName: 'Kostenvoranschlag.pdf',
  estimate: estimateOf(['Spengler', 120_000], ['Farbe', 30_000]),
};
const theirs = {
  documentId: 'd2',
  fileName: 'Rechnung.pdf',
  estimate: estimateOf(['Spengler', 100_000], ['Glas', 5000]),
};

function mountCompare(
  items: CasePositions['items'],
  more: Partial<CasePositions> = {},
  locked = false,
) {
  const desk = createDesk({ count: 1 });
  const chosen: unknown[] = [];
  desk.engine.documents.choosePositions = (input) => {
    chosen.push(input);
    return Promise.resolve({ items: [], total: 0, report: null, isChosen: true });
  };
  const positions = { items, total: items.length, report: null, isChosen: false, ...more };
  const props = { caseId: 'case', positions, locked, modelValue: true };
  const { wrapper } = mountPage(ComparePositions, desk, props);
  const dialog = () => document.querySelector<HTMLElement>('[role=dialog]');
  const rows = () =>
    [...(dialog()?.querySelectorAll('tr') ?? [])].map((row) =>
      [...row.children].map((one) => one.textContent.replaceAll(/\s+/g, ' ').trim()).join(' | '),
    );
  const press = async (name: string) => {
    const buttons = [...(dialog()?.querySelectorAll('button') ?? [])];
    buttons.find((one) => one.textContent.trim() === name)?.click();
    await flushPromises();
  };
  return { wrapper, dialog, rows, press, chosen };
}

describe('lines of two documents', () => {
  test('stand next to each other with their differences, the cuts and the assessed amount', async () => {
    const { wrapper, dialog, rows, press } = mountCompare([mine, theirs]);
    await flushPromises();
    expect(rows()).toEqual([
      'Nr. | Position | Kostenvoranschlag.pdf | Rechnung.pdf | Differenz',
      '1 | Spengler | 1’200.00 | 1’000.00 | −200.00',
      '2 | Farbe (nur in Kostenvoranschlag.pdf) | 300.00 |  | −300.00',
      '2 | Glas (nur in Rechnung.pdf) |  | 50.00 | +50.00',
      'Summe der Positionen | 1’500.00 | 1’050.00 | −450.00',
      'Totalbetrag | 1’500.00 | 1’050.00 | −450.00',
    ]);
    const text = dialog()?.textContent.replaceAll('\u00a0', ' ');
    expect(text).toContain('CHF 500.00');
    expect(text).toContain('CHF 1’000.00');
    await press('Als anerkannten Betrag einsetzen');
    expect(wrapper.emitted('assess')).toEqual([[100_000]]);
  });

  test('are chosen for the reports, and the choice can be taken back', async () => {
    const { wrapper, press, chosen } = mountCompare([mine, theirs]);
    await flushPromises();
    await press('In Berichten verwenden');
    expect(chosen).toEqual([{ id: 'case', documentId: 'd1', against: 'd2' }]);
    wrapper.unmount();
    const report = { first: mine, second: theirs };
    const again = mountCompare([mine, theirs], { report, isChosen: true });
    await flushPromises();
    await again.press('Nicht verwenden');
    expect(again.chosen).toEqual([{ id: 'case', documentId: null, against: null }]);
  });

  test('of one document have no comparison, and a closed case no assessed amount', async () => {
    const alone = mountCompare([mine]);
    await flushPromises();
    expect(alone.rows()[0]).toBe('Nr. | Position | Betrag');
    expect(alone.dialog()?.textContent).not.toContain('Kürzungen');
    alone.wrapper.unmount();
    const locked = mountCompare([mine, theirs], {}, true);
    await flushPromises();
    expect(locked.dialog()?.textContent).not.toContain('Als anerkannten Betrag');
  });
});
