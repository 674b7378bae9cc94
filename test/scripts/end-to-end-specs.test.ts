import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ignoredIn, kinds, ofWindow, tagsIgnoredIn } from '../e2e/specs.ts';
import { root } from '../support/processes.ts';

const files = readdirSync(join(root, 'test/e2e'))
  .filter((name) => name.endsWith('.spec.ts'))
  .map((name) => name.replace('.spec.ts', ''));

it('every end-to-end spec is in exactly one kind, so a new one says where it runs', () => {
  expect(kinds.flatMap(({ specs }) => specs).toSorted()).toEqual(files.toSorted());
});

it('the long tests play in Electron what npm test plays in the browser only', () => {
  const ofKinds = (...shells: readonly string[]) =>
    kinds
      .filter((kind) => shells.includes(kind.shells))
      .flatMap(({ specs }) => specs.map((name) => `**/${name}.spec.ts`));
  expect(ignoredIn('electron', false)).toEqual(ofKinds('first', 'browser'));
  expect(ignoredIn('electron', true)).toEqual(ofKinds('browser'));
  expect(ignoredIn('browser', false)).toEqual(ofKinds('electron'));
  expect(ignoredIn('browser', true)).toEqual(ofKinds('electron'));
});

it('npm test leaves to the browser what is of the window alone, and the long tests do not', () => {
  expect(tagsIgnoredIn('electron', false)?.test(ofWindow.tag)).toBe(true);
  const others = [tagsIgnoredIn('electron', true), tagsIgnoredIn('browser', false)];
  expect(others).toEqual([null, null]);
});
