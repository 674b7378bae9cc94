import { flushPromises } from '@vue/test-utils';
import { expect, test } from 'vitest';
import CommentField from '#renderer/components/common/CommentField.vue';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

const block = { id: 'a', name: 'gs', text: 'Guten Tag' };

async function leaveField(locked: boolean) {
  const desk = createDesk({ count: 1 });
  const { wrapper } = mountPage(CommentField, desk, {
    modelValue: '/gs',
    label: 'Kommentar',
    rows: 3,
    locked,
    blocks: [block],
  });
  await wrapper.get('textarea').trigger('blur');
  await flushPromises();
  const field = wrapper.getComponent(CommentField);
  return [field.emitted('update:modelValue'), field.emitted('rest')];
}

test('a field that is left completes a code; a locked one changes nothing', async () => {
  expect(await leaveField(false)).toEqual([[['Guten Tag']], [[]]]);
  expect(await leaveField(true)).toEqual([undefined, undefined]);
});
