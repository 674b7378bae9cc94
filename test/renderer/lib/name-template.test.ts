import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadWindowTexts } from '#shared/i18n/catalogue.ts';
import { languages } from '#shared/i18n/language.ts';
import { assertFileName, extensionOf } from '#shared/lib/file-type.ts';
import { namesByTemplate } from '#renderer/lib/name-template.ts';
import { noDetails, kindOf } from '#shared/photos/details.ts';
import { jpegName } from '#shared/photos/picture-kinds.ts';

const kinds = {
  report: 'Gutachten',
  estimate: 'Kostenvoranschlag',
  salvage: 'Restwert',
  invoice: 'Rechnung',
  sheet: 'Fotoblatt',
  photo: 'Foto',
  other: 'Beilage',
};
const source = {
  key: 'SF-2026-000048',
  date: '2026-06-15',
  kindName: (kind: keyof typeof kinds) => kinds[kind],
};
const file = (fileName: string, contentType = 'image/jpeg', isSalvageSale = false) => ({
  fileName,
  contentType,
  isSalvageSale,
  details: noDetails,
});

test('a template is filled in, and the extension of each file stays', () => {
  const files = [
    file('scan.PDF', 'application/pdf'),
    file('IMG_1.jpg'),
    file('r.pdf', 'application/pdf', true),
    file('notes', 'text/plain'),
  ];
  expect(namesByTemplate('{key}_{n}_{kind}', files, source)).toEqual([
    'SF-2026-000048_01_Beilage.pdf',
    'SF-2026-000048_02_Foto.jpg',
    'SF-2026-000048_03_Restwert.pdf',
    'SF-2026-000048_04_Beilage',
  ]);
  expect(namesByTemplate('{date} {name} {unknown}', files.slice(1, 2), source)).toEqual([
    '2026-06-15 IMG_1 {unknown}.jpg',
  ]);
});

test('a photo brings its time of capture and its caption, and an empty part leaves no gap', () => {
  const details = { ...noDetails, takenAt: '2026-05-01T14:03:22', caption: 'Delle: Tür/links' };
  const files = [{ ...file('IMG_1.jpg'), details }, file('IMG_2.jpg')];
  expect(namesByTemplate('{date}_{time}_{caption}_{n}', files, source)).toEqual([
    '2026-05-01_1403_Delle: Tür-links_01.jpg',
    '2026-06-15_02.jpg',
  ]);
});

test('the kind is what the user chose, else what the name shows, and never a report by itself', () => {
  const pdf = (name: string) => kindOf(file(name, 'application/pdf'));
  expect(
    ['Restwertangebot.pdf', 'KV_Garage.pdf', 'facture-12.pdf', 'Gutachten.pdf'].map(pdf),
  ).toEqual(['salvage', 'estimate', 'invoice', 'report']);
  expect(pdf('scan0001.pdf')).toBe('other');
  expect(kindOf({ ...file('a.pdf', 'application/pdf'), isSalvageSale: true })).toBe('salvage');
  const details = { ...noDetails, kind: 'report' as const };
  expect(kindOf({ ...file('scan.pdf', 'application/pdf'), details })).toBe('report');
});

test('equal names get numbers', () => {
  expect(namesByTemplate('Foto', [file('a.jpg'), file('b.jpg'), file('c.png')], source)).toEqual([
    'Foto.jpg',
    'Foto_2.jpg',
    'Foto.png',
  ]);
});

test('with any template and names, every name is allowed and no two are alike', () => {
  const names = fc
    .tuple(fc.string({ unit: 'grapheme', maxLength: 250 }), fc.constantFrom('', '.jpg', '.PDF'))
    // A file of a draft has neither separators nor control characters in its name.
    .map(([stem, end]) => stem.replaceAll(/[/\\\p{Cc}]/gu, '-') + end);
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
  expect(jpegName('Front.PNG')).toBe('Front.jpg');
  const name = jpegName(`${'🚗'.repeat(127)}.jpeg`);
  expect(name).toBe(`${'🚗'.repeat(125)}.jpg`);
  assertFileName(name);
});

test.each(languages)('a name that the desk itself gives in %s shows the kind', async (language) => {
  const { photos, reportTools } = await loadWindowTexts[language]();
  const pdf = (name: string) => kindOf(file(`48_${name}.pdf`, 'application/pdf'));
  for (const kind of ['report', 'estimate', 'salvage', 'invoice', 'sheet'] as const)
    expect(pdf(photos.kinds[kind])).toBe(kind);
  expect(pdf(reportTools.sheetFile)).toBe('sheet');
});
