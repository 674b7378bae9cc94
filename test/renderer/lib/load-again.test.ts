import { afterEach, expect, test, vi } from 'vitest';
import { setDeskCode } from '#renderer/lib/desk-code.ts';
import { loadWindowAgain } from '#renderer/lib/load-again.ts';

const chunk = 'Failed to fetch dynamically imported module: http://127.0.0.1/assets/a.js';

function openWindow() {
  const reload = vi.fn();
  const events = new EventTarget();
  const fetch = vi.fn(() => Promise.resolve({ ok: true }));
  const page = {
    location: { pathname: '/', reload },
    sessionStorage,
    fetch,
    dispatchEvent: (event: Event) => events.dispatchEvent(event),
  };
  // The window's type has a few hundred members more.
  return { page: page as unknown as Window, reload, events, fetch };
}
afterEach(() => {
  sessionStorage.clear();
  setDeskCode('safe');
});

test('the window is loaded again once for each chunk that failed', async () => {
  const { page, reload } = openWindow();
  await loadWindowAgain(page, chunk);
  await loadWindowAgain(page, chunk);
  expect(reload).toHaveBeenCalledTimes(1);
  await loadWindowAgain(page, `${chunk}?other`);
  expect(reload).toHaveBeenCalledTimes(2);
});

test('the window is loaded again only from an engine that has proved itself', async () => {
  const { page, reload } = openWindow();
  setDeskCode('unsafe');
  await loadWindowAgain(page, chunk);
  expect(reload).not.toHaveBeenCalled();
  setDeskCode('safe');
  await loadWindowAgain(page, chunk);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('the window is not loaded again while something is in it only', async () => {
  const { page, reload, events } = openWindow();
  events.addEventListener('beforeunload', (event) => event.preventDefault(), { once: true });
  await loadWindowAgain(page, chunk);
  expect(reload).not.toHaveBeenCalled();
  await loadWindowAgain(page, chunk);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('the window stays if the desk has no page, because it ends or does not answer', async () => {
  const { page, reload, fetch } = openWindow();
  fetch.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await loadWindowAgain(page, chunk);
  fetch.mockResolvedValueOnce({ ok: false });
  await loadWindowAgain(page, chunk);
  expect(reload).not.toHaveBeenCalled();
  await loadWindowAgain(page, chunk);
  expect(reload).toHaveBeenCalledTimes(1);
});
