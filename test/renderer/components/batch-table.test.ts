import { expect, test } from 'vitest';
import { commentMaxLength } from '#shared/api/limits.ts';
import BatchTable from '#renderer/components/batch/BatchTable.vue';
import { mountView } from '../fixtures/mount-view.ts';

const row = (comment: string) => ({
  path: 'SF-2026-000001.pdf',
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
  comment,
  correctedTo: null,
  state: 'open',
  problem: null,
});

test('a comment of a row that is too long is kept whole and says by how much', async () => {
  const wrapper = mountView(BatchTable, {
    props: { rows: [row('x'.repeat(commentMaxLength + 3))], busy: false },
  });
  const field = wrapper.get('textarea');
  expect(field.element.value).toHaveLength(commentMaxLength + 3);
  expect(field.attributes('aria-invalid')).toBe('true');
  expect(wrapper.get('[role=alert]').text()).toMatch(/^3 Zeichen zu viel\./);
  await wrapper.setProps({ rows: [row('x'.repeat(commentMaxLength))] });
  expect(wrapper.find('[role=alert]').exists()).toBe(false);
  wrapper.unmount();
});
