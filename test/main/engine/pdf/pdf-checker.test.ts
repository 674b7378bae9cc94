import { afterAll, describe, expect, it } from 'vitest';
import { deflateSync } from 'node:zlib';
import { PdfChecker } from '#main/engine/pdf/pdf-checker.ts';
import { makePdf } from '../../../support/sample-files.ts';
import {
  certificatePdf,
  pdfOf,
  protectedPdf,
  smallPdf,
  streamOf,
} from '../../../support/pdf-files.ts';
import { faultLog } from '../../../support/fault-log.ts';

const checker = new PdfChecker(faultLog);
afterAll(() => checker.close());
const check = (bytes: Buffer) => checker.check(new Uint8Array(bytes));

const whole = smallPdf('Gesamtbetrag CHF 1190.00');
const [book, made] = [await makePdf('one', 'two', 'three'), await makePdf('Gutachten')];
const before = (mark: string) => whole.subarray(0, whole.indexOf(mark));

describe('a PDF that is to be sent', () => {
  it.each([
    ['a header alone', Buffer.from('%PDF-1.7\n')],
    ['a header and noise', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(70_000, 'x')])],
    ['the end of another file', Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')],
    ['a file cut in its page', before('endstream')],
    ['a file cut before its page', before('3 0 obj')],
    [
      'a catalog without a page',
      pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 0/Kids[]>>']),
    ],
    ['a file cut in the middle', book.subarray(0, 700)],
  ])('is damaged if it is %s', async (_what, bytes) => {
    expect(await check(bytes)).toBe('damaged');
  });

  it.each([
    ['whole', whole],
    ['made by a library', made],
    ['after the lines of a printer', Buffer.concat([Buffer.from('\x1b%-12345X@PJL\r\n'), whole])],
    ['after a mark of the encoding', Buffer.concat([Buffer.from('\xef\xbb\xbf', 'latin1'), whole])],
    ['after blank lines', Buffer.concat([Buffer.from('\n\n'), whole])],
    ['cut in the table of its objects', before('trailer')],
    ['cut behind its last object', before('xref')],
    [
      'with a table that points elsewhere',
      Buffer.from(whole.toString('latin1').replaceAll('00000000', '00000009'), 'latin1'),
    ],
    [
      'with line ends that were changed',
      Buffer.from(whole.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
    ],
  ])('is readable if it is %s', async (_what, bytes) => {
    expect(await check(bytes)).toBe('readable');
  });

  it('is protected if it opens with a password only', async () => {
    expect(await check(await protectedPdf('geheim'))).toBe('protected');
  });

  it('is of an unknown encryption if it is encrypted for readers with a certificate', async () => {
    expect(await check(certificatePdf())).toBe('unknownEncryption');
  });

  it('is no finding if it inflates to more than the memory that it may use', async () => {
    const bomb = deflateSync(Buffer.alloc(600_000_000), { level: 9 });
    const bytes = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      streamOf(bomb, '/Type/ObjStm/N 1/First 10/Filter/FlateDecode'),
    ]);
    const hostile = Buffer.from(bytes.toString('latin1').replace(/xref[^]*$/, ''), 'latin1');
    expect(await check(hostile)).toBe('unknown');
    expect(await check(whole)).toBe('readable');
  }, 60_000);

  it('waits for the one before it', async () => {
    const findings = await Promise.all([check(whole), check(Buffer.from('%PDF-')), check(whole)]);
    expect(findings).toEqual(['readable', 'damaged', 'readable']);
  });
});
