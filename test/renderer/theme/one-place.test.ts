import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { grounds } from '#shared/desk/setup/appearance.ts';

/*
 * Sizes of type, weights, corners, shadows and the theme's raw colours stand in renderer/theme alone;
 * components use its classes and the names of its colours.
 */
const ofTheme = /(?:^|[\s{;])(?:font-size|font-weight|border-radius|box-shadow)\s*:|--v-theme-/;
/** The text layer of a PDF has the sizes of its page. */
const exceptions = new Map([
  [
    'renderer/components/document/PdfPage.vue',
    'font-size: calc(var(--text-scale-factor) * var(--font-height));',
  ],
]);

/** The telephone's page is one file of its own, without the window's theme. */
const own = 'renderer/telephone/page.css';

test('looks that the theme decides stand in the theme alone', () => {
  const files = globSync('renderer/**/*.{vue,ts,css}', {
    exclude: (name) => name === 'renderer/theme' || name.endsWith('/renderer/theme'),
  });
  expect(files.length).toBeGreaterThan(100);
  const found = files
    .filter((file) => file !== own)
    .flatMap((file) =>
      stylesOf(file)
        .filter((line) => ofTheme.test(line) && exceptions.get(file) !== line.trim())
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

/** The lines of a component's styles, and its bound ones; all of any other file. */
function stylesOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  const styles = file.endsWith('.vue')
    ? [...text.matchAll(/<style[^>]*>(.*?)<\/style>|:style="([^"]*)"/gs)].map(
        ([, sheet, bound]) => sheet ?? bound ?? '',
      )
    : [text];
  return styles.flatMap((style) => style.split('\n'));
}

/** In text and rows, in a chip, in buttons and navigation, and over an empty page. */
const iconSizes = /^(?:14|16|20|32)$/;

test('icons have four sizes', () => {
  const found = globSync('renderer/**/*.vue').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/<(?:v-icon|PlainIcon)\b(?:[^>"]|"[^"]*")*>/g)].flatMap(
      ([tag]) =>
        [...(/\s:?size="([^"]*)"/.exec(tag)?.[1]?.matchAll(/\d+/g) ?? [])]
          .filter(([size]) => !iconSizes.test(size))
          .map(([size]) => `${file}: ${size}`),
    ),
  );
  expect(found).toEqual([]);
});

test('the grounds of the window before its scripts run are those of its themes', () => {
  const sheet = readFileSync('renderer/theme/desk.css', 'utf8');
  const written = [...sheet.matchAll(/--ground-at-start: ([\d, ]+);/g)].map(([, rgb]) => rgb);
  const ofThemes = Object.values(grounds).map((ground) =>
    [1, 3, 5].map((at) => Number.parseInt(ground.slice(at, at + 2), 16)).join(', '),
  );
  expect(new Set(written)).toEqual(new Set(ofThemes));
});

test('a button in colour is a filled one', () => {
  const found = globSync('renderer/**/*.vue').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/<v-btn\b(?:[^>"]|"[^"]*")*>/g)]
      .map(([tag]) => tag)
      .filter((tag) => /\scolor="primary"/.test(tag))
      .filter((tag) => !tag.includes('variant="flat"'))
      .map((tag) => `${file}: ${tag}`),
  );
  expect(found).toEqual([]);
});

test('the window has one main landmark, around every page', () => {
  const found = globSync('renderer/**/*.vue').filter((file) =>
    readFileSync(file, 'utf8').includes('<main'),
  );
  expect(found).toEqual(['renderer/App.vue']);
});
