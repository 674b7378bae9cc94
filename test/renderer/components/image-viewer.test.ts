import { afterEach, beforeEach, expect, test } from 'vitest';
import { nextTick } from 'vue';
import ImageViewer from '#renderer/components/document/ImageViewer.vue';
import { mountView } from '../fixtures/mount-view.ts';

// The place that the viewer puts its buttons into.
beforeEach(() => {
  document.body.innerHTML = '<div id="viewer-tools"></div>';
});
afterEach(() => {
  document.body.innerHTML = '';
});

const turned = (view: ReturnType<typeof mountView>) =>
  view.get('img').element.style.transform === 'rotate(90deg)';

test.each([
  [{ key: 'r' }, true],
  [{ key: 'R', shiftKey: true }, true],
  [{ key: 'r', ctrlKey: true }, false],
  [{ key: 'r', metaKey: true }, false],
  [{ key: 'r', altKey: true }, false],
  [{ key: 'x' }, false],
])('%j turns the picture: %s', async (key, expected) => {
  const view = mountView(ImageViewer, { props: { url: 'a.jpg', name: 'a.jpg' } });
  const event = new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true });
  view.get('.stage').element.dispatchEvent(event);
  await nextTick();
  expect(turned(view)).toBe(expected);
  // What it does not take is the browser's.
  expect(event.defaultPrevented).toBe(expected);
  view.unmount();
});

test.each(['+', '-', '0'])('Ctrl and %s zoom the window, not the picture', (key) => {
  const view = mountView(ImageViewer, { props: { url: 'a.jpg', name: 'a.jpg' } });
  const event = new KeyboardEvent('keydown', { key, ctrlKey: true, cancelable: true });
  view.get('.stage').element.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(false);
  view.unmount();
});
