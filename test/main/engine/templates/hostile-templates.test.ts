import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { TemplateThread } from '#main/engine/templates/template-thread.ts';
import { faultLog } from '../../../support/fault-log.ts';
import { makeDocx, paragraph, partOf, textsOf } from '../../../support/word-documents.ts';

/*
 * Documents that load, start or contact something when Word or LibreOffice opens them. Each is refused
 * with what it is, or the filled document has nothing of it.
 */

const thread = new TemplateThread(faultLog);
afterAll(() => thread.end());

const away = 'canary.invalid';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const body = paragraph('{case.key}');

const relation = (type: string, target: string, mode = ' TargetMode="External"') =>
  `<Relationship Id="x" Type="${type.includes(':') ? type : `${office}/${type}`}" Target="${target}"${mode}/>`;
const run = (inner: string) => `<w:r>${inner}</w:r>`;
const field = (...codes: readonly string[]) =>
  `<w:p>${run('<w:fldChar w:fldCharType="begin"/>')}${codes
    .map((code) => run(`<w:instrText xml:space="preserve">${code}</w:instrText>`))
    .join('')}${run('<w:fldChar w:fldCharType="end"/>')}</w:p>`;
const nested = (inner: string) =>
  `<w:p>${run('<w:fldChar w:fldCharType="begin"/>')}${field(inner).slice(5, -6)}${run(
    `<w:instrText> "http://${away}/p.png"</w:instrText>`,
  )}${run('<w:fldChar w:fldCharType="end"/>')}</w:p>`;
const drawing = (blip: string) =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="9" cy="9"/><wp:docPr id="1" name="p"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="p"><a:blip ${blip}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
const vml = (inner: string) =>
  `<w:p><w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">${inner}</w:pict></w:r></w:p>`;

/** The document with its types and one more of its parts changed. */
function changed(
  docx: Uint8Array,
  change: Readonly<Record<string, (text: string) => string | Uint8Array>>,
): Uint8Array<ArrayBuffer> {
  const parts: Record<string, Uint8Array> = unzipSync(docx);
  for (const [name, act] of Object.entries(change)) {
    const made = act(strFromU8(parts[name] ?? new Uint8Array()));
    parts[name] = typeof made === 'string' ? strToU8(made) : made;
  }
  return Uint8Array.from(zipSync(parts));
}
const withType = (docx: Uint8Array, part: string, type: string) =>
  changed(docx, {
    '[Content_Types].xml': (types) =>
      types.replace('</Types>', `<Override PartName="/${part}" ContentType="${type}"/></Types>`),
  });
const utf16 = (text: string) => Uint8Array.from([0xff, 0xfe, ...Buffer.from(text, 'utf16le')]);

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>';

describe('an active document is refused as a template, with what it is', () => {
  it.each<[string, Uint8Array<ArrayBuffer>, string]>([
    [
      'a picture elsewhere',
      makeDocx(body + drawing('r:link="x"/>'), {
        relations: relation('image', `http://${away}/p.png`),
      }),
      away,
    ],
    [
      'a picture elsewhere, embedded by name',
      makeDocx(body + drawing('r:embed="x"/>'), {
        relations: relation('image', `http://${away}/p.png`),
      }),
      away,
    ],
    [
      'a picture elsewhere, with its mode in another case',
      makeDocx(body + drawing('r:embed="x"/>'), {
        relations: relation('image', `http://${away}/p.png`, ' TargetMode="external"'),
      }),
      away,
    ],
    [
      'a picture on a share',
      makeDocx(body + drawing('r:link="x"/>'), {
        relations: relation('image', `\\\\${away}\\p.png`),
      }),
      away,
    ],
    [
      'an old drawing with a picture elsewhere',
      makeDocx(body + vml('<v:shape><v:imagedata r:id="x"/></v:shape>'), {
        relations: relation('image', `http://${away}/p.png`),
      }),
      away,
    ],
    [
      'a field split over runs',
      makeDocx(body + field(' INCLUDE', 'PICT', `URE "http://${away}/p.png"`)),
      'INCLUDEPICTURE',
    ],
    [
      'a field with a name that another one computes',
      makeDocx(body + nested(' QUOTE INCLUDEPICTURE ')),
      away,
    ],
    ['a field in numbers', makeDocx(body + field(' &#68;DE&#x41;UTO c')), 'DDEAUTO'],
    ['a field in CDATA', makeDocx(body + field('<![CDATA[ INCLUDETEXT x]]>')), 'INCLUDETEXT'],
    ['a field in a footer', makeDocx(body, { footer: field(' LINK Excel.Sheet x') }), 'LINK'],
    ['a field in an endnote', makeDocx(body, { endnotes: field(' DATABASE \\d x') }), 'DATABASE'],
    ['a simple field', makeDocx(`${body}<w:p><w:fldSimple w:instr=" DDE cmd x"/></w:p>`), 'DDE'],
    [
      'a simple field under another prefix',
      makeDocx(`${body}<w:p><q:fldSimple xmlns:q="${word}" q:instr="IMPORT x"/></w:p>`),
      'IMPORT',
    ],
    ['a building block', makeDocx(body + field(' AUTOTEXT x')), 'AUTOTEXT'],
    ['a macro button', makeDocx(body + field(' MACROBUTTON x')), 'MACROBUTTON'],
    ['a print field', makeDocx(body + field(' PRINT "x"')), 'PRINT'],
    [
      'a field that links to a file',
      makeDocx(body + field(' HYPERLINK "file:///c:/x.exe"')),
      'file:',
    ],
    [
      'an embedded object',
      makeDocx(
        `${body}<w:p><w:r><w:object><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" r:id="x"/></w:object></w:r></w:p>`,
        {
          relations: relation('oleObject', 'embeddings/a.bin', ''),
          more: { 'word/embeddings/a.bin': 'x' },
        },
      ),
      'w:object',
    ],
    [
      'a linked object',
      makeDocx(`${body}<w:p><w:r><q:object xmlns:q="${word}"/></w:r></w:p>`, {
        relations: relation('oleObject', `http://${away}/a.xls`),
      }),
      'w:object',
    ],
    [
      'a control',
      makeDocx(`${body}<w:p><w:r><w:control r:id="x"/></w:r></w:p>`, {
        relations: relation('control', 'activeX/a.xml', ''),
        more: { 'word/activeX/a.xml': '<a/>' },
      }),
      'w:control',
    ],
    [
      'another document within',
      makeDocx(`${body}<w:subDoc r:id="x"/>`, {
        relations: relation('subDocument', `http://${away}/a.docx`),
      }),
      'w:subDoc',
    ],
    [
      'an inserted document',
      makeDocx(`${body}<w:altChunk r:id="x"/>`, {
        relations: relation('aFChunk', 'a.docx', ''),
        more: { 'word/a.docx': 'x' },
      }),
      'altChunk',
    ],
    [
      'an inserted page elsewhere',
      makeDocx(`${body}<w:altChunk r:id="x"/>`, {
        relations: relation('aFChunk', `http://${away}/a.html`),
      }),
      'aFChunk',
    ],
    [
      'a drawing with a script',
      makeDocx(body + drawing('r:embed="x"/>'), {
        relations: relation('image', 'media/a.svg', ''),
        more: { 'word/media/a.svg': svg },
      }),
      'a.svg',
    ],
    [
      'a drawing with a script that is called a picture',
      makeDocx(body + drawing('r:embed="x"/>'), {
        relations: relation('image', 'media/a.png', ''),
        more: { 'word/media/a.png': svg },
      }),
      'a.png',
    ],
    [
      'a video',
      makeDocx(body + drawing('r:embed="y"/><a:videoFile r:link="x"/><a:b>').replace('<a:b>', ''), {
        relations: relation('video', `http://${away}/v`),
      }),
      'videoFile',
    ],
    [
      'a relation of an unknown kind',
      makeDocx(body + drawing('r:embed="x"/>'), {
        relations: relation('urn:x/thing', `http://${away}/`),
      }),
      away,
    ],
    [
      'a header elsewhere',
      makeDocx(`<w:sectPr><w:headerReference r:id="x"/></w:sectPr>${body}`, {
        relations: relation('header', `http://${away}/h.xml`),
      }),
      away,
    ],
    [
      'a part in UTF-16',
      changed(makeDocx(body), {
        'word/document.xml': (text) =>
          utf16(text.replace(/^<\?xml[^>]*\?>/, '').replace(body, body + field(' INCLUDETEXT x'))),
      }),
      'INCLUDETEXT',
    ],
    [
      'a part under a name in another case, with escapes',
      changed(
        makeDocx(body, {
          relations: relation('header', 'HEAD%65R9.xml', ''),
          more: { 'word/header9.xml': `<w:hdr xmlns:w="${word}">${field(' DDE x')}</w:hdr>` },
        }),
        {},
      ),
      'DDE',
    ],
  ])('%s', async (_, bytes, thing) => {
    const refusal = await thread.check('t.docx', bytes).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ params: { rule: 'template_active' } });
    expect(JSON.stringify(refusal instanceof DeskError && refusal.params)).toContain(thing);
  });

  it.each([
    [
      'its main part',
      makeDocx(body, { mainType: 'application/vnd.ms-word.document.macroEnabled.main+xml' }),
    ],
    ['a part', withType(makeDocx(body), 'word/x.bin', 'application/vnd.ms-office.vbaProject')],
    [
      'a relation',
      makeDocx(body, {
        relations: relation(
          'http://schemas.microsoft.com/office/2006/relationships/vbaProject',
          'x.bin',
          '',
        ),
        more: { 'word/x.bin': 'x' },
      }),
    ],
    ['a name', makeDocx(body, { more: { 'word/VBAProject.bin': 'x' } })],
  ])('macros by %s', async (_, bytes) => {
    await expect(thread.check('t.docx', bytes)).rejects.toMatchObject({
      params: { rule: 'template_macros' },
    });
  });

  it.each([
    [
      'a document type',
      (text: string) =>
        text.replace(
          '<w:document',
          '<!DOCTYPE w:document [<!ENTITY x SYSTEM "file:///etc/passwd">]><w:document',
        ),
    ],
    ['a prefix that nobody declares', (text: string) => text.replace('<w:body>', '<w:body><q:p/>')],
    ['another encoding', (text: string) => text.replace('UTF-8', 'utf-7')],
    ['text without an end', (text: string) => text.slice(0, -20)],
    [
      'depth without an end',
      (text: string) =>
        text.replace('<w:body>', `<w:body>${'<w:sdt>'.repeat(5000)}${'</w:sdt>'.repeat(5000)}`),
    ],
  ])('what no reader takes as XML: %s', async (_, change) => {
    const bytes = changed(makeDocx(body), { 'word/document.xml': change });
    await expect(thread.check('t.docx', bytes)).rejects.toMatchObject({
      params: { rule: 'template_damaged' },
    });
  });
});

describe('a document is filled without what it could do', () => {
  const data = { language: 'de', values: { 'case.key': 'K-1' }, lists: {}, pictures: [] } as const;

  it.each<[string, Uint8Array<ArrayBuffer>]>([
    [
      'a template elsewhere',
      makeDocx(body, { relations: relation('attachedTemplate', `\\\\${away}\\t.dotm`) }),
    ],
    [
      'a link to a file',
      makeDocx(`<w:p><w:hyperlink r:id="x">${run('<w:t>{case.key}</w:t>')}</w:hyperlink></w:p>`, {
        relations: relation('hyperlink', `file://${away}/x.exe`),
      }),
    ],
    [
      'a link that is a script',
      makeDocx(body, { relations: relation('hyperlink', `javascript:${away}`) }),
    ],
    [
      'data elsewhere',
      makeDocx(body, { relations: relation('customXml', `http://${away}/a.xml`) }),
    ],
    [
      'a picture elsewhere that nobody shows',
      makeDocx(body, { relations: relation('image', `http://${away}/p.png`) }),
    ],
    [
      'a page of frames',
      makeDocx(body, {
        relations: relation('webSettings', 'w.xml', ''),
        more: {
          'word/w.xml': `<w:webSettings xmlns:w="${word}" xmlns:r="${office}"><w:frameset><w:frame><w:sourceFileName r:id="f"/></w:frame></w:frameset></w:webSettings>`,
          'word/_rels/w.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="f" Type="${office}/frame" Target="http://${away}/" TargetMode="External"/></Relationships>`,
        },
      }),
    ],
    [
      'a form letter with a source of data',
      makeDocx(body, {
        relations: relation('settings', 's.xml', ''),
        more: {
          'word/s.xml': `<w:settings xmlns:w="${word}" xmlns:r="${office}"><w:mailMerge><w:dataSource r:id="f"/></w:mailMerge></w:settings>`,
          'word/_rels/s.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="f" Type="${office}/mailMergeSource" Target="http://${away}/" TargetMode="External"/></Relationships>`,
        },
      }),
    ],
    [
      'an old drawing with addresses',
      makeDocx(
        body +
          vml(
            `<v:rect src="http://${away}/p" href="http://${away}/"><v:fill src="http://${away}/f" o:href="http://${away}/g"/></v:rect>`,
          ),
      ),
    ],
    [
      'a video of a web page',
      makeDocx(
        body +
          drawing(
            `r:embed="y"/><wp15:webVideoPr xmlns:wp15="http://schemas.microsoft.com/office/word/2012/wordprocessingDrawing" embeddedHtml="http://${away}/"/><a:b>`,
          )
            .replace('<a:b>', '')
            .replace('r:embed="y"', ''),
      ),
    ],
    [
      'elements of another program',
      makeDocx(`${body}<z:load xmlns:z="urn:z" z:from="http://${away}/"/>`),
    ],
    [
      'parts that nobody refers to',
      makeDocx(body, {
        more: {
          'word/embeddings/a.bin': away,
          'word/x.xml': '<!DOCTYPE a>',
          'word/activeX/a.xml': `<a>${away}</a>`,
        },
      }),
    ],
    [
      'a part with another name',
      withType(
        makeDocx(body, { more: { 'word/f.bin': `<a>${away}</a>` } }),
        'word/f.bin',
        'application/x.footer+xml',
      ),
    ],
    [
      'a ribbon of its own',
      changed(makeDocx(body, { more: { 'ui.xml': `<a>${away}</a>` } }), {
        '_rels/.rels': (text) =>
          text.replace(
            '</Rel',
            `${relation('http://schemas.microsoft.com/office/2006/relationships/ui/extensibility', 'ui.xml', '')}</Rel`,
          ),
      }),
    ],
    ['a comment of XML', makeDocx(`<!-- ${away} -->${body}<?x ${away}?>`)],
  ])('%s', async (_, bytes) => {
    expect((await thread.check('t.docx', Uint8Array.from(bytes))).findings).toEqual([]);
    const filled = await thread.fill('t.docx', bytes, data);
    expect(textsOf(filled)).toContain('K-1');
    const parts = Object.entries(unzipSync(filled)).map(([name, part]) => name + strFromU8(part));
    expect(parts.filter((part) => part.includes(away))).toEqual([]);
  });

  it('with the text of an inserted page in its place', async () => {
    const page = `<html><script src="http://${away}/"></script><p>Angaben zu {case.key}</p></html>`;
    const docx = withType(
      makeDocx(`${paragraph('A')}<w:altChunk r:id="x"/>${paragraph('B')}`, {
        relations: relation('aFChunk', 'a.html', ''),
        more: { 'word/a.html': page },
      }),
      'word/a.html',
      'text/html',
    );
    const filled = await thread.fill('t.docx', docx, data);
    expect(textsOf(filled)).toEqual(['A', 'Angaben zu K-1', 'B']);
    expect(Object.keys(unzipSync(filled))).not.toContain('word/a.html');
  });

  it('with links that a reader clicks', async () => {
    const docx = makeDocx(
      `<w:p><w:hyperlink r:id="x">${run('<w:t>{case.key}</w:t>')}</w:hyperlink></w:p>`,
      {
        relations: relation('hyperlink', 'https://office.invalid/'),
      },
    );
    const filled = await thread.fill('t.docx', docx, data);
    expect(partOf(filled, 'word/_rels/document.xml.rels')).toContain('https://office.invalid/');
  });
});
