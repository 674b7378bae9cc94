import { afterEach, expect, test, vi } from 'vitest';
import { createThumbnails, drawThumbnail, thumbnails } from '#renderer/lib/thumbnails.ts';
import { useDocumentsStore } from '#renderer/stores/documents-store.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';

const drawPdfPage = vi.hoisted(() => vi.fn());
vi.mock('#renderer/lib/pdf/open-pdf.ts', () => ({ drawPdfPage }));

const source = (id: string) => ({ id, url: `files/${id}`, contentType: 'image/jpeg' });
const { signal } = new AbortController();

test('one that failed is tried again, one of which none can be made is not', async () => {
  const draw = vi.fn<(one: { id: string }) => Promise<string | null>>();
  const { make } = createThumbnails(draw);
  draw.mockRejectedValue(new Error('the engine restarts'));
  expect(await make(source('a'), signal)).toBeNull();
  expect(draw).toHaveBeenCalledTimes(3);
  draw.mockResolvedValueOnce('data:a');
  expect(await make(source('a'), signal)).toBe('data:a');
  expect(await make(source('a'), signal)).toBe('data:a');
  expect(draw).toHaveBeenCalledTimes(4);
  draw.mockResolvedValueOnce(null);
  expect(await make(source('b'), signal)).toBeNull();
  expect(await make(source('b'), signal)).toBeNull();
  expect(draw).toHaveBeenCalledTimes(5);
});

test('one that fails comes behind the others that wait, and is made then', async () => {
  const drawn: string[] = [];
  const draw = vi.fn(({ id }: { id: string }) => {
    drawn.push(id);
    return drawn.length === 1 ? Promise.reject(new Error('too busy')) : Promise.resolve(id);
  });
  const { make } = createThumbnails(draw);
  const both = [make(source('a'), signal), make(source('b'), signal)];
  expect(await Promise.all(both)).toEqual(['a', 'b']);
  expect(drawn).toEqual(['a', 'b', 'a']);
});

test('a page that takes too long on a busy computer is not the last word', async () => {
  drawPdfPage.mockResolvedValueOnce({ fault: 'too_slow' });
  const pdf = { ...source('p'), contentType: 'application/pdf' };
  await expect(drawThumbnail(pdf, signal)).rejects.toThrow('too long');
  drawPdfPage.mockResolvedValueOnce({ fault: 'unreadable' });
  expect(await drawThumbnail(pdf, signal)).toBeNull();
});

test('one that is asked for twice before it is made is made once', async () => {
  const draw = vi.fn(() => Promise.resolve('data:a'));
  const { make } = createThumbnails(draw);
  const both = [make(source('a'), signal), make(source('a'), signal)];
  expect(await Promise.all(both)).toEqual(['data:a', 'data:a']);
  expect(draw).toHaveBeenCalledOnce();
});

test('they are made one after the other, and not for a reader that aborted', async () => {
  let running = 0;
  const draw = vi.fn(async ({ id }: { id: string }) => {
    expect((running += 1)).toBe(1);
    await Promise.resolve();
    running -= 1;
    return id;
  });
  const { make } = createThumbnails(draw);
  const gone = AbortSignal.abort();
  expect(
    await Promise.all([
      make(source('a'), signal),
      make(source('b'), gone),
      make(source('c'), signal),
    ]),
  ).toEqual(['a', null, 'c']);
  expect(draw).toHaveBeenCalledTimes(2);
});

test('what is drawn while the cache is cleared is not cached', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const draw = vi.fn(() => promise);
  const { make, forget } = createThumbnails(draw);
  const made = make(source('a'), signal);
  await vi.waitFor(() => expect(draw).toHaveBeenCalledOnce());
  forget();
  resolve('data:a');
  await made;
  await make(source('a'), signal);
  expect(draw).toHaveBeenCalledTimes(2);
});

afterEach(() => void vi.unstubAllGlobals());

test('a picture has no thumbnail if the document is not given, which is not the last word', async () => {
  const failed = Response.json({ code: 'internal', params: {} }, { status: 500 });
  vi.stubGlobal('fetch', () => Promise.resolve(failed));
  await expect(drawThumbnail(source('a'), signal)).rejects.toThrow('not given');
});

test('a picture has no thumbnail if what was given is no picture', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('no picture')));
  expect(await drawThumbnail(source('a'), signal)).toBeNull();
});

test('another workspace begins without small pictures', async () => {
  // A file without content: nothing can be made of it.
  const asked = vi.fn(() => Promise.resolve(new Response(null, { status: 416 })));
  vi.stubGlobal('fetch', asked);
  const desk = createDesk({ count: 1 });
  useDocumentsStore(desk.pinia);
  await linked(desk);
  await thumbnails.make(source('a'), signal);
  await thumbnails.make(source('a'), signal);
  expect(asked).toHaveBeenCalledOnce();
  desk.emit({ type: 'workspace.changed' });
  await vi.waitFor(async () => {
    await thumbnails.make(source('a'), signal);
    expect(asked).toHaveBeenCalledTimes(2);
  });
});
