import { expect, test } from 'vitest';
import { limitTrustedTypes } from '#renderer/trusted-types.ts';

interface Rules {
  readonly createHTML: (text: string) => string | null;
  readonly createScriptURL: (address: string) => string | null;
}

/** The rules that a page at an address is given. */
function rulesAt(baseURI: string): Rules {
  let rules: Rules | undefined;
  const page = Object.assign(Object.create(window) as Window, {
    trustedTypes: {
      createPolicy(name: string, given: Rules) {
        expect(name).toBe('default');
        rules = given;
      },
    },
  });
  Object.defineProperty(page, 'document', { value: { baseURI } });
  limitTrustedTypes(page);
  if (!rules) throw new Error('no policy was made');
  return rules;
}

test('nothing becomes a script: there is no rule for one', () => {
  expect(Object.keys(rulesAt('http://127.0.0.1:1/')).sort()).toEqual([
    'createHTML',
    'createScriptURL',
  ]);
});

test('no string becomes markup, only text does', () => {
  const { createHTML } = rulesAt('http://127.0.0.1:1/');
  expect(createHTML('')).toBe('');
  expect(createHTML('.a > .b {}')).toBe('.a > .b {}');
  expect(createHTML('<img src=x onerror=run()>')).toBeNull();
});

test.each([
  ['http://127.0.0.1:1/', 'http://127.0.0.1:1/assets/worker.mjs'],
  ['desk://app/', 'desk://app/assets/worker.mjs'],
])('a worker at %s is of this program', (base, own) => {
  const { createScriptURL } = rulesAt(base);
  for (const address of [own, './assets/worker.mjs'])
    expect(createScriptURL(address)).toBe(address);
  for (const foreign of [
    'https://outside.example/a.js',
    'data:text/javascript,run()',
    'blob:http://127.0.0.1:1/1',
    '//outside.example/a.js',
    'files/documents/a/b',
    './files/documents/a/b',
    '%66iles/documents/a/b',
    'assets/../files/documents/a/b',
    './/files/documents/a/b',
    'desk://files/documents/a/b',
    '%E0%A4%A',
  ]) {
    expect(createScriptURL(foreign), foreign).toBeNull();
  }
});
