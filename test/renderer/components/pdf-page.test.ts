import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import PdfPage from '#renderer/components/document/PdfPage.vue';
import { mountView } from '../fixtures/mount-view.ts';

/** A text layer of one part, without pdf.js, which needs a browser that draws. */
vi.mock('pdfjs-dist', () => ({
  AnnotationMode: { ENABLE: 1, ENABLE_STORAGE: 3 },
  TextLayer: class {
    readonly textDivs: HTMLElement[] = [];
    readonly container: HTMLElement;
    constructor(options: { container: HTMLElement }) {
      this.container = options.container;
    }
    render() {
      const span = document.createElement('span');
      span.textContent = 'Zürich';
      this.container.append(span);
      this.textDivs.push(span);
      return Promise.resolve();
    }
    cancel = () => undefined;
  },
}));

interface Sight {
  readonly isIntersecting: boolean;
  readonly time: number;
}
/** Scrolls the page that was mounted last out of sight. */
let leave = (): void => undefined;
/** Every observed element comes into view; a busy window gets both reports at once. */
class SeeingObserver {
  readonly #seen: (entries: Sight[]) => void;
  constructor(seen: (entries: Sight[]) => void) {
    this.#seen = seen;
    leave = () => seen([{ isIntersecting: false, time: 3 }]);
  }
  observe() {
    this.#seen([
      { isIntersecting: false, time: 1 },
      { isIntersecting: true, time: 2 },
    ]);
  }
  unobserve = () => undefined;
  disconnect = () => undefined;
}
beforeEach(() => vi.stubGlobal('IntersectionObserver', SeeingObserver));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A document of one page that, like pdf.js, refuses to draw twice on one canvas. */
function onePage(annotations: readonly object[] = []) {
  const drawnOn = new Set<unknown>();
  const rendered = vi.fn();
  const cleanup = vi.fn();
  const page = {
    cleanup,
    getViewport: ({ scale }: { scale: number }) => ({ width: 100 * scale, height: 100 * scale }),
    getTextContent: () =>
      Promise.resolve({ items: [{ str: 'Zürich', hasEOL: false }], styles: {}, lang: null }),
    getAnnotations: () => Promise.resolve(annotations),
    render({ canvas, annotationMode }: { canvas: unknown; annotationMode: number }) {
      rendered(annotationMode);
      if (drawnOn.has(canvas)) throw new Error('Cannot use the same canvas');
      drawnOn.add(canvas);
      return { promise: Promise.resolve(), cancel: () => drawnOn.delete(canvas) };
    },
  };
  return { page, rendered, cleanup };
}

/** The first page, which waits for no other. */
const first = {
  number: 1,
  scale: 1,
  expected: { width: 100, height: 100 },
  inTurn: (draw: () => Promise<void>) => draw(),
};
const hit = { page: 1, start: 0, end: 6 };

test('of two drawings only the newer one continues', async () => {
  const { page, rendered } = onePage();
  const given: ((value: typeof page) => void)[] = [];
  const pdf = { getPage: () => new Promise((resolve) => given.push(resolve)) };
  const view = mountView(PdfPage, {
    props: { pdf, ...first, hits: [], current: null },
  });
  await flushPromises();
  await view.setProps({ scale: 2 });
  expect(given).toHaveLength(2);
  for (const give of given) give(page);
  await flushPromises();
  expect(rendered).toHaveBeenCalledOnce();
  expect(view.text()).toBe('Zürich');
});

test('a hit is brought into view once, and one can scroll away from it', async () => {
  const { page } = onePage();
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue();
  const pdf = { getPage: () => Promise.resolve(page) };
  const view = mountView(PdfPage, {
    props: { pdf, ...first, hits: [hit], current: hit },
  });
  await flushPromises();
  expect(scrolled).toHaveBeenCalledTimes(1);
  await view.setProps({ hits: [hit] });
  await view.setProps({ scale: 2 });
  await flushPromises();
  expect(scrolled).toHaveBeenCalledTimes(1);
  // Going to it again is another request.
  await view.setProps({ current: { ...hit } });
  expect(scrolled).toHaveBeenCalledTimes(2);
});

test('the value of a form’s field that has no picture is drawn, and of others their picture', async () => {
  const field = { subtype: 'Widget', fieldType: 'Tx', fieldValue: 'CHF 4750.00' };
  const { page, rendered } = onePage([
    { ...field, id: '1R', hasAppearance: false },
    { ...field, id: '2R', hasAppearance: true },
    { ...field, id: '3R', hasAppearance: false, fieldValue: '' },
    { subtype: 'Link', id: '4R' },
    { subtype: 'Widget', id: '5R', radioButton: true, buttonValue: null, hasAppearance: false },
  ]);
  const setValue = vi.fn();
  const pdf = { getPage: () => Promise.resolve(page), annotationStorage: { setValue } };
  const view = mountView(PdfPage, {
    props: { pdf, ...first, hits: [], current: null },
  });
  await flushPromises();
  expect(view.emitted('unknownChoice')).toHaveLength(1);
  expect(setValue.mock.calls).toEqual([['1R', { value: 'CHF 4750.00' }]]);
  expect(rendered).toHaveBeenCalledWith(3);
});

const radio = { subtype: 'Widget', radioButton: true, buttonValue: null };
test.each([
  ['has no picture', { ...radio, hasAppearance: false, fieldValue: null }, 1],
  // pdf.js claims a picture for it if the form leaves all pictures to the reader.
  ['is left to the reader', { ...radio, hasAppearance: true, fieldValue: 'ja' }, 1],
  ['shows its open state', { ...radio, hasAppearance: true, fieldValue: 'Off' }, undefined],
  ['is known', { ...radio, hasAppearance: true, fieldValue: 'ja', buttonValue: 'ja' }, undefined],
])('a radio button that %s', async (_what, annotation, times) => {
  const { page } = onePage([annotation]);
  const pdf = { getPage: () => Promise.resolve(page), annotationStorage: { setValue: vi.fn() } };
  const view = mountView(PdfPage, { props: { pdf, ...first, hits: [], current: null } });
  await flushPromises();
  expect(view.emitted('unknownChoice')?.length).toBe(times);
});

test('a page that is drawn leaves nothing else in memory', async () => {
  const { page, rendered, cleanup } = onePage();
  const pdf = { getPage: () => Promise.resolve(page) };
  mountView(PdfPage, {
    props: { pdf, ...first, hits: [], current: null },
  });
  await flushPromises();
  expect(rendered).toHaveBeenCalledOnce();
  expect(cleanup).toHaveBeenCalledOnce();
});

test('a page that is scrolled out of sight stops its drawing, and is not drawn late', async () => {
  const { page, rendered } = onePage();
  const cancel = vi.fn();
  const task = { promise: new Promise(() => undefined), cancel };
  const render = vi.spyOn(page, 'render').mockImplementationOnce(() => task as never);
  const getPage = vi.fn(() => Promise.resolve(page));
  const view = mountView(PdfPage, {
    props: { pdf: { getPage }, ...first, hits: [], current: null },
  });
  await flushPromises();
  expect(render).toHaveBeenCalledOnce();
  expect(view.find('canvas').exists()).toBe(true);
  leave();
  await flushPromises();
  expect(cancel).toHaveBeenCalledOnce();
  expect(view.find('canvas').exists()).toBe(false);
  // Another scale draws it only once it is seen again.
  await view.setProps({ scale: 2 });
  await flushPromises();
  expect(getPage).toHaveBeenCalledOnce();
  expect(rendered).not.toHaveBeenCalled();
});
