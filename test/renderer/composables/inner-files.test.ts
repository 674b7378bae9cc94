import { afterEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, nextTick, shallowRef } from 'vue';
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { PDFDocument } from '@cantoo/pdf-lib';
import { fetchBytes, readWhole, tagAddress } from '#renderer/lib/desk-bytes.ts';
import { useInnerFiles } from '#renderer/composables/inner-files.ts';
import { boundReader, listenForLeftOut, tooManyBytes } from '#renderer/lib/pdf/pdf-bounds.ts';
import { embeddedFiles, readEmbedded } from '#renderer/lib/pdf/pdf-embedded.ts';
import { clippedPdf, overlargePdf } from '../../support/pdf-files.ts';
import { mountView } from '../fixtures/mount-view.ts';

const file = (text: string, fileName = 'a.txt') => ({
  fileName,
  contentType: 'application/octet-stream',
  content: new TextEncoder().encode(text),
});

/** The files that are opened out of the document that is current. */
function viewer() {
  const current = shallowRef('document-1');
  const made: ReturnType<typeof useInnerFiles>[] = [];
  const component = defineComponent({
    setup() {
      made.push(useInnerFiles(() => current.value));
      return () => null;
    },
  });
  const view = mountView(component, { props: {} });
  const [files] = made;
  if (!files) throw new Error('not mounted');
  return { ...files, current, view };
}

describe('a file inside of a document', () => {
  it('is read as a document is, whole and in parts', async () => {
    const { open, opened } = viewer();
    open(file('Kotflügel'));
    const address = opened.value[0]?.id ?? '';
    expect(await (await readWhole(address)).text()).toBe('Kotflügel');
    const part = await fetchBytes(address, { headers: { range: 'bytes=0-3' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 0-3/10']);
    expect(await part.text()).toBe('Kotf');
    const behind = await fetchBytes(address, { headers: { range: 'bytes=10-20' } });
    expect(behind.status).toBe(416);
    expect((await tagAddress(address)).address).toMatch(/^blob:/);
  });

  it('is closed with its document, and one by one on the way back', async () => {
    const { open, opened, back, current } = viewer();
    open(file('mail'));
    open(file('in the mail'));
    const [first, second] = opened.value.map(({ id }) => id);
    back();
    expect(opened.value.map(({ id }) => id)).toEqual([first]);
    await expect(readWhole(second ?? '')).rejects.toThrow('Failed to fetch');
    current.value = 'document-2';
    await nextTick();
    expect(opened.value).toEqual([]);
    await expect(readWhole(first ?? '')).rejects.toThrow('Failed to fetch');
  });

  it.each([
    ['../../.bashrc', '__.._.bashrc'],
    ['Offerte\u202efdp.exe', 'Offerte_fdp.exe'],
    ['', '_'],
  ])('has a name that harms nothing: %j', (named, shown) => {
    const { open, opened } = viewer();
    open(file('x', named));
    expect(opened.value[0]?.fileName).toBe(shown);
  });
});

it('files that a PDF carries are listed and read, whatever their names', async () => {
  const made = await PDFDocument.create();
  made.addPage();
  await made.attach(new TextEncoder().encode('one'), 'Schaden.txt');
  await made.attach(new TextEncoder().encode('two'), '..\\..\\\u202efdp.exe');
  const loading = getDocument({ data: new Uint8Array(await made.save()), verbosity: 0 });
  const pdf = await loading.promise;
  const files = await embeddedFiles(pdf);
  expect(files.map(({ fileName }) => fileName).sort()).toEqual(['Schaden.txt', '_fdp.exe']);
  const texts = await Promise.all(
    files.map(async (one) => {
      const content = await readEmbedded(pdf, one);
      return typeof content === 'string' ? content : new TextDecoder().decode(content);
    }),
  );
  expect(texts.sort()).toEqual(['one', 'two']);
  await loading.destroy();
});

it('files at a place of a page are listed and read as those of the list', async () => {
  const open = () => getDocument({ data: new Uint8Array(clippedPdf('Kalkulation')), verbosity: 0 });
  const [listing, reading] = [open(), open()];
  const files = await embeddedFiles(await listing.promise);
  expect(files.map(({ fileName, page }) => [fileName, page])).toEqual([['kalkulation.txt', 1]]);
  const [file] = files;
  if (!file) throw new Error('no file');
  // Another reader takes it out, which has not seen the page.
  const content = await readEmbedded(await reading.promise, file);
  expect(new TextDecoder().decode(typeof content === 'string' ? undefined : content)).toBe(
    'Kalkulation',
  );
  await Promise.all([listing.destroy(), reading.destroy()]);
});

describe('a PDF of too much', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  const open = () =>
    getDocument({
      data: new Uint8Array(overlargePdf()),
      maxImageSize: 140_000_000,
      verbosity: VerbosityLevel.WARNINGS,
    });

  it('does not inflate an embedded file further than a document may have', async () => {
    const loading = open();
    const pdf = await loading.promise;
    const [file] = await embeddedFiles(pdf);
    if (!file) throw new Error('no file');
    const scope = {
      ArrayBuffer,
      Int8Array,
      Uint8Array,
      Int16Array,
      DecompressionStream,
      addEventListener: vi.fn(),
      postMessage: vi.fn(),
    };
    boundReader(scope, { isForFiles: true });
    vi.stubGlobal('Uint8Array', scope.Uint8Array);
    vi.stubGlobal('DecompressionStream', scope.DecompressionStream);
    await expect(pdf.getAttachmentContent(file.id)).rejects.toThrow(tooManyBytes);
    expect(await readEmbedded(pdf, file)).toBe('tooLarge');
    await loading.destroy();
  });

  it('reports which picture is left out, and nothing else', async () => {
    const written = vi.spyOn(console, 'warn').mockReturnValue();
    const leftOut = vi.fn();
    const takeRefusal = vi.fn(() => false);
    listenForLeftOut({ onLeftOut: leftOut, takeRefusal });
    const loading = open();
    const page = await (await loading.promise).getPage(1);
    expect(leftOut).not.toHaveBeenCalled();
    await page.getOperatorList();
    expect(leftOut).toHaveBeenCalledOnce();
    const { warn } = console;
    warn('something else');
    expect(written).toHaveBeenCalledWith('something else');
    warn('Unable to decode image "1": damaged');
    expect(leftOut).toHaveBeenCalledOnce();
    takeRefusal.mockReturnValue(true);
    warn('Unable to decode image "2": no memory');
    expect(leftOut).toHaveBeenCalledTimes(2);
    await loading.destroy();
  });
});
