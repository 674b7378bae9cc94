import { locks } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { inTurn } from '#renderer/lib/photos/heavy-turn.ts';

Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });

const heavy = 95_000_000;
const light = 12_000_000;

test('of large pictures one at a time is in work, and a small one waits for none', async () => {
  const events: string[] = [];
  const ends: Record<string, () => void> = {};
  const take = (name: string, pixels: number) =>
    inTurn(
      pixels,
      async () => {
        events.push(`${name} begins`);
        await new Promise<void>((resolve) => (ends[name] = resolve));
        events.push(`${name} ends`);
        return name;
      },
      (message) => void events.push(`${name}: ${Object.keys(message).join()}`),
    );
  const begun = async (name: string) => {
    await expect.poll(() => ends[name]).toBeDefined();
  };
  const first = take('first', heavy);
  await begun('first');
  const second = take('second', heavy);
  const small = take('small', light);
  await begun('small');
  ends['small']?.();
  expect(await small).toBe('small');
  ends['first']?.();
  expect(await first).toBe('first');
  await begun('second');
  ends['second']?.();
  expect(await second).toBe('second');
  expect(events).toEqual([
    'first: isWaiting',
    'first: isUnderway',
    'first begins',
    'second: isWaiting',
    'small begins',
    'small ends',
    'first ends',
    'second: isUnderway',
    'second begins',
    'second ends',
  ]);
});

test('a large picture that fails lets the next one begin', async () => {
  const post = () => undefined;
  await expect(inTurn(heavy, () => Promise.reject(new Error('broken')), post)).rejects.toThrow(
    'broken',
  );
  expect(await inTurn(heavy, () => Promise.resolve('whole'), post)).toBe('whole');
});
