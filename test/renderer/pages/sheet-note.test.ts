import { flushPromises } from '@vue/test-utils';
import { expect, test } from 'vitest';
import type { BatchSheet, SheetChoice } from '#shared/desk/reports/batch.ts';
import SheetNote from '#renderer/pages/batch/SheetNote.vue';
import { emptySheet } from '../fixtures/fake-batch.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

function mountNote(read: Partial<BatchSheet>) {
  const desk = createDesk({ count: 1 });
  const chosen: SheetChoice[] = [];
  desk.handlers.batch.chooseLines = (choice) => {
    chosen.push(choice);
    return { batch: null };
  };
  const sheet = { fileName: 'Werte.xlsx', read: { ...emptySheet(), ...read } };
  const { wrapper } = mountPage(SheetNote, desk, { sheet });
  const press = async (text: string) => {
    await wrapper
      .findAll('button')
      .find((button) => button.text() === text)
      ?.trigger('click');
    await flushPromises();
  };
  return { wrapper, chosen, press };
}

test('a line with two faults names both, and may be left out', async () => {
  const { wrapper, chosen, press } = mountNote({
    problems: [
      { line: 4, problem: { code: 'case_not_found', params: { id: 'Total' } } },
      { line: 4, problem: { code: 'sheet_cell_empty', params: { field: 'approvedRappen' } } },
    ],
    choice: { without: [2], withHidden: false, sheetName: null },
  });
  expect(wrapper.text().match(/Zeile 4:/g)).toHaveLength(1);
  expect(wrapper.text()).toContain('Total');
  expect(wrapper.text()).toContain('«Anerkannter Betrag» ist eine Formel ohne');
  await press('Zeile 4 weglassen');
  expect(chosen).toEqual([{ without: [2, 4], withHidden: false, sheetName: null }]);
});

test('what the sheet hides or nobody uses is named, and hidden lines may be applied', async () => {
  const { wrapper, chosen, press } = mountNote({
    hidden: { lines: [3, 7], columns: ['Kommentar'] },
    unused: ['Partei', 'Farbe'],
  });
  expect(wrapper.text()).toContain('nicht übernommen: «Kommentar», Zeile 3, Zeile 7');
  expect(wrapper.text()).toContain('Nicht verwendete Spalten: Partei, Farbe');
  await press('Ausgeblendete auch übernehmen');
  expect(chosen).toEqual([{ without: [], withHidden: true, sheetName: null }]);
});

test('what will be set is shown before it is queued', () => {
  const item = { line: 2, costEstimateRappen: 1200_50, approvedRappen: null, comment: 'Felge' };
  const target = { externalKey: 'SCH-1', partyName: 'Anna Keller', subject: '', licensePlate: '' };
  const { wrapper } = mountNote({
    items: Array.from({ length: 12 }, (_, at) => ({
      ...item,
      line: at + 2,
      case: { ...target, id: String(at), problem: null, awaits: false },
    })),
  });
  expect(wrapper.findAll('tbody tr')).toHaveLength(10);
  expect(wrapper.get('tbody tr').text()).toContain('Anna Keller · SCH-11’200.50Felge');
  expect(wrapper.text()).toContain('Alle 12 anzeigen');
});
