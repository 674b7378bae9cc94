import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { h } from 'vue';
import fc from 'fast-check';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { foldInPlace } from '#shared/lib/words.ts';
import PdfViewer from '#renderer/components/document/PdfViewer.vue';
import { openPdf } from '#renderer/lib/pdf/open-pdf.ts';
import { findIn, layOut, placeIn, searchPdf } from '#renderer/components/document/pdf-search.ts';
import { mountView } from '../fixtures/mount-view.ts';

vi.mock('#renderer/lib/pdf/open-pdf.ts', () => ({ openPdf: vi.fn() }));
interface PageProps {
  readonly number: number;
  readonly scale: number;
  readonly hits: readonly unknown[];
  readonly current: { readonly start: number } | null;
}
/** A page that shows what it is given, without drawing it. */
vi.mock('#renderer/components/document/PdfPage.vue', () => ({
  default: ({ number, scale, hits, current }: PageProps) =>
    h('div', {
      'data-page': number,
      'data-scale': scale.toFixed(3),
      'data-hits': hits.length,
      'data-current': current?.start ?? '',
    }),
}));

/** Every observed element is a thousand pixels wide. */
class WideObserver {
  readonly #seen: (entries: { contentRect: { width: number; height: number } }[]) => void;
  constructor(seen: (entries: { contentRect: { width: number; height: number } }[]) => void) {
    this.#seen = seen;
  }
  observe() {
    this.#seen([{ contentRect: { width: 1000, height: 700 } }]);
  }
  unobserve = () => undefined;
  disconnect = () => undefined;
}

const tools = document.createElement('div');
tools.id = 'viewer-tools';
const close = vi.fn(() => Promise.resolve());
const isLoaded = Promise.resolve(true);
beforeEach(() => {
  document.body.append(tools);
  vi.stubGlobal('ResizeObserver', WideObserver);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  close.mockClear();
});

/** The viewer of a document whose pages have these texts, and claim to have this count. */
async function openViewer(texts: readonly string[], numPages = texts.length) {
  const getPage = (number: number) =>
    Promise.resolve({
      getViewport: () => ({ width: 500, height: 800 }),
      getTextContent: () =>
        Promise.resolve({ items: [{ str: texts[number - 1] ?? '', hasEOL: false }] }),
    });
  const opened = { document: Promise.resolve({ numPages, getPage }), isLoaded, close };
  // Of a document, the viewer and its search know no more.
  vi.mocked(openPdf).mockReturnValueOnce(opened as unknown as ReturnType<typeof openPdf>);
  const view = mountView(PdfViewer, { props: { url: 'a.pdf' } });
  await flushPromises();
  const pages = () =>
    view.findAll<HTMLElement>('[data-page]').map(({ element }) => element.dataset);
  async function act(name: string): Promise<void> {
    tools.querySelector<HTMLElement>(`button[aria-label="${name}"]`)?.click();
    await flushPromises();
  }
  async function search(words: string): Promise<void> {
    const field = tools.querySelector<HTMLInputElement>('input[type=search]');
    if (!field) throw new Error('no field');
    field.value = words;
    field.dispatchEvent(new Event('input'));
    await flushPromises();
    await vi.advanceTimersByTimeAsync(200);
    await flushPromises();
  }
  const result = () => tools.querySelector('[role=status]')?.textContent ?? '';
  const current = () => pages().findIndex((page) => page['current'] !== '') + 1;
  return { view, pages, act, search, result, current };
}

test('a document is its pages, and closing it ends its worker', async () => {
  const { view, pages } = await openViewer(['eins', 'zwei', 'drei']);
  expect(pages().map((page) => page['page'])).toEqual(['1', '2', '3']);
  expect(tools.textContent).toContain('von 3');
  expect(view.get('.scroller').attributes('aria-busy')).toBe('false');
  expect(close).not.toHaveBeenCalled();
  view.unmount();
  expect(close).toHaveBeenCalledOnce();
});

test('a document that cannot be read shows it, and has no tools', async () => {
  const broken = { document: Promise.reject(new Error('no PDF')), isLoaded, close };
  vi.mocked(openPdf).mockReturnValueOnce(broken);
  const view = mountView(PdfViewer, { props: { url: 'a.pdf' } });
  await flushPromises();
  expect(view.text()).toContain('Dieses PDF kann nicht angezeigt werden');
  expect(tools.childElementCount).toBe(0);
});

test('of a document that unpacks to too much nothing is shown but the reason', async () => {
  const { view, pages } = await openViewer(['eins']);
  vi.mocked(openPdf).mock.lastCall?.[1]?.onTooMuch?.();
  await flushPromises();
  expect(pages()).toEqual([]);
  expect(tools.childElementCount).toBe(0);
  expect(view.text()).toContain('Entpackt braucht es mehr Speicher als jedes übliche Dokument');
  expect(view.text()).toContain('Bitten Sie den Absender um eine neue Datei');
});

test('of a document with too many pages the first are shown, and a message names the limit', async () => {
  const { view, pages } = await openViewer([], 5000);
  expect(pages()).toHaveLength(2000);
  expect(view.text()).toContain('Angezeigt werden die ersten 2’000 von 5’000 Seiten.');
});

test('a page fills the width as far as it reads well, and is made larger within bounds', async () => {
  const { pages, act } = await openViewer(['eins']);
  const scale = () => Number(pages()[0]?.['scale']);
  expect(scale()).toBe(1.84);
  await act('Vergrössern');
  expect(scale()).toBeCloseTo(1.84 * 1.2, 2);
  for (let press = 0; press < 12; press += 1) await act('Vergrössern');
  expect(scale()).toBeCloseTo(1.84 * 5, 2);
  for (let press = 0; press < 20; press += 1) await act('Verkleinern');
  expect(scale()).toBeCloseTo(1.84 * 0.4, 2);
  await act('Ganze Breite');
  expect(scale()).toBe(1.84);
});

test('words are found on every page, and Next and Previous wrap around the hits', async () => {
  const { pages, act, search, result, current } = await openViewer([
    'Bericht',
    'Schaden vorne, Schaden hinten',
    'kein Schaden',
  ]);
  await search('schaden');
  expect(pages().map((page) => page['hits'])).toEqual(['0', '2', '1']);
  expect(result()).toBe('1 von 3');
  expect(current()).toBe(2);
  await act('Nächster Treffer');
  await act('Nächster Treffer');
  expect([result(), current()]).toEqual(['3 von 3', 3]);
  await act('Nächster Treffer');
  expect([result(), current()]).toEqual(['1 von 3', 2]);
  await act('Vorheriger Treffer');
  expect([result(), current()]).toEqual(['3 von 3', 3]);
  await search('nirgends');
  expect([result(), current()]).toEqual(['Kein Treffer', 0]);
  await search('');
  expect(result()).toBe('');
});

const part = (str: string, hasEOL = false) => ({
  str,
  hasEOL,
  dir: 'ltr',
  transform: [],
  width: 0,
  height: 0,
  fontName: '',
});
const content = (...items: ReturnType<typeof part>[]) => ({ items, styles: {}, lang: null });

test('words are found without case and accents, over the end of a line too', () => {
  const laidOut = layOut(content(part('Gutachten Zür', true), part('ich, Zürich', false)));
  expect(laidOut.text).toBe('Gutachten Zür ich, Zürich');
  const found = findIn(laidOut.text, ' ZURICH ');
  expect(found).toEqual([{ start: 19, end: 25 }]);
  expect(placeIn(laidOut, 19)).toEqual({ part: 1, offset: 5 });
  expect(findIn(laidOut.text, 'zur ich')).toEqual([{ start: 10, end: 17 }]);
});

test('any text is found at its place', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, word, after) => {
      const wanted = word.trim();
      if (wanted === '') return;
      const text = before + wanted + after;
      const folded = foldInPlace(wanted);
      const found = findIn(text, word);
      expect(found.length).toBeGreaterThan(0);
      for (const { start, end } of found) expect(foldInPlace(text.slice(start, end))).toBe(folded);
    }),
  );
});

test('pages that cannot be opened or read have no words, and the search continues after them', async () => {
  const pdf = {
    getPage: (number: number) =>
      number === 2
        ? Promise.reject(new Error('broken page'))
        : Promise.resolve({
            getTextContent: () =>
              number === 3
                ? Promise.reject(new Error('broken text'))
                : Promise.resolve(content(part(`Seite ${number}`))),
          }),
  };
  const found: unknown[] = [];
  // Of a document, the search knows its pages only.
  const opened = pdf as unknown as PDFDocumentProxy;
  for await (const hits of searchPdf(opened, 4, 'seite', AbortSignal.timeout(60_000)))
    found.push(hits.map(({ page }) => page));
  expect(found).toEqual([[1], [1, 4]]);
});

test('a document with a password asks for it, and says that one was wrong', async () => {
  const document = new Promise<never>(() => undefined);
  vi.mocked(openPdf).mockReturnValueOnce({ document, isLoaded, close });
  const view = mountView(PdfViewer, { props: { url: 'a.pdf' } });
  const ask = vi.mocked(openPdf).mock.lastCall?.[1]?.askPassword;
  async function answer(wasWrong: boolean, password: string) {
    const given = ask?.(wasWrong);
    await flushPromises();
    const shown = view.text();
    await view.get('input[type=password]').setValue(password);
    await view.get('form').trigger('submit');
    return { shown, given: await given };
  }
  const first = await answer(false, 'falsch');
  expect(first.given).toBe('falsch');
  expect(first.shown).toContain('Dieses PDF ist mit einem Passwort geschützt.');
  expect(first.shown).not.toContain('Das Passwort ist falsch.');
  const second = await answer(true, 'geheim');
  expect(second.given).toBe('geheim');
  expect(second.shown).toContain('Das Passwort ist falsch.');
  // Who closes the document answers no more.
  const third = ask?.(true);
  view.unmount();
  await expect(third).rejects.toThrow('closed');
});

test('a picture that is left out is told, and so is why an embedded file is not given', async () => {
  const getAttachments = () => Promise.resolve(new Map([['a', { filename: 'plan.dwg' }]]));
  const getPage = () => Promise.resolve({ getViewport: () => ({ width: 500, height: 800 }) });
  const contents = [
    () => Promise.resolve(new Uint8Array(50 * 1024 * 1024 + 1)),
    () => Promise.reject(new Error('damaged')),
    () => new Promise<never>(() => undefined),
  ];
  // Of a document, the viewer knows no more.
  const give = (getAttachmentContent?: () => Promise<Uint8Array>) =>
    vi.mocked(openPdf).mockReturnValueOnce({
      document: Promise.resolve({
        numPages: 1,
        getPage,
        getAttachments,
        getAttachmentContent,
      }),
      isLoaded,
      close,
    } as unknown as ReturnType<typeof openPdf>);
  give();
  const view = mountView(PdfViewer, { props: { url: 'a.pdf' } });
  await flushPromises();
  expect(view.text()).not.toContain('zu gross');
  vi.mocked(openPdf).mock.lastCall?.[1]?.onLeftOut?.();
  await flushPromises();
  expect(view.text()).toContain('Ein Bild in diesem PDF ist zu gross für die Anzeige');
  const told: string[] = [];
  for (const content of contents) {
    give(content);
    await view.get('button[aria-label="Datei ansehen: plan.dwg"]').trigger('click');
    expect(vi.mocked(openPdf).mock.lastCall?.[1]?.isForFiles).toBe(true);
    await vi.advanceTimersByTimeAsync(20_000);
    await flushPromises();
    told.push(view.get('[role=alert]').text());
  }
  expect(told).toEqual([
    expect.stringMatching(/^plan\.dwg hat entpackt mehr als 50\sMB\./),
    'plan.dwg kann nicht gelesen werden.',
    expect.stringMatching(/^plan\.dwg zu entpacken dauert zu lange\./),
  ]);
  // Each worker of a file is ended.
  expect(close).toHaveBeenCalledTimes(3);
});
