import { expect, test } from 'vitest';
import { commentMaxLength } from '#shared/api/limits.ts';
import type { BatchCase } from '#shared/desk/batch.ts';
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
    case: null,
    matchedBy: [],
    confidence: null,
    refusal: null,
    candidates: [],
    choices: [],
    isSalvageSale: false,
  },
  typed: 'SF-2026-000001',
  target: null,
  isCorrected: false,
  choices: [],
  fileProblem: null,
  isSalvageSale: false,
  comment: '',
  state: 'open',
  problem: null,
  ...part,
});

test('a comment of a row that is too long stays whole and shows by how much', async () => {
  const desk = createDesk({ count: 1 });
  const batch = useBatchStore(desk.pinia);
  batch.rows = [row({ comment: 'x'.repeat(commentMaxLength + 3) })];
  const { wrapper } = mountPage(BatchTable, desk, { shown: batch.rows });
  const field = wrapper.get('textarea');
  expect(field.element.value).toHaveLength(commentMaxLength + 3);
  expect(field.attributes('aria-invalid')).toBe('true');
  expect(wrapper.get('[role=alert]').text()).toMatch(/^3 Zeichen zu viel\./);
  batch.rows = [row({ comment: 'x'.repeat(commentMaxLength) })];
  await wrapper.setProps({ shown: batch.rows });
  expect(wrapper.find('[role=alert]').exists()).toBe(false);
});

const keller: BatchCase = {
  id: '6f1f5f0e-7b0a-4b2e-9c1d-000000000001',
  externalKey: 'SCH-1',
  partyName: 'Anna Keller',
  subject: 'VW Golf',
  licensePlate: 'ZH 1234',
  problem: null,
};

test.each([
  [{ typed: '' }, 'Nichts erkannt. Bitte die Schadennummer eintragen.'],
  [{ isCorrected: true, typed: 'SCH' }, ''],
  [{ isCorrected: true, typed: 'SCH-1', target: keller }, 'von Hand eingetragen'],
])('a file with %j shows how it was matched', (part, text) => {
  const desk = createDesk({ count: 1 });
  const match = { ...row({}).match, externalKey: null, refusal: 'nothing_recognized' } as const;
  const shown = [row({ match, ...part })];
  useBatchStore(desk.pinia).rows = shown;
  const { wrapper } = mountPage(BatchTable, desk, { shown });
  expect(wrapper.get('.how').text()).toBe(text);
});

test('a match names party and vehicle, shows that the case is closed, and offers what else is meant', async () => {
  const desk = createDesk({ count: 1 });
  const batch = useBatchStore(desk.pinia);
  const closed = {
    ...keller,
    problem: { code: 'case_state', params: { status: 'Final' } },
  } as const;
  batch.rows = [row({ target: closed, choices: [keller] })];
  const { wrapper } = mountPage(BatchTable, desk, { shown: batch.rows });
  expect(wrapper.get('td').text()).toContain('Anna Keller, VW Golf, ZH 1234');
  expect(wrapper.get('tbody th').text()).toContain('«Abgeschlossen»');
  await wrapper.get('.choices button').trigger('click');
  expect(batch.rows[0]).toMatchObject({ target: keller, typed: 'SCH-1' });
});
