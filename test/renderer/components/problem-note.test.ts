import { expect, test, vi } from 'vitest';
import ProblemNote from '../../../renderer/components/common/ProblemNote.vue';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

test('a problem says what one can do, once one asks', async () => {
  const problem = { code: 'case_awaits', params: { status: 'Assigned' } };
  const { wrapper } = mountPage(ProblemNote, createDesk({ count: 1 }), { problem });
  const [advice] = wrapper.findAll('details');
  expect(advice?.get('summary').text()).toBe('Was kann ich tun?');
  expect(wrapper.text()).not.toContain('Fragen Sie zuerst in Ihrem Büro');
  await advice?.trigger('toggle');
  await vi.waitFor(() => expect(wrapper.text()).toContain('Fragen Sie zuerst in Ihrem Büro'));
});
