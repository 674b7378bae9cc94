import { expect, test } from 'vitest';
import { commentMaxLength } from '#shared/api/limits.ts';
import type { BatchCase } from '#shared/desk/batch.ts';
import BatchTable from '#renderer/pages/batch/BatchTable.vue';
import type { ShownRow } from '#renderer/stores/batch-store.ts';
import { batchRow } from '../fixtures/fake-batch.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

const row = (part: Partial<ShownRow>): ShownRow => ({
  ...batchRow({ path: 'SF-2026-000001.pdf', ...part }),
  state: 'open',
  searchProblem: null,
  ...part,
});

function mountTable(...shown: ShownRow[]) {
  const desk = createDesk({ count: 1 });
  return mountPage(BatchTable, desk, { shown });
}

test('a comment of a row that is too long stays whole and shows by how much', async () => {
  const { wrapper } = mountTable(row({ comment: 'x'.repeat(commentMaxLength + 3) }));
  const field = wrapper.get('textarea');
  expect(field.element.value).toHaveLength(commentMaxLength + 3);
  expect(field.attributes('aria-invalid')).toBe('true');
  expect(wrapper.get('[role=alert]').text()).toMatch(/^3 Zeichen zu viel\./);
  await wrapper.setProps({ shown: [row({ comment: 'x'.repeat(commentMaxLength) })] });
  expect(wrapper.find('[role=alert]').exists()).toBe(false);
});

const keller: BatchCase = {
  id: '6f1f5f0e-7b0a-4b2e-9c1d-000000000001',
  externalKey: 'SCH-1',
  partyName: 'Anna Keller',
  subject: 'VW Golf',
  licensePlate: 'ZH 1234',
  problem: null,
  awaits: false,
};
const final = { code: 'case_state', params: { status: 'Final' } } as const;
const empty = { code: 'file_empty', params: { fileName: 'a.pdf' } } as const;

test.each([
  [{ typed: '' }, 'Nichts erkannt. Bitte die Schadennummer eintragen.'],
  [
    {
      refusal: 'unknown_case' as const,
      matchedBy: [{ kind: 'externalKey' as const, identifier: 'SCH-9', in: 'file' as const }],
    },
    'Kein Fall auf diesem Gerät hat diese Schadennummer: SCH-9',
  ],
  [{ isCorrected: true, typed: 'SCH', refusal: null }, ''],
  [
    { isCorrected: true, typed: 'SCH-1', refusal: null, caseId: keller.id, case: keller },
    'von Hand eingetragen',
  ],
])('a file with %j shows how it was matched', (part, text) => {
  const { wrapper } = mountTable(row(part));
  expect(wrapper.get('.how').text()).toBe(text);
});

test('a match names party and vehicle, and every fault of the file and its case', () => {
  const problems = [empty, final];
  const { wrapper } = mountTable(
    row({ outcome: 'refused', caseId: keller.id, case: keller, problem: empty, problems }),
  );
  expect(wrapper.get('td').text()).toContain('Anna Keller, VW Golf, ZH 1234');
  expect(wrapper.get('tbody th').text()).toContain('«Abgeschlossen»');
  expect(wrapper.get('tbody th').text()).toContain('ist leer');
});

test('cases that may be meant are offered while the file has none', () => {
  const { wrapper } = mountTable(row({ choices: [keller] }));
  expect(wrapper.get('.choices button').text()).toContain('Anna Keller');
  const chosen = mountTable(row({ caseId: keller.id, case: keller, choices: [keller] }));
  expect(chosen.wrapper.find('.choices').exists()).toBe(false);
});

test.each([
  [{ outcome: 'kept_back' }, 'Wartet: Eine andere Datei dieses Falls'],
  [{ outcome: 'duplicate' }, 'Derselbe Inhalt'],
  [{ outcome: 'missing' }, 'Noch nicht hinzugefügt.'],
  [{ outcome: 'known' }, 'Schon in einem Entwurf dieses Falls'],
  [{ outcome: 'known', queueId: 7, queueState: 'unknown' }, 'schon im Postausgang'],
  [{ outcome: 'known', queueId: 7, queueState: 'delivered' }, 'schon zugestellt'],
] as const)('a file that is %j says why it does not go by itself', (part, text) => {
  const { wrapper } = mountTable(row({ caseId: keller.id, case: keller, ...part }));
  const heading = wrapper.get('tbody th').text();
  expect(heading).toContain(text);
  expect(heading.includes('Trotzdem senden')).toBe('queueId' in part);
});
