import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertFileName, extensionOf } from '#shared/lib/file-type.ts';
import { namesByTemplate } from '#renderer/composables/name-template.ts';
import { reworkedName } from '#renderer/composables/photos.ts';

const source = {
  key: 'SF-2026-000048',
  date: '2026-06-15',
  kinds: { report: 'Gutachten', photo: 'Foto', salvage: 'Restwert', other: 'Beilage' },
};
const file = (fileName: string, contentType = 'image/jpeg', isSalvageSale = false) => ({
  fileName,
  contentType,
  isSalvageSale,
});

test('a template is filled in, and every file keeps its extension', () => {
  const files = [
    file('scan.PDF', 'application/pdf'),
    file('IMG_1.jpg'),
    file('r.pdf', 'application/pdf', true),
    file('notes', 'text/plain'),
  ];
  expect(namesByTemplate('{key}_{n}_{kind}', files, source)).toEqual([
    'SF-2026-000048_01_Gutachten.pdf',
    'SF-2026-000048_02_Foto.jpg',
    'SF-2026-000048_03_Restwert.pdf',
    'SF-2026-000048_04_Beilage',
  ]);
  expect(namesByTemplate('{date} {name} {unknown}', files.slice(1, 2), source)).toEqual([
    '2026-06-15 IMG_1 {unknown}.jpg',
  ]);
});

test('names that would be alike are told apart', () => {
  expect(namesByTemplate('Foto', [file('a.jpg'), file('b.jpg'), file('c.png')], source)).toEqual([
    'Foto.jpg',
    'Foto_2.jpg',
    'Foto.png',
  ]);
});

test('whatever the template and the names, every name is allowed and no two are alike', () => {
  const names = fc
    .tuple(fc.string({ unit: 'grapheme', maxLength: 250 }), fc.constantFrom('', '.jpg', '.PDF'))
    .map(([stem, end]) => stem + end);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('{name}{name}', '../{n}', '{kind}', '\u202e{name}', '🚗'.repeat(300)),
      ),
      fc.array(names, { maxLength: 12 }),
      (template, fileNames) => {
        const made = namesByTemplate(
          template,
          fileNames.map((name) => file(name)),
          source,
        );
        for (const [index, name] of made.entries()) {
          assertFileName(name);
          expect(name.isWellFormed()).toBe(true);
          expect(extensionOf(name)).toBe(extensionOf(fileNames[index] ?? ''));
        }
        expect(new Set(made.map((name) => name.toLowerCase())).size).toBe(made.length);
      },
    ),
    { numRuns: 150 },
  );
});

test('the name of a redrawn photo is cut between characters', () => {
  expect(reworkedName('Front.PNG')).toBe('Front.jpg');
  const name = reworkedName(`${'🚗'.repeat(127)}.jpeg`);
  expect(name).toBe(`${'🚗'.repeat(125)}.jpg`);
  assertFileName(name);
});
