import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runBundle } from '../../scripts/lib/run-bundle.cjs';
import { temporaryFolder } from '../support/processes.ts';

let folder: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  folder = temporaryFolder();
  write('entry-1.cjs', `'use strict'; exports.sum = require('./part-2.cjs').add(1, 2);`);
  write(
    'part-2.cjs',
    `const { sep } = require('node:path');
exports.add = (a, b) => ({ sum: a + b, sep, __dirname, entry: require('./entry-1.cjs') });`,
  );
});

afterEach(() => {
  vi.useRealTimers();
  folder.remove();
});

function write(name: string, text: string): void {
  writeFileSync(join(folder.path, name), text);
}

const kept = () =>
  readdirSync(folder.path)
    .filter((name) => !name.endsWith('.cjs'))
    .sort();
const codeOf = (name: string) => join(folder.path, `${name}.code`);

test('files of a bundle find each other, themselves in a circle, and what is outside', () => {
  const entry = runBundle(folder.path, 'entry-1.cjs');
  expect(entry).toMatchObject({ sum: { sum: 3, sep, __dirname: folder.path } });
  expect(entry).toHaveProperty('sum.entry', entry);
});

test('the code of a start is kept beside each file once it has run, and taken by the next', () => {
  runBundle(folder.path, 'entry-1.cjs');
  expect(kept()).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(kept()).toEqual(['entry-1.cjs.code', 'part-2.cjs.code']);
  const { ino } = statSync(codeOf('part-2.cjs'));

  expect(runBundle(folder.path, 'entry-1.cjs')).toMatchObject({ sum: { sum: 3 } });
  vi.advanceTimersByTime(1000);
  // It was as good as new.
  expect(statSync(codeOf('part-2.cjs')).ino).toBe(ino);
});

test('what is kept holds the functions that ran', () => {
  const lines = Array.from({ length: 500 }, (_, n) => `x = x * ${n} + Math.sin(x);`).join('\n');
  const program = (call: string) => `function long(x) {${lines} return x;}\n${call}`;
  write('called-1.cjs', program('long(1);'));
  write('silent-1.cjs', program('long   ;'));
  for (const name of ['called-1.cjs', 'silent-1.cjs']) runBundle(folder.path, name);
  vi.advanceTimersByTime(1000);
  const sizeOf = (name: string) => statSync(codeOf(name)).size;
  expect(sizeOf('called-1.cjs')).toBeGreaterThan(10 * sizeOf('silent-1.cjs'));
});

test('code that is not whole, or of another text, is not taken, and made anew', () => {
  runBundle(folder.path, 'entry-1.cjs');
  vi.advanceTimersByTime(1000);
  const whole = readFileSync(codeOf('part-2.cjs'));
  const flipped = Buffer.from(whole);
  flipped.writeUInt8(flipped.readUInt8(whole.length - 9) ^ 1, whole.length - 9);
  for (const bad of [Buffer.alloc(0), whole.subarray(0, -40), flipped, Buffer.from('nonsense')]) {
    writeFileSync(codeOf('part-2.cjs'), bad);
    expect(runBundle(folder.path, 'entry-1.cjs')).toMatchObject({ sum: { sum: 3 } });
    vi.advanceTimersByTime(1000);
    expect(readFileSync(codeOf('part-2.cjs')).equals(bad)).toBe(false);
    expect(readFileSync(codeOf('part-2.cjs')).length).toBe(whole.length);
  }
  const part = readFileSync(join(folder.path, 'part-2.cjs'), 'utf8');
  // As long as before, which is all that V8 asks.
  write('part-2.cjs', part.replace('a + b', 'a - b'));
  expect(runBundle(folder.path, 'entry-1.cjs')).toMatchObject({ sum: { sum: -1 } });
});

test('a folder that takes no code stops nothing', () => {
  mkdirSync(codeOf('entry-1.cjs'));
  expect(runBundle(folder.path, 'entry-1.cjs')).toMatchObject({ sum: { sum: 3 } });
  vi.advanceTimersByTime(1000);
  expect(existsSync(codeOf('part-2.cjs'))).toBe(true);
  expect(kept()).toEqual(['entry-1.cjs.code', 'part-2.cjs.code']);
});

test('a file that cannot be had is asked for again', () => {
  write('entry-1.cjs', `exports.late = () => require('./late-3.cjs').value;`);
  const { late } = runBundle(folder.path, 'entry-1.cjs') as { late: () => unknown };
  expect(late).toThrow('ENOENT');
  write('late-3.cjs', `throw new Error('not yet');`);
  expect(late).toThrow('not yet');
  write('late-3.cjs', `exports.value = 'here';`);
  expect(late()).toBe('here');
});

test('an error tells where in the file it comes from', () => {
  write('entry-1.cjs', `throw new Error('here');`);
  let stack: unknown;
  try {
    runBundle(folder.path, 'entry-1.cjs');
  } catch (error) {
    stack = error instanceof Error ? error.stack : undefined;
  }
  expect(stack).toContain(`${join(folder.path, 'entry-1.cjs')}:1:7`);
});
