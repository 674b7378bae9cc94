import { afterEach, expect, test, vi } from 'vitest';
import { loadWindowAgain } from '#renderer/composables/load-again.ts';

const chunk = 'Failed to fetch dynamically imported module: http://127.0.0.1/assets/a.js';

/** @param answer of the desk to the question whether it is there */
function openWindow(answer: () => Promise<Response>) {
  const reload = vi.fn();
  const events = new EventTarget();
  const page = {
    fetch: vi.fn(answer),
    location: { pathname: '/', reload },
    sessionStorage,
    dispatchEvent: (event: Event) => events.dispatchEvent(event),
  };
  // The window's type has a few hundred members more.
  return { page: page as unknown as Window, reload, events };
}
const isThere = () => Promise.resolve(new Response('', { status: 200 }));
afterEach(() => sessionStorage.clear());

test('the window is loaded again once for each chunk that failed', async () => {
  const { page, reload } = openWindow(isThere);
  await loadWindowAgain(page, chunk);
  await loadWindowAgain(page, chunk);
  expect(reload).toHaveBeenCalledTimes(1);
  await loadWindowAgain(page, `${chunk}?other`);
  expect(reload).toHaveBeenCalledTimes(2);
});

test('the window is not loaded again while the desk is gone, and may be once it is back', async () => {
  const gone = openWindow(() => Promise.reject(new TypeError('Failed to fetch')));
  await loadWindowAgain(gone.page, chunk);
  expect(gone.reload).not.toHaveBeenCalled();
  const back = openWindow(isThere);
  await loadWindowAgain(back.page, chunk);
  expect(back.reload).toHaveBeenCalledTimes(1);
});

test('the window is not loaded again while something is in it only', async () => {
  const { page, reload, events } = openWindow(isThere);
  events.addEventListener('beforeunload', (event) => event.preventDefault(), { once: true });
  await loadWindowAgain(page, chunk);
  expect(reload).not.toHaveBeenCalled();
  await loadWindowAgain(page, chunk);
  expect(reload).toHaveBeenCalledTimes(1);
});
