import { expect, it } from 'vitest';
import { openSession } from '#renderer/transport/session.ts';

const lineState = (isProven: boolean, isLeft: boolean) => ({
  isProven: () => isProven,
  isLeft: () => isLeft,
});

/** A page at an address, with what the session uses of it. */
function pageAt(hash: string, stored: Readonly<Record<string, string>> = {}) {
  const events = new EventTarget();
  const storage = new Map(Object.entries(stored));
  const calls: string[] = [];
  const page = {
    location: { hash, pathname: '/', reload: () => calls.push('reload') },
    history: { replaceState: (_: unknown, __: string, url: string) => calls.push(url) },
    sessionStorage: {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => storage.set(key, value),
      removeItem: (key: string) => storage.delete(key),
    },
    addEventListener: events.addEventListener.bind(events),
  };
  const leave = () => events.dispatchEvent(new Event('pagehide'));
  const paste = (newURL: string) =>
    events.dispatchEvent(Object.assign(new Event('hashchange'), { newURL }));
  // The cast restates what the session reads of a window.
  return { page: page as unknown as Window, calls, leave, paste, storage };
}

it('a new link that is pasted into the tab loads the page again, with its secret in the address', async () => {
  const { page, calls, paste } = pageAt('#token=first');
  const session = await openSession(page, lineState(false, false));
  expect(session.secret()).toBe('first');
  expect(calls.splice(0)).toEqual(['/']);
  // The way from page to page changes the fragment as well.
  paste('http://desk-1.localhost:1/#/cases');
  expect(calls).toEqual([]);
  paste('http://desk-1.localhost:1/#token=second');
  // The router may have replaced the address before.
  expect(calls).toEqual(['http://desk-1.localhost:1/#token=second', 'reload']);
});

it('the secret of the address is taken before that of the page before it, which is forgotten', async () => {
  const { page, storage } = pageAt('#token=new', { 'desk-session': 'old' });
  const session = await openSession(page, lineState(false, false));
  expect(session.secret()).toBe('new');
  expect([...storage]).toEqual([]);
});

it('a proof without an answer leaves two secrets, of which the engine knows one', async () => {
  const open = () => openSession(pageAt('#token=first').page, lineState(false, false));
  const taken = await open();
  taken.onUnanswered('second');
  expect(taken.secret()).toBe('second');
  // A line that breaks again says nothing more, and the proof with it changes it no more.
  taken.onUnanswered('third');
  expect(taken.secret()).toBe('second');
  taken.onProven('fourth');
  taken.onUnanswered('fifth');
  expect([taken.secret(), taken.onUnknown()]).toEqual(['second', false]);

  const lost = await open();
  lost.onUnanswered('second');
  expect([lost.onUnknown(), lost.secret(), lost.onUnknown()]).toEqual([true, 'first', false]);
  lost.onUnanswered('third');
  expect([lost.onUnknown(), lost.secret()]).toEqual([true, 'first']);
  lost.onProven('fourth');
  expect(lost.secret()).toBe('fourth');
});

it.each([
  ['the engine is proved', true, false, true],
  ['the page has closed its line because it is left, as in Firefox', false, true, true],
  ['the engine is gone', false, false, false],
])('a page that is left stores its secret if %s: %s, %s', async (_, isProven, isLeft, isStored) => {
  const { page, leave, storage } = pageAt('#token=first');
  await openSession(page, lineState(isProven, isLeft));
  leave();
  expect(storage.has('desk-session')).toBe(isStored);
});
