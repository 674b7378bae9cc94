import { expect, test } from 'vitest';
import { actOf, shortcutOverview, shortcuts } from '#renderer/composables/shortcuts.ts';
import { de } from '#shared/i18n/de/window.ts';

const press = (init: KeyboardEventInit) => new KeyboardEvent('keydown', init);

test.each([
  ['desk', { key: 'K', metaKey: true }, 'palette'],
  ['desk', { key: 'k', ctrlKey: true, altKey: true }, null],
  ['desk', { key: '?', shiftKey: true }, 'shortcuts'],
  ['cases', { key: '/' }, 'search'],
  ['list', { key: 'a', ctrlKey: true }, 'all'],
  ['list', { key: 'a' }, null],
  ['list', { key: 'ArrowDown', shiftKey: true }, 'next'],
  ['list', { key: 'ArrowDown', altKey: true }, null],
  ['report', { key: 'ArrowUp', altKey: true }, 'up'],
  ['report', { key: 'ArrowUp' }, null],
  ['picture', { key: 'R' }, 'turn'],
  ['picture', { key: 'r', ctrlKey: true }, null],
] as const)('in %s %j asks for %s', (place, init, act) => {
  expect(actOf(shortcuts[place], press(init))).toBe(act);
});

const shown = (singleKeys: boolean) =>
  shortcutOverview({ singleKeys, pages: 8 }).flatMap(({ rows }) => rows);

test('the overview has every key that the code listens to', () => {
  const keys = new Set(shown(true).flatMap((row) => row.keys));
  const known = Object.values(shortcuts).flatMap((place) =>
    Object.values<readonly string[]>(place).flat(),
  );
  // Pages and ends of a list are as in every list; `Entf` and alike the browser's own.
  const usual = ['PageDown', 'PageUp', 'Home', 'End'];
  expect(known.filter((key) => !keys.has(key) && !usual.includes(key))).toEqual([]);
  expect(keys).toContain('1 – 8');
  expect(keys).toContain('Shift+ArrowDown');
});

test('the overview says everything once, and no single key that is turned off', () => {
  const texts = shown(true).map(({ text }) => text.split('.').at(-1) ?? '');
  const words = { ...de.photos, ...de.shortcuts };
  const said = texts.map((name) => Object.entries(words).find(([key]) => key === name)?.[1]);
  expect(new Set(said).size).toBe(texts.length);
  const off = shown(false).flatMap(({ keys }) => keys);
  expect(off).not.toContain('s');
  expect(off).not.toContain('/');
  expect(off).toContain('Ctrl+f');
});
