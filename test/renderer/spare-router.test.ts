import { expect, test, vi } from 'vitest';
import { spareRouterItsError } from '#renderer/spare-router.ts';

/** How often the router failed to parse something when it was run. */
async function failuresOfRouter(): Promise<number> {
  vi.resetModules();
  const parse = vi.spyOn(JSON, 'parse');
  await import('vue-router');
  const failures = parse.mock.results.filter(({ type }) => type === 'throw').length;
  parse.mockRestore();
  return failures;
}

test('the router finds something to parse where a browser has kept nothing for it', async () => {
  sessionStorage.clear();
  // Without it there would be nothing to spare.
  expect(await failuresOfRouter()).toBe(1);
  spareRouterItsError(sessionStorage);
  expect(await failuresOfRouter()).toBe(0);
});

test('positions that it has kept stay', () => {
  sessionStorage.clear();
  spareRouterItsError(sessionStorage);
  const key = sessionStorage.key(0) ?? '';
  sessionStorage.setItem(key, '{"0/cases":{"left":0,"top":40}}');
  spareRouterItsError(sessionStorage);
  expect(sessionStorage.getItem(key)).toBe('{"0/cases":{"left":0,"top":40}}');
});
