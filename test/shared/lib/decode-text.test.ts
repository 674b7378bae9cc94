import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText } from '#shared/lib/decode-text.ts';

const text = (name: string) =>
  decodeText(
    new Uint8Array(readFileSync(join(import.meta.dirname, '../../support/fixtures', name))),
  );

test('Windows-1252 and UTF-16 are read as they were written', () => {
  expect(text('cp1252.txt')).toMatch(/[äöüé]/);
  expect(text('cp1252.txt')).not.toContain('\ufffd');
  expect(text('utf16.txt')).not.toContain('\0');
  expect(text('03-utf16tab.csv')).toContain('externalKey\t');
  expect(decodeText(new TextEncoder().encode('Zürich 東京'))).toBe('Zürich 東京');
});
/** Of letters outside of ASCII, by code page. */
const mac: Readonly<Record<string, number>> = {
  ä: 0x8a,
  ö: 0x9a,
  ü: 0x9f,
  é: 0x8e,
  è: 0x8f,
  à: 0x88,
};
const windows: Readonly<Record<string, number>> = {
  ä: 0xe4,
  ö: 0xf6,
  ü: 0xfc,
  é: 0xe9,
  à: 0xe0,
  Š: 0x8a,
  š: 0x9a,
  Ž: 0x8e,
  '’': 0x92,
  '–': 0x96,
  '…': 0x85,
};
const bytesBy = (page: Readonly<Record<string, number>>, text: string) =>
  Uint8Array.from(text, (letter) => page[letter] ?? letter.charCodeAt(0));

test.each(['Zürich;Schäden;Möbel', 'Genève;réglé;à payer', 'Lager;geprüft', 'Schäden\rOfen'])(
  'reads %s of an older Mac',
  (text) => {
    expect(decodeText(bytesBy(mac, text))).toBe(text);
  },
);

test.each([
  'Zürich;Schäden;Möbel',
  'Šimic;Miloš',
  'Žaklina Miloš, geprüft',
  'l’expert – réglé …',
  'Miloš',
])('reads %s of Windows', (text) => {
  expect(decodeText(bytesBy(windows, text))).toBe(text);
});

test('reads UTF-16 of both orders of bytes by its mark', () => {
  const littleEndian = new Uint8Array(Buffer.from('\ufeffZürich', 'utf16le'));
  const bigEndian = new Uint8Array(Buffer.from('\ufeffZürich', 'utf16le').swap16());
  expect(decodeText(littleEndian)).toBe('Zürich');
  expect(decodeText(bigEndian)).toBe('Zürich');
});

test.each([0xff, 0xfe])('takes the byte %d alone for no mark', (byte) => {
  expect(decodeText(Uint8Array.of(byte, 0x41))).toBe(`${String.fromCharCode(byte)}A`);
});

test('a character of UTF-8 that is cut at the end of a beginning is left out', () => {
  const cut = new TextEncoder().encode('Zürich ü').subarray(0, -1);
  expect(decodeText(cut, true)).toBe('Zürich ');
  // As a whole text it is no UTF-8, and what is left of the character is a letter of Windows.
  expect(decodeText(cut)).toBe('Zürich Ã');
});

/** Of the command line of Windows. */
const dos: Readonly<Record<string, number>> = {
  ä: 0x84,
  ö: 0x94,
  ü: 0x81,
  Ä: 0x8e,
  Ö: 0x99,
  Ü: 0x9a,
  é: 0x82,
  è: 0x8a,
  à: 0x85,
  ç: 0x87,
  ê: 0x88,
};

test.each(['Zürich;geprüft', 'Äpfel;Öl;Übung', 'Genève;réglé;à payer', 'prêt;français', 'Schäden'])(
  'reads %s of MS-DOS',
  (text) => {
    expect(decodeText(bytesBy(dos, text))).toBe(text);
  },
);

test('reads UTF-16 without a mark', () => {
  const text = 'externalKey;Zürich\r\n1;2\r\n';
  const bytes = Buffer.from(text, 'utf16le');
  expect(decodeText(bytes)).toBe(text);
  expect(decodeText(Buffer.from(bytes).swap16())).toBe(text);
});

const plainLetters = Array.from('abcdeghilmnoprstu');

test.each([
  ['Windows', windows, 'äöüéà'],
  ['MS-DOS', dos, 'äöüéàèçê'],
  ['an older Mac', mac, 'äöüéèà'],
] as const)('reads words of %s whatever they are', (_, page, letters) => {
  const word = fc.tuple(
    fc.string({ unit: fc.constantFrom(...plainLetters), minLength: 1, maxLength: 6 }),
    fc.constantFrom(...Array.from(letters)),
    fc.string({ unit: fc.constantFrom(...plainLetters), minLength: 1, maxLength: 6 }),
  );
  const sentence = fc.array(word, { minLength: 4, maxLength: 20 });
  fc.assert(
    fc.property(sentence, (words) => {
      // Four different ones: one letter alone may be two words of two code pages.
      fc.pre(new Set(words.map(([, letter]) => letter)).size >= 4);
      const text = words.map((parts) => parts.join('')).join(' ');
      expect(decodeText(bytesBy(page, text))).toBe(text);
    }),
    { numRuns: 100 },
  );
});

test('lines that another program added in another encoding are read as they were written', () => {
  const lines = ['SF-1;geprüft\r\n', 'SF-2;Schäden\r\n', 'SF-3;réglé'];
  const [first = '', second = '', third = ''] = lines;
  const utf8 = (line: string) => new TextEncoder().encode(line);
  const mixed = [utf8(first), bytesBy(windows, second), utf8(third)];
  expect(decodeText(new Uint8Array(Buffer.concat(mixed)))).toBe(lines.join(''));
});

const mixed = (...cells: readonly (string | Buffer)[]) =>
  Buffer.concat(cells.map((cell) => Buffer.from(cell)));
const byWindows = (text: string) => Buffer.from(bytesBy(windows, text));

test.each([
  ['Müller;geprüft, Wert 100 Fr.', ['Müller;', byWindows('geprüft, Wert 100 Fr.')]],
  ['geprüft;Müller – «Möbel»', [byWindows('geprüft;'), 'Müller – «Möbel»']],
  ['Petrović;Radić;geprüft', ['Petrović;Radić;', byWindows('geprüft')]],
  ['Đorđe;geprüft', ['Đorđe;', byWindows('geprüft')]],
  ['1’250.00 €;à réparer', ['1’250.00 €;', byWindows('à réparer')]],
])('reads %s, of which a cell is in UTF-8 and another of Windows', (text, cells) => {
  const line = mixed(...cells);
  const other = mixed('Nr;Bemerkung\r\n', line, '\r\n');
  expect(decodeText(new Uint8Array(other))).toBe(`Nr;Bemerkung\r\n${text}\r\n`);
});

test.each(['«DÉJÀ VÉRIFIÉ…»', 'RÉSUMÉ – TRÈS BIEN', 'IST ÄÄ… SO', 'Wert Ä’ und Ü…, réglé'])(
  'reads %s of Windows, also where its bytes could be UTF-8',
  (text) => {
    const bytes = Buffer.from(
      Array.from(text, (letter) => windows[letter] ?? letter.charCodeAt(0)),
    );
    expect(decodeText(new Uint8Array(bytes))).toBe(text);
  },
);

test.each([
  ['Ersatz für 250 €', { '€': 0xa4 }],
  ['Total: € 1250.00, bezahlt', { '€': 0xa4 }],
  ['main-d’œuvre'.replace('’', "'"), { œ: 0xbd }],
  ['cœur, nœud', { œ: 0xbd }],
])('reads %s in ISO 8859-15', (text, page) => {
  expect(decodeText(bytesBy({ ...page, ü: 0xfc }, text))).toBe(text);
});

test.each(['1½ Std.', 'l´expert à Genève', '½ Tag, ¼ Platte'])('reads %s of Windows', (text) => {
  expect(decodeText(bytesBy({}, text))).toBe(text);
});
