import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nextTick } from 'vue';
import DocumentViewer from '#renderer/components/document/DocumentViewer.vue';
import ImageViewer from '#renderer/components/document/ImageViewer.vue';
import { PhotoError } from '#renderer/lib/photos/photo-tasks.ts';
import { photoStudioKey, type PhotoStudio } from '#renderer/lib/photos/photo-studio.ts';
import { makeScan } from '../../support/sample-files.ts';
import { mountView } from '../fixtures/mount-view.ts';

// The place that the viewer puts its buttons into.
beforeEach(() => {
  document.body.innerHTML = '<div id="viewer-tools"></div>';
});
afterEach(() => {
  document.body.innerHTML = '';
  vi.unstubAllGlobals();
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
});

test.each(['+', '-', '0'])('Ctrl and %s zoom the window, not the picture', (key) => {
  const view = mountView(ImageViewer, { props: { url: 'a.jpg', name: 'a.jpg' } });
  const event = new KeyboardEvent('keydown', { key, ctrlKey: true, cancelable: true });
  view.get('.stage').element.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(false);
});

test('an original TIFF is shown page by page; a page that cannot be shown names the reason', async () => {
  const scan = new Uint8Array(makeScan([200, 120]));
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(scan)));
  const run = vi.fn(({ page }: { page: number }) =>
    page === 0
      ? Promise.resolve({ jpeg: new Blob(['page']), width: 120, height: 160, pages: 2 })
      : Promise.reject(new PhotoError('too_large')),
  );
  // One task is asked for: a page as a picture.
  const studio = { run } as unknown as PhotoStudio;
  const file = { id: 'a', fileName: 'a.tif', contentType: 'image/tiff', sizeBytes: scan.length };
  const view = mountView(DocumentViewer, {
    props: { documents: [file], current: 'a', url: () => 'a.tif', beside: true },
    provide: { [photoStudioKey]: studio },
  });
  await vi.waitFor(() => expect(view.get('img').attributes('src')).toMatch(/^blob:/));
  const button = (name: string) =>
    document.querySelector<HTMLButtonElement>(`#viewer-tools [aria-label="${name}"]`);
  expect(button('Vorherige Seite')?.disabled).toBe(true);
  button('Nächste Seite')?.click();
  await vi.waitFor(() => expect(view.text()).toContain('Das Bild hat zu viele Pixel.'));
  expect(run).toHaveBeenLastCalledWith(expect.objectContaining({ kind: 'picture', page: 1 }));
  button('Vorherige Seite')?.click();
  await vi.waitFor(() => expect(view.find('img').exists()).toBe(true));
});
