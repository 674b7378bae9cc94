import { flushPromises } from '@vue/test-utils';
import { expect, test } from 'vitest';
import DropArea from '#renderer/components/report/DropArea.vue';
import { fileEntry, folderEntry, transferOf } from '../fixtures/dropped.ts';
import { mountView } from '../fixtures/mount-view.ts';

test('a folder that is dropped on a report brings its files, beside the single ones', async () => {
  const wrapper = mountView(DropArea, { props: { maxBytes: 1000 } });
  const photos = folderEntry('Fotos', [fileEntry('Fotos/2.jpg'), fileEntry('Fotos/1.jpg')]);
  const dropped = new Event('drop', { bubbles: true, cancelable: true });
  Object.assign(dropped, { dataTransfer: transferOf(fileEntry('Gutachten.pdf'), photos) });
  await flushPromises();
  wrapper.get('.zone').element.dispatchEvent(dropped);
  await flushPromises();
  const [files] = wrapper.emitted<[File[]]>('files')?.[0] ?? [];
  expect(files?.map(({ name }) => name)).toEqual(['Gutachten.pdf', '1.jpg', '2.jpg']);
  expect(wrapper.emitted('files')).toHaveLength(1);
  wrapper.unmount();
});
