import { expect, test } from 'vitest';
import { preloadsOf } from '#renderer/preload-scripts.ts';

test('each module script of the page is asked for as a script ahead, under the same terms', () => {
  const html = `<head>
    <script type="module" crossorigin src="./assets/runtime-1.js"></script>
    <script type="module" crossorigin src="./assets/first-2.js"></script>
    <link rel="stylesheet" crossorigin href="./assets/first-3.css">
  </head>`;
  expect(preloadsOf(html)).toEqual(
    ['./assets/runtime-1.js', './assets/first-2.js'].map((href) => ({
      tag: 'link',
      attrs: { rel: 'preload', as: 'script', crossorigin: true, href },
      injectTo: 'head-prepend',
    })),
  );
});

test('a page without such a script stops the build', () => {
  expect(() => preloadsOf('<script type="module" src="./first.js"></script>')).toThrow(
    /no module script/,
  );
});
