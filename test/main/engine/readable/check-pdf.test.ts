import { PDFDict, PDFDocument, PDFHexString, PDFName, PDFString } from '@cantoo/pdf-lib';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { deflateSync } from 'node:zlib';
import { tiffPages } from '#shared/photos/tiff.ts';
import { PdfTextReader } from '#main/engine/document-text/read-pdf-text.ts';
import { FileChecker } from '#main/engine/readable/file-checker.ts';
import { packedZeros } from '../../../support/packed-zeros.ts';
import { makeDetailedJpeg, makePdf } from '../../../support/sample-files.ts';
import {
  certificatePdf,
  inflatingPdf,
  pdfOf,
  picturesPdf,
  protectedPdf,
  scanPdf,
  smallPdf,
  streamOf,
} from '../../../support/pdf-files.ts';
import { formPdf } from '../../../support/pdf-forms.ts';
import { faultLog } from '../../../support/fault-log.ts';

const checker = new FileChecker(faultLog);
afterAll(() => checker.close());
const check = async (bytes: Buffer) => {
  const order = { bytes: new Uint8Array(bytes), contentType: 'application/pdf' as const };
  return (await checker.check(order)).kind;
};

/** The same file with what stands at a mark replaced by zeros. */
const without = (bytes: Buffer, mark: string | Buffer, length: number) => {
  const at = bytes.indexOf(mark);
  return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(length), bytes.subarray(at + length)]);
};
/** A page whose content is the fourth object. */
const pageWith = (content: Buffer) =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>',
    content,
  ]);
const scan = scanPdf(64, 64);

const pictures = join(import.meta.dirname, '../../../support/fixtures/pictures');
/** The same bytes with zeros in the middle. */
const zeroed = (bytes: Buffer) => {
  const [from, to] = [bytes.length / 2, bytes.length * 0.6].map(Math.floor);
  return Buffer.from(bytes).fill(0, from, to);
};

const whole = smallPdf('Gesamtbetrag CHF 1190.00');
/** With a second page content, added as programs add a stamp or an answer (ISO 32000-2, 7.5.6). */
const revised = (() => {
  const before = /startxref\n(\d+)/.exec(whole.toString('latin1'))?.[1] ?? '';
  const stream = streamOf('BT /F1 12 Tf 60 760 Td (Gesamtbetrag CHF 990.00) Tj ET');
  const object = Buffer.concat([Buffer.from('4 0 obj\n'), stream, Buffer.from('\nendobj\n')]);
  const at = String(whole.length).padStart(10, '0');
  const table = `xref\n4 1\n${at} 00000 n \ntrailer\n<</Size 6/Root 1 0 R/Prev ${before}>>\n`;
  const place = whole.length + object.length;
  return Buffer.concat([whole, object, Buffer.from(`${table}startxref\n${place}\n%%EOF\n`)]);
})();
const [book, made] = [await makePdf('one', 'two', 'three'), await makePdf('Gutachten')];
const pair = await makePdf('Gutachten', 'Seite zwei');
const packed = await (async () => {
  const pdf = await PDFDocument.load(made, { updateMetadata: false });
  return Buffer.from(await pdf.save({ useObjectStreams: true }));
})();
/** Where the stream of its table begins. */
const packedTable = packed.indexOf('stream', packed.indexOf('/XRef')) + 'stream\n'.length;
const before = (mark: string) => whole.subarray(0, whole.indexOf(mark));

/** Returns a PDF whose first page is in a branch of the page tree. */
const treePdf = (counts: { all: number; ofPart: number }, more = '5 0 R', first = '4 0 R') =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[3 0 R ${more}]/Count ${counts.all}>>`,
    `<</Type/Pages/Parent 2 0 R/Kids[${first}]/Count ${counts.ofPart}>>`,
    '<</Type/Page/Parent 3 0 R/MediaBox[0 0 300 400]/Contents 6 0 R>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents 6 0 R>>',
    streamOf('0 0 10 10 re f'),
  ]);

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
    ['a file whose picture is gone', without(scan, '5 0 obj', 60)],
    ['a file whose picture does not unpack', without(scan, Buffer.from('x\x9c', 'latin1'), 6)],
    [
      'a file whose second half is zeros',
      Buffer.concat([book.subarray(0, 700), Buffer.alloc(700)]),
    ],
    // pdf.js shows a page that no tree leads to, and repairs the table; other readers do neither.
    ['a file whose page begins with zeros', without(whole, '3 0 obj', 20)],
    ['a file with zeros in its table', without(whole, '0 n \ntrailer', 3)],
    // pdf.js shows the second page twice.
    ['a file whose first page is gone', without(pair, '595 842 ]', 84)],
    [
      'a file whose packed table has moved',
      Buffer.concat([packed.subarray(0, 100), packed.subarray(50)]),
    ],
    [
      'a file whose packed table is broken off by a repetition of what stands before it',
      Buffer.concat([packed.subarray(0, packedTable + 10), packed.subarray(packedTable - 200)]),
    ],
    [
      'a file whose packed table ends early',
      Buffer.concat([
        packed.subarray(0, packedTable),
        // The end of a table without a row, without its checksum.
        Buffer.from('789c010000ffff', 'hex'),
        packed.subarray(packedTable + 7),
      ]),
    ],
    [
      'a file whose packed table has no last block',
      Buffer.concat([
        packed.subarray(0, packedTable),
        Buffer.from('789c000000ffff', 'hex'),
        packed.subarray(packed.indexOf('endstream', packedTable)),
      ]),
    ],
    // Every reader shows as many pages as the tree says.
    ['a file whose tree counts fewer pages than it has', treePdf({ all: 1, ofPart: 1 })],
    ['a file whose tree counts fewer than no page', treePdf({ all: -2, ofPart: 1 })],
    [
      'a file in which a part of the tree counts fewer pages than it has',
      treePdf({ all: 2, ofPart: 1 }, '5 0 R', '4 0 R 4 0 R'),
    ],
    // Readers show what the page was before.
    ['a file cut within a revision that was added', revised.subarray(0, whole.length + 60)],
    ['a file cut behind a revision that was added', revised.subarray(0, -40)],
    // What followed may have been a picture of a page: nobody can know.
    ['a file cut in the table of its objects', before('trailer')],
    ['a file cut behind its last object', before('xref')],
  ])('is damaged if it is %s', async (_what, bytes) => {
    expect(await check(bytes)).toBe('damaged');
  });

  it.each([
    ['whole', whole],
    ['made by a library', made],
    ['packed', packed],
    ['whole, with a revision that was added', revised],
    ['whole, with other bytes behind it', Buffer.concat([whole, Buffer.from('</html> an object')])],
    ['packed, behind what a printer reads', Buffer.concat([Buffer.from('@PJL\n'), packed])],
    ['after the lines of a printer', Buffer.concat([Buffer.from('\x1b%-12345X@PJL\r\n'), whole])],
    ['after a mark of the encoding', Buffer.concat([Buffer.from('\xef\xbb\xbf', 'latin1'), whole])],
    ['after blank lines', Buffer.concat([Buffer.from('\n\n'), whole])],
    ['of two pages in a tree', treePdf({ all: 2, ofPart: 1 })],
    // Readers show it as three pages, and so does a plain count of the tree.
    ['of a page that the tree names twice', treePdf({ all: 3, ofPart: 1 }, '5 0 R 4 0 R')],
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

  describe('with pictures of pages', () => {
    const photo = makeDetailedJpeg(160, 120);
    const fax = (name: string) => {
      const [page] = tiffPages(new Uint8Array(readFileSync(join(pictures, name))));
      const [bytes = new Uint8Array(0)] = page?.parts ?? [];
      const { width = 0, height = 0 } = page ?? {};
      return { width, height, bytes: Buffer.from(bytes) };
    };
    const jpeg = { width: 160, height: 120, bytes: photo };
    const group4 = fax('g4.tif');
    const group3 = fax('g3.tif');
    const asFax = ({ width }: { width: number }, kind: number) =>
      `/ColorSpace/DeviceGray/BitsPerComponent 1/Filter[/CCITTFaxDecode]/DecodeParms[<</K ${String(kind)}/Columns ${String(width)}>>]`;
    const colour = '/ColorSpace/DeviceRGB/BitsPerComponent 8';
    const packedJpeg = { ...jpeg, bytes: deflateSync(photo) };
    const packedDamage = { ...jpeg, bytes: deflateSync(zeroed(photo)) };
    const report = async (picture: Parameters<typeof picturesPdf>[2]) => {
      const bytes = new Uint8Array(picturesPdf(2, 1, picture));
      return await checker.check({ bytes, contentType: 'application/pdf' });
    };
    const filtered = '/Filter[/FlateDecode/DCTDecode]';

    it.each([
      ['a JPEG', jpeg, `${colour}/Filter/DCTDecode`],
      ['a packed JPEG', packedJpeg, `${colour}${filtered}`],
      [
        'a packed JPEG whose checksum is wrong',
        { ...jpeg, bytes: Buffer.concat([packedJpeg.bytes.subarray(0, -4), Buffer.alloc(4)]) },
        `${colour}${filtered}`,
      ],
      [
        'a JPEG behind other bytes',
        { ...jpeg, bytes: Buffer.concat([Buffer.from('\n\0'), photo]) },
        `${colour}/Filter/DCTDecode`,
      ],
      ['a fax of Group 4', group4, asFax(group4, -1)],
      ['a fax of Group 3', group3, asFax(group3, 0)],
      [
        'a fax with fewer rows than it says',
        { ...group4, height: group4.height + 40 },
        asFax(group4, -1),
      ],
    ])('is sound if they are as %s is written', async (_what, picture, entries) => {
      expect(await report({ ...picture, entries })).toEqual({ kind: 'readable' });
    });

    it.each([
      ['a JPEG', { ...jpeg, bytes: zeroed(photo) }, `${colour}/Filter/DCTDecode`],
      ['a packed JPEG', packedDamage, `${colour}${filtered}`],
      [
        'the packing of a JPEG',
        { ...jpeg, bytes: zeroed(packedJpeg.bytes) },
        `${colour}${filtered}`,
      ],
      ['a fax of Group 4', { ...group4, bytes: zeroed(group4.bytes) }, asFax(group4, -1)],
      ['a fax of Group 3', { ...group3, bytes: zeroed(group3.bytes) }, asFax(group3, 0)],
    ])('looks damaged if zeros stand in %s', async (_what, picture, entries) => {
      expect(await report({ ...picture, entries })).toEqual({
        kind: 'readable',
        looksDamaged: true,
      });
    });
  });

  describe('with a form', () => {
    const answers = async (bytes: Uint8Array) => {
      const order = { bytes: new Uint8Array(bytes), contentType: 'application/pdf' as const };
      return await checker.check(order);
    };

    it.each([
      ['radio', { pictures: 'none' }],
      ['radio', { pictures: 'none', needsPictures: true, state: 'none' }],
      ['radio', { needsPictures: true, value: 'none' }],
      ['radio', { state: 'off' }],
      ['check', { state: 'off' }],
      ['check', { value: 'off', pictures: 'none' }],
    ] as const)('hides answers: %s, %j', async (kind, state) => {
      const report = await answers(await formPdf(kind, state));
      expect(report).toEqual({ kind: 'readable', hidesAnswers: true });
    });

    it.each([
      ['text', { pictures: 'none' }],
      ['check', { pictures: 'none', needsPictures: true }],
      ['check', { pictures: 'none', state: 'none' }],
      ['check', { pictures: 'names', value: 'none' }],
      ['radio', { pictures: 'names', state: 'none' }],
      ['radio', { pictures: 'none', value: 'none', state: 'none' }],
      ['radio', { value: 'none' }],
      ['dropdown', {}],
    ] as const)('shows all: %s, %j', async (kind, state) => {
      expect(await answers(await formPdf(kind, state))).toEqual({ kind: 'readable' });
    });

    /** A form with the XML of XFA next to its field. */
    async function withXfa(kind: 'text' | 'check', filled: string, data: string) {
      const pdf = await PDFDocument.load(
        await formPdf(kind, { value: filled ? 'chosen' : 'none' }),
      );
      const { context } = pdf;
      const form = pdf.catalog.lookup(PDFName.of('AcroForm'), PDFDict);
      const xml = `<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data>${data}</xfa:data></xfa:datasets>`;
      const stream = context.register(context.flateStream(xml));
      form.set(PDFName.of('XFA'), context.obj([PDFString.of('datasets'), stream]));
      return await answers(await pdf.save({ updateFieldAppearances: false }));
    }

    it.each([
      ['a text that its field lacks', 'text', '', '<form1><f>1234.50</f></form1>'],
      ['a formatted text', 'text', '', '<form1><f><body><p>1234.50</p></body></f></form1>'],
      ['a text under the name of a schema', 'text', '', '<form1><amount>1234.50</amount></form1>'],
      ['XML that breaks off', 'text', 'filled', '<form1><f>1234.50</form1>'],
    ] as const)('hides answers if it has %s in XFA', async (_, kind, filled, data) => {
      expect(await withXfa(kind, filled, data)).toEqual({ kind: 'readable', hidesAnswers: true });
    });

    it.each([
      ['the same text', 'text', 'filled', '<form1><f>1234.50</f></form1>'],
      ['the text in another format', 'text', 'filled', '<form1><f>1234,5</f></form1>'],
      ['no text', 'text', '', '<form1><f/><is>0</is></form1>'],
      ['another text without a field', 'text', 'filled', '<form1><id>a1</id></form1>'],
    ] as const)('shows its answers if it has %s in XFA', async (_, kind, filled, data) => {
      expect(await withXfa(kind, filled, data)).toEqual({ kind: 'readable' });
    });

    it('hides answers if XFA chooses a button that its field does not', async () => {
      const pdf = await PDFDocument.load(await formPdf('check', { value: 'off', state: 'off' }));
      const { context } = pdf;
      const form = pdf.catalog.lookup(PDFName.of('AcroForm'), PDFDict);
      const found = async (text: string) => {
        const xml = `<datasets><data><form1><f>${text}</f></form1></data></datasets>`;
        form.set(PDFName.of('XFA'), context.register(context.flateStream(xml)));
        return await answers(await pdf.save({ updateFieldAppearances: false }));
      };
      expect(await found('Yes')).toEqual({ kind: 'readable', hidesAnswers: true });
      expect(await found('0')).toEqual({ kind: 'readable' });
    });

    it('that another program alone shows (XFA) hides answers', async () => {
      const pdf = await PDFDocument.load(await formPdf('text'));
      const form = pdf.catalog.lookup(PDFName.of('AcroForm'), PDFDict);
      form.set(PDFName.of('XFA'), PDFHexString.fromText('<xdp/>'));
      form.set(PDFName.of('Fields'), pdf.context.obj([]));
      const bytes = await pdf.save({ updateFieldAppearances: false });
      expect(await answers(bytes)).toEqual({ kind: 'readable', hidesAnswers: true });
    });
  });

  describe('that only its owner may change', () => {
    const fixtures = join(import.meta.dirname, '../../../support/fixtures');
    const unpacked = readFileSync(join(fixtures, 'pw-owner.pdf'));
    const inStreams = readFileSync(join(fixtures, 'pw-owner-packed.pdf'));
    const at = (mark: string) => unpacked.indexOf(mark);
    const swapped = (bytes: Buffer, from: number, middle: number, to: number) =>
      Buffer.concat([
        bytes.subarray(0, from),
        bytes.subarray(middle, to),
        bytes.subarray(from, middle),
        bytes.subarray(to),
      ]);

    it('is readable', async () => {
      expect(await check(unpacked)).toBe('readable');
      expect(await check(inStreams)).toBe('readable');
    });

    it('is damaged if the content of a page does not unpack', async () => {
      const content = at('/FlateDecode');
      const stream = unpacked.indexOf('stream', content) + 40;
      expect(await check(Buffer.from(unpacked).fill(0, stream, stream + 40))).toBe('damaged');
    });

    it('is damaged if other readers cannot follow what says how it is encrypted', async () => {
      const [owner, ownerKey, rights] = [at('/O <'), at('/OE <'), at('/Perms <')];
      for (const other of [
        // The keys in each other, and the strings with zeros in them.
        swapped(unpacked, owner + 30, rights + 10, rights + 40),
        Buffer.from(unpacked).fill(0, owner + 20, owner + 60),
        Buffer.from(unpacked).fill(0, owner, ownerKey + 10),
        Buffer.from(unpacked).fill(0, ownerKey - 40, rights + 4),
      ])
        expect(await check(other)).toBe('damaged');
    });

    it('is damaged, and leaves no error, if an object is not where its table says', async () => {
      const log = { error: vi.fn() };
      const [own, texts] = [new FileChecker(log), new PdfTextReader(log)];
      onTestFinished(async () => void (await Promise.all([own.close(), texts.end()])));
      const from = at('6 0 obj') - 286;
      for (const broken of [
        swapped(unpacked, from, from + 156, from + 312),
        Buffer.from(unpacked).fill(0, from + 157, from + 313),
      ]) {
        const order = { contentType: 'application/pdf' as const };
        const finding = await own.check({ ...order, bytes: new Uint8Array(broken) });
        expect(finding.kind).toBe('damaged');
        const limit = { timeoutMs: 20_000, signal: new AbortController().signal };
        await texts.read(new Uint8Array(broken), limit);
      }
      expect(log.error).not.toHaveBeenCalled();
    });

    it('is damaged if a part of its packed table stands there twice', async () => {
      const table = inStreams.lastIndexOf('<< /Type /XRef') + '<< /Type /'.length;
      const twice = Buffer.concat([inStreams.subarray(0, table), inStreams.subarray(table - 80)]);
      expect(await check(twice)).toBe('damaged');
    });
  });

  it('is protected if it opens with a password only', async () => {
    expect(await check(await protectedPdf('geheim'))).toBe('protected');
  });

  it('is of an unknown encryption if it is encrypted for readers with a certificate', async () => {
    expect(await check(certificatePdf())).toBe('unknownEncryption');
  });

  const bomb = packedZeros(600_000_000);
  it.each([
    ['objects', pageWith(streamOf(bomb, '/Type/ObjStm/N 1/First 10/Filter/FlateDecode'))],
    ['content', pageWith(streamOf(bomb, '/Filter/FlateDecode'))],
    ['content, packed twice', inflatingPdf(200_000_000)],
    [
      'rows of its table',
      Buffer.concat([
        Buffer.from(
          packed
            .toString('latin1', 0, packedTable)
            .replace(/Length \d+(?=[^]{0,80}$)/, `Length ${bomb.length}`),
          'latin1',
        ),
        bomb,
        packed.subarray(packed.indexOf('endstream', packedTable) - 1),
      ]),
    ],
  ])(
    'is too heavy if it inflates to more %s than the viewer takes, whatever memory there is',
    async (_what, hostile) => {
      // The limit of the thread's memory is looked at from time to time, so it may come too late.
      vi.spyOn(Worker.prototype, 'getHeapStatistics').mockResolvedValue({
        external_memory: 0,
      } as never);
      onTestFinished(() => void vi.restoreAllMocks());
      expect(await check(hostile)).toBe('tooHeavy');
      expect(await check(whole)).toBe('readable');
    },
    60_000,
  );

  it('is readable if a content has the size of the largest drawings', async () => {
    expect(
      await check(
        pageWith(streamOf(deflateSync(Buffer.alloc(25_000_000, ' ')), '/Filter/FlateDecode')),
      ),
    ).toBe('readable');
  });

  it('waits for the one before it', async () => {
    const findings = await Promise.all([check(whole), check(Buffer.from('%PDF-')), check(whole)]);
    expect(findings).toEqual(['readable', 'damaged', 'readable']);
  });
});
