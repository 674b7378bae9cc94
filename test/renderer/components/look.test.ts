import { expect, test } from 'vitest';
import BatchTable from '#renderer/components/batch/BatchTable.vue';
import DayField from '#renderer/components/common/DayField.vue';
import HitLine from '#renderer/components/list/HitLine.vue';
import { mountView } from '../fixtures/mount-view.ts';

test('a day before the beginning of its stretch is told, once it is typed', async () => {
  const view = mountView(DayField, {
    props: { modelValue: '2026-03-01', label: 'Bis', from: '2026-03-09' },
  });
  expect(view.text()).toContain('Liegt vor dem Anfang (09.03.2026)');
  await view.setProps({ modelValue: '2026-03-09' });
  expect(view.text()).not.toContain('Liegt vor dem Anfang');
  await view.setProps({ modelValue: '2026-03-01', from: '' });
  expect(view.text()).not.toContain('Liegt vor dem Anfang');
});

test.each([
  [{ field: 'name', section: 'workshop' }, 'Werkstatt, Name: Garage Frei'],
  [{ field: 'name', section: 'insured' }, 'Versicherte Person, Name: Garage Frei'],
  [{ field: 'name' }, 'Name: Garage Frei'],
  [{ field: 'name', section: 'somethingNew' }, 'Name: Garage Frei'],
  [{ field: 'insurer' }, 'Versicherer: Garage Frei'],
])('a hit says whose it is: %j', (place, text) => {
  const view = mountView(HitLine, {
    props: { q: 'frei', hits: [{ ...place, text: 'Garage Frei' }] },
  });
  expect(view.text()).toBe(text);
});

test.each([
  ['', null, 'Nichts erkannt. Bitte die Schadennummer eintragen.'],
  ['SCH-1', null, 'von Hand eingetragen'],
  ['SCH-1', 'Anna Keller', 'von Hand: Anna Keller'],
])('a file given to %j and %j is told by what stands there now', (externalKey, to, text) => {
  const match = {
    path: 'a.pdf',
    caseId: null,
    externalKey: null,
    confidence: null,
    matchedBy: [],
    isSalvageSale: false,
    refusal: 'nothing_recognized',
    candidates: [],
  };
  const row = { path: 'a.pdf', match, externalKey, isSalvageSale: false, comment: '' };
  const rows = [{ ...row, correctedTo: to, state: 'open', problem: null }];
  const view = mountView(BatchTable, { props: { rows, busy: false } });
  expect(view.findAll('td')[1]?.text()).toBe(text);
});
