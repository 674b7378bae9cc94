import { expect, test, vi } from 'vitest';
import { drawAside, drawShown } from '#renderer/lib/pdf/drawing-turn.ts';

/** A drawing that takes until `end` is called or its signal fires. */
function drawing() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const draw = vi.fn((signal?: AbortSignal) => {
    signal?.addEventListener('abort', () => reject(new Error('stopped')));
    return promise;
  });
  return { draw, end: resolve };
}

test('what is drawn aside stops for a page that is shown, and begins again behind it', async () => {
  const order: string[] = [];
  const shown = drawing();
  const small = drawing();
  const aside = drawAside(async (signal) => {
    order.push('aside');
    return order.length === 1 ? await small.draw(signal) : 'drawn';
  });
  await vi.waitFor(() => expect(order).toEqual(['aside']));
  const page = drawShown(() => {
    order.push('shown');
    return shown.draw();
  });
  await vi.waitFor(() => expect(order).toEqual(['aside', 'shown']));
  shown.end('page');
  expect(await page).toBe('page');
  expect(await aside).toBe('drawn');
  expect(order).toEqual(['aside', 'shown', 'aside']);
});

test('nothing is drawn aside between two pages that follow each other at once', async () => {
  const [one, other] = [drawing(), drawing()];
  const first = drawShown(one.draw);
  await vi.waitFor(() => expect(one.draw).toHaveBeenCalledOnce());
  const small = vi.fn(() => Promise.resolve('drawn'));
  const aside = drawAside(small);
  // This runs behind the end of the first page, and before what waits for it.
  const second = Promise.resolve(one.draw.mock.results[0]?.value).then(() => drawShown(other.draw));
  one.end('page');
  expect(await first).toBe('page');
  await vi.waitFor(() => expect(other.draw).toHaveBeenCalledOnce());
  expect(small).not.toHaveBeenCalled();
  other.end('page');
  expect(await second).toBe('page');
  expect(await aside).toBe('drawn');
});

test('a page waits until what is drawn aside has stopped', async () => {
  const { promise: isClosed, resolve: close } = Promise.withResolvers<undefined>();
  const signals: AbortSignal[] = [];
  const aside = drawAside(async (signal) => {
    signals.push(signal);
    if (signals.length > 1) return 'drawn';
    await isClosed;
    throw new Error('stopped');
  });
  await vi.waitFor(() => expect(signals).toHaveLength(1));
  const draw = vi.fn(() => Promise.resolve('page'));
  const page = drawShown(draw);
  await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
  expect(draw).not.toHaveBeenCalled();
  close(undefined);
  expect(await page).toBe('page');
  expect(await aside).toBe('drawn');
});

test('what is aborted or fails by itself does not begin again', async () => {
  const fails = vi.fn(() => Promise.reject(new Error('broken')));
  await expect(drawAside(fails)).rejects.toThrow('broken');
  expect(fails).toHaveBeenCalledOnce();
  const gone = new AbortController();
  const { draw } = drawing();
  const aside = drawAside(draw, gone.signal);
  await vi.waitFor(() => expect(draw).toHaveBeenCalledOnce());
  gone.abort();
  await expect(aside).rejects.toThrow('stopped');
  const shown = drawing();
  const page = drawShown(shown.draw);
  const late = drawAside(fails, gone.signal);
  shown.end('page');
  await page;
  await expect(late).rejects.toThrow('aborted');
  expect(fails).toHaveBeenCalledOnce();
});
