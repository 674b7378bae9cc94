import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import type { DocumentContentType } from '#shared/api/document.ts';
import { FileChecker } from '#main/engine/readable/file-checker.ts';
import { faultLog } from '../../../support/fault-log.ts';
import { makePdf } from '../../../support/sample-files.ts';
import { makeDocx, paragraph } from '../../../support/word-documents.ts';
import { makeWorkbook, textRow } from '../../../support/workbook.ts';

const checker = new FileChecker(faultLog);
afterAll(() => checker.close());

const check = async (contentType: DocumentContentType, bytes: Uint8Array) => {
  const finding = await checker.check({ bytes: new Uint8Array(bytes), contentType });
  return 'rule' in finding ? finding.rule : finding.kind;
};
const half = (bytes: Uint8Array) => bytes.subarray(0, Math.floor(bytes.length / 2));
/** One byte of the content of a member is another. */
const flipped = (bytes: Uint8Array, at: number) =>
  bytes.map((byte, index) => (index === at ? byte ^ 0xff : byte));

describe('an archive', () => {
  const zip = zipSync({
    'a.txt': [strToU8('one'.repeat(50)), { level: 0 }],
    'folder/b.txt': strToU8('two'.repeat(200)),
  });
  const looked = (bytes: Uint8Array) => check('application/zip', bytes);

  it('is readable if its directory is there and each member unpacks to its checksum', async () => {
    expect(await looked(zip)).toBe('readable');
  });

  it('is empty without a file, or if every file in it is', async () => {
    const none = new Uint8Array(0);
    for (const files of [{}, { 'Fotos/': none }, { 'Fotos/': none, 'Fotos/1.jpg': none }])
      expect(await looked(zipSync(files))).toBe('empty');
    expect(await looked(zipSync({ 'leer.txt': none, 'a.txt': strToU8('a') }))).toBe('readable');
  });

  it('is damaged without its directory, or if a byte of a member is another', async () => {
    expect(await looked(half(zip))).toBe('archive_directory');
    expect(await looked(zip.subarray(0, -10))).toBe('archive_directory');
    expect(await looked(flipped(zip, 60))).toBe('archive_member');
  });

  it('is packed as few programs do if its methods are of other programs', async () => {
    // BZIP2, in the member's head and in the directory (APPNOTE.TXT, 4.4.5).
    const { length } = zip;
    const directory = new DataView(zip.buffer, zip.byteOffset).getUint32(length - 6, true);
    const packed = zip.with(8, 12).with(directory + 10, 12);
    expect(await looked(packed)).toBe('unknownPacking');
    expect(await looked(packed.subarray(0, -10))).toBe('archive_directory');
  });

  it('is damaged if its directory calls a member by another name than the member itself', async () => {
    const at = Buffer.from(zip).lastIndexOf('a.txt');
    expect(await looked(zip.map((byte, index) => (index === at ? 0 : byte)))).toBe(
      'archive_directory',
    );
  });

  it('is damaged if its directory is longer than its end says', async () => {
    const at = zip.length - 40;
    const longer = Buffer.concat([zip.subarray(0, at), zip.subarray(at - 10)]);
    expect(await looked(longer)).toBe('archive_directory');
    // A part of it is there twice, between the members and the directory.
    const start =
      zip.length - 22 - new DataView(zip.buffer, zip.byteOffset).getUint32(zip.length - 10, true);
    const twice = Buffer.concat([zip.subarray(0, start), zip.subarray(start - 30)]);
    expect(await looked(twice)).toBe('archive_directory');
    // A program in front of it unpacks it, and moves every place.
    expect(await looked(Buffer.concat([Buffer.alloc(100, 'x'), zip]))).toBe('readable');
  });
});

describe('an Office document', () => {
  const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const fixtures = join(import.meta.dirname, '../../../support/fixtures');
  const workbook = readFileSync(join(fixtures, 'x18-no-r.xlsx'));
  const word = makeDocx(paragraph('Gutachten'));
  const types = '[Content_Types].xml';

  it('is damaged if a part that is not the main one breaks off', async () => {
    const parts = unzipSync(new Uint8Array(workbook));
    const name = Object.keys(parts).find((path) => path.includes('worksheets/')) ?? '';
    const cut = zipSync({ ...parts, [name]: parts[name]?.subarray(0, -20) ?? new Uint8Array(0) });
    expect(await check(xlsx, cut)).toBe('office_main_part');
  });

  it('is readable if it is a whole archive with its main part', async () => {
    expect(await check(docx, word)).toBe('readable');
    expect(await check(xlsx, workbook)).toBe('readable');
  });

  it('is damaged if its main part is something else', async () => {
    const parts = unzipSync(makeDocx(paragraph('Gutachten')));
    const withMain = (xml: string) => zipSync({ ...parts, 'word/document.xml': strToU8(xml) });
    const html = '<html><body><p>Gutachten</p></body></html>';
    expect(await check(docx, withMain(html))).toBe('office_content');
    expect(await check(docx, withMain('<document/>'))).toBe('office_content');
    expect(await check(xlsx, word)).toBe('office_content');
    expect(await check(docx, workbook)).toBe('office_content');
    const strict = 'http://purl.oclc.org/ooxml/wordprocessingml/main';
    expect(await check(docx, withMain(`<document xmlns="${strict}"/>`))).toBe('readable');
  });

  it('is damaged if a sheet of a workbook or its texts are missing', async () => {
    const parts = unzipSync(makeWorkbook({ rows: textRow(1, ['A']) }));
    const without = (name: string) =>
      zipSync(Object.fromEntries(Object.entries(parts).filter(([path]) => path !== name)));
    const withPart = (name: string, xml: string) => zipSync({ ...parts, [name]: strToU8(xml) });
    const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
    const [book, sheet] = ['xl/workbook.xml', 'xl/worksheets/sheet2.xml'];
    for (const name of [sheet, 'xl/sharedStrings.xml', 'xl/_rels/workbook.xml.rels'])
      expect(await check(xlsx, without(name))).toBe('office_sheet');
    for (const sheets of ['', '<sheets/>'])
      expect(await check(xlsx, withPart(book, `<workbook ${main}>${sheets}</workbook>`))).toBe(
        'office_sheet',
      );
    expect(await check(xlsx, withPart(sheet, '<html/>'))).toBe('office_sheet');
    const relations = strFromU8(parts['xl/_rels/workbook.xml.rels'] ?? new Uint8Array(0));
    const odd = relations.replace('worksheets/sheet2.xml', '//[/sheet2.xml');
    expect(await check(xlsx, withPart('xl/_rels/workbook.xml.rels', odd))).toBe('office_sheet');
    expect(await check(xlsx, withPart(sheet, `<chartsheet ${main}/>`))).toBe('readable');
    expect(await check(xlsx, without('xl/styles.xml'))).toBe('readable');
    const module = strFromU8(parts[book] ?? new Uint8Array(0)).replace('r:id="rId1"', 'r:id=""');
    expect(await check(xlsx, withPart(book, module))).toBe('readable');
  });

  it('is damaged if it is half, or its main part is missing or breaks off', async () => {
    expect(await check(docx, half(word))).toBe('archive_directory');
    expect(await check(docx, zipSync({ [types]: strToU8('<Types/>') }))).toBe('office_main_part');
    const relations =
      '<Relationships><Relationship Id="r1" Type="http://x/officeDocument" Target="word/document.xml"/></Relationships>';
    const parts = { [types]: strToU8('<Types/>'), '_rels/.rels': strToU8(relations) };
    const broken = { ...parts, 'word/document.xml': strToU8('<w:document><w:body>') };
    expect(await check(docx, zipSync(parts))).toBe('office_main_part');
    expect(await check(docx, zipSync(broken))).toBe('office_main_part');
  });
});

describe('a mail', () => {
  const mail = (...lines: readonly string[]) => Buffer.from(lines.join('\r\n'), 'latin1');
  const head = ['From: a@example.ch', 'Subject: Schaden'];
  const outer = ['Content-Type: multipart/mixed;', ' boundary="a b"', ''];
  const inner = [
    '--a b',
    'Content-Type: multipart/alternative; boundary=in',
    '',
    '--in',
    '',
    'Text',
  ];
  const looked = (bytes: Buffer) => check('message/rfc822', bytes);

  it('is readable if each of its parts ends', async () => {
    expect(await looked(mail(...head, '', 'Hallo'))).toBe('readable');
    expect(await looked(mail(...head, ...outer, ...inner, '--in--', '--a b--', ''))).toBe(
      'readable',
    );
    expect(await looked(mail('From - Mon May  4', ...head, '', 'Hallo'))).toBe('readable');
    const base64 = ['Content-Transfer-Encoding: base64', '', 'SGFsbG8='];
    expect(await looked(mail(...head, ...base64))).toBe('readable');
  });

  /** 114 bytes: two full lines of base64, and no padding. */
  const wrapped = ['TWFu'.repeat(19), 'TWFu'.repeat(19)];
  const footer = ['________', 'Werkstätten mailing list', 'https://liste.example.ch/'];

  it.each([
    ['padding', ['SGFsbG8=', ...footer]],
    ['a whole group', ['SGFsbG8h', ...footer]],
    ['full lines', [...wrapped, ...footer]],
    ['padding in each line', ['SGFsbG8=', 'SGFsbG8=', ...footer]],
    ['padding, and begins with a word', ['SGFsbG8=', 'Verteiler', ...footer]],
    ['a blank line, and begins with a word', ['SGFsbG8h', '', 'Verteiler', ...footer]],
  ])('is readable if the text of a mailing list follows base64 behind %s', async (_, body) => {
    const transfer = ['Content-Transfer-Encoding: base64', ''];
    expect(await looked(mail(...head, ...transfer, ...body))).toBe('readable');
    const part = ['--a b', ...transfer, ...body, '--a b--'];
    expect(await looked(mail(...head, ...outer, ...part))).toBe('readable');
  });

  it('is one of several if it is a mailbox with more than one', async () => {
    const before = 'From garage@example.ch Mon May  4 10:00:00 2026';
    const first = [before, ...head, '', 'Hallo', ''];
    expect(await looked(mail(...first))).toBe('readable');
    expect(await looked(mail(...first, before, ...head, '', 'Gruss'))).toBe('severalMails');
    expect(await looked(mail(...first, `>${before}`, ...head))).toBe('readable');
    expect(await looked(mail(...first, 'From Monday on we are open in 2026', 'Gruss:'))).toBe(
      'readable',
    );
    expect(await looked(mail(...head, '', before, ...head))).toBe('readable');
  });

  it('is damaged if a file in uuencode breaks off', async () => {
    const file = ['begin 644 a.txt', '%2&%L;&\\', '`', 'end'];
    expect(await looked(mail(...head, '', 'Hallo', ...file, 'Gruss', ''))).toBe('readable');
    expect(await looked(mail(...head, '', 'Hallo', ...file.slice(0, 2), ''))).toBe('mail_end');
    expect(await looked(mail(...head, '', 'Hallo', ...file.slice(0, 1), 'Gruss'))).toBe('readable');
  });

  it.each([
    ['within a group', ['SGFsbG8', ...footer]],
    ['within a line', [...wrapped, 'TWF', ...footer]],
    ['and goes on', [...wrapped, ...footer, ...wrapped]],
    ['by zeros', [...wrapped, '\0'.repeat(30)]],
    ['by zeros, and goes on', [...wrapped, `TWFu${'\0'.repeat(72)}`, ...wrapped]],
    ['before it began', footer],
  ])('is damaged if its base64 breaks off %s', async (_, body) => {
    const transfer = ['Content-Transfer-Encoding: base64', ''];
    expect(await looked(mail(...head, ...transfer, ...body))).toBe('mail_end');
  });

  it('is damaged if a part of its text or of a header is zeros', async () => {
    const zeros = '\0'.repeat(20);
    expect(await looked(mail(...head, '', `Hallo${zeros}`))).toBe('text_control');
    expect(await looked(mail(...head, zeros, '', 'Hallo'))).toBe('text_control');
    const part = ['--a b', 'Content-Type: text/html', '', zeros, '--a b--'];
    expect(await looked(mail(...head, ...outer, ...part))).toBe('text_control');
    const bytes = ['--a b', 'Content-Type: image/png', '', zeros, '--a b--'];
    expect(await looked(mail(...head, ...outer, ...bytes))).toBe('readable');
    expect(await looked(mail(...head, '', 'H\0a\0l\0l\0o\0'))).toBe('readable');
  });

  it.each(['signed-opaque.eml', 'signed-opaque-streamed.eml', 'encrypted.eml'])(
    'is damaged if what %s holds breaks off, also behind a whole group of base64',
    async (name) => {
      const whole = readFileSync(join(import.meta.dirname, '../../../support/fixtures', name));
      expect(await looked(whole)).toBe('readable');
      const from = whole.indexOf('\n\n') + 2;
      const cuts = Array.from({ length: 9 }, (_, at) => from + at * 65 + 64);
      for (const cut of cuts.filter((at) => at < whole.length - 4))
        expect(await looked(whole.subarray(0, cut))).toBe('mail_end');
    },
  );

  it('is damaged if it breaks off within its header', async () => {
    expect(await looked(mail(...head, 'Cont'))).toBe('mail_end');
    expect(await looked(mail(...head, ''))).toBe('readable');
  });

  /** Whether a mail is called whole, likely to be cut, or damaged. */
  const endOf = async (...lines: readonly string[]) => {
    const bytes = new Uint8Array(mail(...head, ...lines));
    const report = await checker.check({ bytes, contentType: 'message/rfc822' });
    if (report.kind !== 'readable') return 'rule' in report ? report.rule : report.kind;
    return report.looksDamaged ? 'looks cut' : 'whole';
  };
  const quoted = 'Content-Transfer-Encoding: quoted-printable';
  const html = ['Content-Type: text/html; charset=utf-8', ''];
  const flowed = ['Content-Type: text/plain; format=flowed', ''];
  const unending = 'Der Schaden am Fahrzeug wurde heute besichtigt und ist erheblich, wie';
  const body64 = (text: string) => Buffer.from(text).toString('base64');

  it.each([
    ['within a quoted letter', [quoted, '', 'Der K=C3=BChler ist gebr=C'], 'mail_end'],
    ['before a quoted letter', [quoted, '', 'Der Schaden ist gr='], 'looks cut'],
    ['within a line that an encoder broke', [quoted, '', `${unending}=`, ''], 'looks cut'],
    ['within a letter of UTF-8', ['', 'Der K\xc3\xbchler ist gr\xc3'], 'mail_end'],
    ['within a quoted letter of UTF-8', [quoted, '', 'Der K=C3=BChler, gr=C3'], 'mail_end'],
    ['within a tag', [...html, '<p>Der Schaden<p cla'], 'looks cut'],
    ['within HTML', [...html, '<html><body><p>Der Schaden', ''], 'looks cut'],
    [
      'within HTML in base64',
      ['Content-Transfer-Encoding: base64', ...html, body64('<html><body>Der Schaden!')],
      'looks cut',
    ],
    ['within a paragraph', [...flowed, 'Der Schaden ist ', ''], 'looks cut'],
    ['before its stated length', ['Content-Length: 100', '', 'Der Schaden'], 'looks cut'],
    [
      'behind a line of its header',
      ['Date: Mon, 4 May 2026 10:00:00 +0200', ''].slice(0, 2),
      'looks cut',
    ],
  ])('that breaks off %s is named or damaged', async (_, lines, found) => {
    expect(await endOf(...lines)).toBe(found);
  });

  it.each([
    ['of plain text', ['', 'Der Schaden']],
    ['of a subject alone', ['', '']],
    ['of quoted text', [quoted, '', 'Der Kilometerstand =3D 10', '']],
    ['whose encoder marks that the text has no line end', [quoted, '', 'Gruss=', '']],
    ['with a letter of a code page at its end', ['', 'Touch\xe9']],
    ['with letters of a code page', ['', 'K\xfchler, touch\xe9']],
    ['of a whole document', [...html, '<html><body>Der Schaden</body></html>', '']],
    ['of HTML without a document', [...html, '<p>3 < 4 ist wahr<br>', '']],
    ['with a signature', [...flowed, 'Der Schaden', '-- ', '']],
    ['with flowed lines', [...flowed, 'Der ', 'Schaden', '']],
    ['of its stated length', ['Content-Length: 13', '', 'Der Schaden', '']],
    ['of parts', [...outer, '--a b', ...html, '<html><p>Text', '--a b--', '']],
  ])('%s is whole', async (_, lines) => {
    expect(await endOf(...lines)).toBe('whole');
  });

  it('of a file alone ends if the file does', async () => {
    const pdf = await makePdf('Gutachten', 'Seite zwei');
    const photo = readFileSync(
      join(import.meta.dirname, '../../../support/fixtures/pictures/progressive.jpg'),
    );
    for (const [type, file] of [
      ['application/pdf', pdf],
      ['image/jpeg', photo],
    ] as const) {
      const lines = file.toString('base64').match(/.{1,76}/g) ?? [];
      const transfer = [`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', ''];
      expect(await endOf(...transfer, ...lines)).toBe('whole');
      expect(await endOf(...transfer, ...lines.slice(0, -4))).toBe('mail_end');
    }
  });

  it('is damaged if the end of a part is missing', async () => {
    expect(await looked(mail(...head, ...outer, ...inner, '--in--'))).toBe('mail_end');
    expect(await looked(mail(...head, ...outer, ...inner, '--a b--'))).toBe('mail_end');
    const base64 = ['Content-Transfer-Encoding: base64', '', 'SGFsbG8'];
    expect(await looked(mail(...head, ...base64))).toBe('mail_end');
    const inPieces = ['Content-Type: multipart/mixed; boundary*0="a";', ' boundary*1=" b"', ''];
    expect(await looked(mail(...head, ...inPieces, '--a b', '', 'Text', '--a b--'))).toBe(
      'readable',
    );
    expect(await looked(mail(...head, ...inPieces, '--a b', '', 'Text'))).toBe('mail_end');
    const forwarded = (...lines: readonly string[]) => [
      ...outer,
      '--a b',
      'Content-Type: message/rfc822',
      'Content-Transfer-Encoding: base64',
      '',
      mail(...head, 'Content-Type: multipart/mixed; boundary=in', '', ...lines).toString('base64'),
      '--a b--',
    ];
    expect(await looked(mail(...head, ...forwarded('--in', '', 'Text', '--in--')))).toBe(
      'readable',
    );
    expect(await looked(mail(...head, ...forwarded('--in', '', 'Text')))).toBe('mail_end');
    const nested = ['--a b', 'Content-Type: message/rfc822', '', ...head, ...outer];
    expect(await looked(mail(...head, ...outer, ...nested, '--a b--'))).toBe('mail_end');
  });
});

describe('a text', () => {
  it.each([
    ['UTF-8', Buffer.from('Kühlergrill\tgebrochen\r\n'), 'readable'],
    ['Windows-1252', Buffer.from('K\xfchlergrill', 'latin1'), 'readable'],
    ['UTF-16', Buffer.from('\ufeffKühlergrill', 'utf16le'), 'readable'],
    ['blanks alone', Buffer.from(' \t\r\n\r\n'), 'empty'],
    [
      'UTF-8 that ends within a letter',
      Buffer.from('Kühlergrill gr\xfc').subarray(0, -1),
      'text_end',
    ],
    [
      'UTF-16 that ends within a letter',
      Buffer.from('\ufeffKühler', 'utf16le').subarray(0, -1),
      'text_end',
    ],
    ['Windows-1252 with a letter at its end', Buffer.from('touch\xe9', 'latin1'), 'readable'],
    ['half zeros', Buffer.concat([Buffer.from('Text'), Buffer.alloc(20)]), 'text_control'],
  ])('of %s is %s', async (_, bytes, finding) => {
    expect(await check('text/plain', bytes)).toBe(finding);
    expect(await check('text/csv', bytes)).toBe(finding);
  });
});
