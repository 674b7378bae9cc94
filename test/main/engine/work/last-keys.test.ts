import { beforeEach, describe, expect, it } from 'vitest';
import { LastKeys } from '#main/engine/work/last-keys.ts';

let nowMs: number;
let keys: LastKeys;
beforeEach(() => {
  nowMs = 100_000;
  keys = new LastKeys(() => nowMs);
});
const typed = (window: string, agoMs: number, text = 'note') => keys.take(text, { window, agoMs });

describe('of two windows with one text', () => {
  it('the one with the later key is stored, whichever answers first', () => {
    expect(typed('one', 500)).toBe(true);
    expect(typed('two', 501)).toBe(false);
    expect(typed('two', 499)).toBe(true);
    expect(typed('one', 500)).toBe(false);
  });

  it('a key at the same moment is stored, so that no text is lost without a later one', () => {
    expect(typed('one', 500)).toBe(true);
    expect(typed('two', 500)).toBe(true);
  });

  it('one that is refused does not count as a key', () => {
    typed('one', 100);
    expect(typed('two', 500)).toBe(false);
    expect(typed('three', 300)).toBe(false);
    expect(typed('three', 50)).toBe(true);
  });

  it('none is late after a clock that was set back, and the next key counts again', () => {
    typed('one', 0);
    nowMs -= 1;
    expect(typed('two', 10)).toBe(true);
    expect(typed('one', 11)).toBe(false);
  });

  it('one is late also if the other was stored in this very moment', () => {
    typed('one', 0);
    expect(typed('two', 1)).toBe(false);
  });
});

it('a window is never late for itself, nor for another text, nor if it does not say when', () => {
  expect(typed('one', 0)).toBe(true);
  expect(typed('one', 500)).toBe(true);
  typed('one', 0);
  expect(typed('two', 500, 'other')).toBe(true);
  expect(keys.take('note', undefined)).toBe(true);
  // It is not remembered either: the key of window one is still the last.
  expect(typed('two', 500)).toBe(false);
});
