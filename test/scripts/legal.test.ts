import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  billOfMaterials,
  licenceText,
  shippedPackages,
  writeLibraries,
} from '../../scripts/lib/legal.mjs';
import { root, temporaryFolder } from '../support/processes.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const lockSchema = z.object({ packages: z.record(z.string(), z.any()) });
const lock = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));

/** What the window's bundle is made of, as Vite lists it. */
const bundled = [{ name: 'vue' }, { name: '@vue/runtime-dom' }, { name: 'konva' }];

describe('the bill of materials', () => {
  it('is CycloneDX and names every package that is shipped', () => {
    const bill = z
      .object({
        bomFormat: z.literal('CycloneDX'),
        components: z.array(z.object({ name: z.string(), version: z.string() })),
      })
      .parse(billOfMaterials(root, lock));
    const named = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
    const missing = shippedPackages(lock, bundled).filter(
      ({ name, version }) => !named.has(`${name}@${version}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('the licences', () => {
  const allowed =
    /^\(?(?:MIT|ISC|BSD|Apache-2\.0|0BSD|BlueOak|CC0|Python-2\.0|Unlicense|WTFPL|Zlib)/;

  it('are known for every package that is shipped, and allow it', () => {
    const shipped = shippedPackages(lock, bundled);
    expect(shipped.length).toBeGreaterThan(100);
    // The LGPL requires separate files that anyone may replace.
    const others = shipped.filter(({ licence }) => !allowed.test(String(licence)));
    expect(others).toMatchObject([{ name: 'libheif-js', licence: 'LGPL-3.0' }]);
    const packaging = readFileSync(join(root, 'electron-builder.yml'), 'utf8');
    expect(packaging).toMatch(/asarUnpack:(?:\n {2}.*)*\n {2}- 'node_modules\/libheif-js\/\*\*'/);
  });

  it('are with the libraries of what is built, those in workers and threads too', () => {
    const built = readFileSync(join(root, 'dist/renderer/licences.json'), 'utf8');
    const listed = z
      .array(z.object({ name: z.string(), licence: z.string() }))
      .parse(JSON.parse(built));
    const names = listed.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'konva',
        'utif2',
        'tesseract.js-core',
        '@tesseract.js-data/deu',
        '@xmldom/xmldom',
        'postal-mime',
        '@cornerstonejs/codec-libjpeg-turbo-8bit',
      ]),
    );
    // The MPL covers exifreader's own files, which are unchanged.
    expect(listed.filter(({ licence }) => !allowed.test(licence))).toEqual([
      { name: 'exifreader', licence: 'MPL-2.0' },
      { name: 'libheif-js', licence: 'LGPL-3.0' },
    ]);
  });

  it('are listed again without a change of the file that a desk may be serving', () => {
    const file = join(root, 'dist/renderer/licences.json');
    const before = statSync(file, { bigint: true });
    writeLibraries(root);
    const after = statSync(file, { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
  });

  it('are with what the window is made of too, and with no other tool', () => {
    const names = shippedPackages(lock, bundled).map(({ name }) => String(name));
    expect(names).toEqual(expect.arrayContaining(['konva', '@vue/runtime-dom', 'electron']));
    expect(names).not.toContain('vitest');
  });

  it('come with the notice that a library asks for inside of a package without its text', () => {
    const name = '@cornerstonejs/codec-libjpeg-turbo-8bit';
    const source = 'https://registry.example/codec.tgz';
    const entry = { name, version: '1.2.8', path: 'none', licence: 'ISC', source };
    expect(licenceText(folder.path, [entry])).toContain('Independent\nJPEG Group');
  });

  it('come with their text if the package has one', () => {
    mkdirSync(join(folder.path, 'a/licenses'), { recursive: true });
    writeFileSync(join(folder.path, 'a/LICENSE.md'), 'Do as you like.\n');
    const source = 'https://registry.example/a-1.0.0.tgz';
    const entry = { name: 'a', version: '1.0.0', path: 'a', licence: 'MIT', source };
    const text = licenceText(folder.path, [entry, { ...entry, name: 'b', path: 'b' }]);
    const line = '-'.repeat(80);
    expect(text).toBe(
      `a 1.0.0 (MIT)\n${source}\n\nDo as you like.\n\n${line}\n\nb 1.0.0 (MIT)\n${source}\n`,
    );
  });
});
