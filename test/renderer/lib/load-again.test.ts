import { afterEach, expect, test, vi } from 'vitest';
import { setDeskCode } from '#renderer/lib/desk-code.ts';
import { loadWindowAgain } from '#renderer/lib/load-again.ts';

const chunk = 'Failed to fetch dynamically imported module: http://127.0.0.1/assets/a.js';

function openWindow() {
  const reload = vi.fn();
  const events = new EventTarget();
  const page = {
    location: { pathname: '/', reload },
    sessionStorage,
    dispatchEvent: (event: Event) => events.dispatchEvent(event),
  };
  // The window's type has a few hundred members more.
  return { page: page as unknown as Window, reload, events };
}
afterEach(() => {
  sessionStorage.clear();
  setDeskCode('safe');
});

test('the window is loaded again once for each chunk that failed', () => {
  const { page, reload } = openWindow();
  loadWindowAgain(page, chunk);
  loadWindowAgain(page, chunk);
  expect(reload).toHaveBeenCalledTimes(1);
  loadWindowAgain(page, `${chunk}?other`);
  expect(reload).toHaveBeenCalledTimes(2);
});

test('the window is loaded again only from an engine that has proved itself', () => {
  const { page, reload } = openWindow();
  setDeskCode('unsafe');
  loadWindowAgain(page, chunk);
  expect(reload).not.toHaveBeenCalled();
  setDeskCode('safe');
  loadWindowAgain(page, chunk);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('the window is not loaded again while something is in it only', () => {
  const { page, reload, events } = openWindow();
  events.addEventListener('beforeunload', (event) => event.preventDefault(), { once: true });
  loadWindowAgain(page, chunk);
  expect(reload).not.toHaveBeenCalled();
  loadWindowAgain(page, chunk);
  expect(reload).toHaveBeenCalledTimes(1);
});
