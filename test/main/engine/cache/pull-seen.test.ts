import { expect, it } from 'vitest';
import { openTestCache } from '../support/test-engine.ts';

it('the cases that a pull has read count once, until the next one begins', () => {
  const { pullSeen } = openTestCache();
  expect(pullSeen.count()).toBe(0);
  pullSeen.add(['a', 'b']);
  pullSeen.add(['b', 'c', 'c']);
  pullSeen.add([]);
  expect(pullSeen.count()).toBe(3);
  pullSeen.clear();
  expect(pullSeen.count()).toBe(0);
  pullSeen.add(['a']);
  expect(pullSeen.count()).toBe(1);
});
