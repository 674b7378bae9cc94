import { expect, test } from 'vitest';
import { nextTick } from 'vue';
import { commentMaxLength } from '#shared/api/limits.ts';
import BatchTable from '#renderer/pages/batch/BatchTable.vue';
import { type BatchRow, useBatchStore } from '#renderer/stores/batch-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

const row = (part: Partial<BatchRow>): BatchRow => ({
  path: 'SF-2026-000001.pdf',
  file: new File(['a'], 'SF-2026-000001.pdf'),
  match: {
    path: 'SF-2026-000001.pdf',
    caseId: null,
    externalKey: 'SF-2026-000001',
    matchedBy: [],
    confidence: null,
    refusal: null,
    candidates: [],
    isSalvageSale: false,
  },
  externalKey: 'SF-2026-000001',
  isSalvageSale: false,
  comment: '',
  correctedTo: null,
  state: 'open',
  problem: null,
  ...part,
});

test('a comment of a row that is too long is kept whole and says by how much', async () => {
  const desk = createDesk({ count: 1 });
  const batch = useBatchStore(desk.pinia);
  batch.rows = [row({ comment: 'x'.repeat(commentMaxLength + 3) })];
  const { wrapper } = mountPage(BatchTable, desk);
  const field = wrapper.get('textarea');
  expect(field.element.value).toHaveLength(commentMaxLength + 3);
  expect(field.attributes('aria-invalid')).toBe('true');
  expect(wrapper.get('[role=alert]').text()).toMatch(/^3 Zeichen zu viel\./);
  batch.rows = [row({ comment: 'x'.repeat(commentMaxLength) })];
  await nextTick();
  expect(wrapper.find('[role=alert]').exists()).toBe(false);
  wrapper.unmount();
});

test.each([
  ['', null, 'Nichts erkannt. Bitte die Schadennummer eintragen.'],
  ['SCH-1', null, 'von Hand eingetragen'],
  ['SCH-1', 'Anna Keller', 'von Hand: Anna Keller'],
])('a file given to %j and %j says how it came to its case', (externalKey, correctedTo, text) => {
  const desk = createDesk({ count: 1 });
  const match = { ...row({}).match, externalKey: null, refusal: 'nothing_recognized' } as const;
  useBatchStore(desk.pinia).rows = [row({ match, externalKey, correctedTo })];
  const { wrapper } = mountPage(BatchTable, desk);
  expect(wrapper.findAll('td')[1]?.text()).toBe(text);
  wrapper.unmount();
});
