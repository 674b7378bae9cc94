import { strFromU8, strToU8, unzipSync, zipSync, type Zippable } from 'fflate';

const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing';
const compatibility = 'http://schemas.openxmlformats.org/markup-compatibility/2006';
const spaces =
  `xmlns:w="${main}" xmlns:r="${office}" xmlns:wp="${drawing}" xmlns:mc="${compatibility}" ` +
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"';
const typeOf = (part: string) =>
  `application/vnd.openxmlformats-officedocument.wordprocessingml.${part}+xml`;
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns a paragraph with one run per text, because Word splits typed text into runs. */
export const paragraph = (...runs: readonly string[]): string =>
  `<w:p>${runs.map((run) => `<w:r><w:t xml:space="preserve">${escaped(run)}</w:t></w:r>`).join('')}</w:p>`;

/** Returns a text box, with its copy for older programs. */
export const textBox = (...runs: readonly string[]): string => {
  const content = `<w:txbxContent>${paragraph(...runs)}</w:txbxContent>`;
  return (
    '<w:p><w:r><mc:AlternateContent>' +
    `<mc:Choice Requires="wps"><w:drawing><wps:txbx>${content}</wps:txbx></w:drawing></mc:Choice>` +
    `<mc:Fallback><w:pict>${content}</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`
  );
};

/** Returns a table with one row per list of cells. */
export const table = (...rows: readonly (readonly string[])[]): string =>
  `<w:tbl>${rows
    .map(
      (cells) => `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`,
    )
    .join('')}</w:tbl>`;

interface Parts {
  readonly header?: string;
  readonly footer?: string;
  readonly footnotes?: string;
  readonly endnotes?: string;
  /** Further members of the archive, by name. */
  readonly more?: Readonly<Record<string, string | Uint8Array>>;
  /** Further elements of the document's relationships. */
  readonly relations?: string;
  readonly mainType?: string;
}

/** Creates a Word document with this body. */
export function makeDocx(body: string, parts: Parts = {}): Uint8Array<ArrayBuffer> {
  const { header, footer, footnotes, endnotes } = parts;
  const given = { header, footer, footnotes, endnotes };
  const roots = {
    header: 'w:hdr',
    footer: 'w:ftr',
    footnotes: 'w:footnotes',
    endnotes: 'w:endnotes',
  };
  const names = (Object.keys(given) as (keyof typeof given)[]).filter(
    (name) => given[name] !== undefined,
  );
  const wrapped = (name: keyof typeof given, content: string) => {
    if (name === 'footnotes') return `<w:footnote w:id="1">${content}</w:footnote>`;
    return name === 'endnotes' ? `<w:endnote w:id="1">${content}</w:endnote>` : content;
  };
  const files: Zippable = {
    '[Content_Types].xml': strToU8(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        '<Default Extension="xml" ContentType="application/xml"/>' +
        `<Override PartName="/word/document.xml" ContentType="${parts.mainType ?? typeOf('document.main')}"/>` +
        names
          .map((name) => `<Override PartName="/word/${name}.xml" ContentType="${typeOf(name)}"/>`)
          .join('') +
        '</Types>',
    ),
    '_rels/.rels': strToU8(
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
        `<Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    'word/_rels/document.xml.rels': strToU8(
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
        names
          .map(
            (name, at) =>
              `<Relationship Id="p${at}" Type="${office}/${name}" Target="${name}.xml"/>`,
          )
          .join('') +
        `${parts.relations ?? ''}</Relationships>`,
    ),
    'word/document.xml': strToU8(
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document ${spaces}><w:body>${body}<w:sectPr/></w:body></w:document>`,
    ),
  };
  for (const name of names)
    files[`word/${name}.xml`] = strToU8(
      `<${roots[name]} ${spaces}>${wrapped(name, given[name] ?? '')}</${roots[name]}>`,
    );
  for (const [name, content] of Object.entries(parts.more ?? {}))
    files[name] = typeof content === 'string' ? strToU8(content) : content;
  return Uint8Array.from(zipSync(files, { level: 1 }));
}

/** Returns a part of a document as XML. */
export function partOf(docx: Uint8Array, name = 'word/document.xml'): string {
  const part = unzipSync(docx)[name];
  if (!part) throw new Error(`the document has no ${name}`);
  return strFromU8(part);
}

const breaks: Readonly<Record<string, string>> = { '<w:br/>': '\n', '<w:tab/>': '\t' };

/** Returns the paragraphs of a part as a reader sees them, with line breaks and tabs. */
export function textsOf(docx: Uint8Array, name?: string): string[] {
  const unescaped = (text: string) =>
    text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&apos;', "'")
      .replaceAll('&amp;', '&');
  return [...partOf(docx, name).matchAll(/<w:p\b[^>]*?(?:\/>|>([\s\S]*?)<\/w:p>)/g)].map(
    ([, content = '']) =>
      unescaped(
        [...content.matchAll(/<w:t\b[^>]*>([^<]*)<\/w:t>|<w:br\/>|<w:tab\/>/g)]
          .map(([element, text]) => breaks[element] ?? text ?? '')
          .join(''),
      ),
  );
}

/** Returns the names of the pictures in a document. */
export const picturesOf = (docx: Uint8Array): string[] =>
  Object.keys(unzipSync(docx)).filter((name) => /^word\/media\/./.test(name));

/** Returns the contents of the pictures, in the order of their names. */
export const pictureBytesOf = (docx: Uint8Array): Uint8Array[] =>
  Object.values(unzipSync(docx, { filter: ({ name }) => /^word\/media\/./.test(name) }));

/** Returns the pictures in the order in which they stand in the text. */
export function placedPicturesOf(docx: Uint8Array): Uint8Array[] {
  const parts = unzipSync(docx);
  const relations = [
    ...partOf(docx, 'word/_rels/document.xml.rels').matchAll(/<Relationship\b[^>]*>/g),
  ].map(([element]) => element);
  return [...partOf(docx).matchAll(/<a:blip\b[^>]*r:embed="([^"]+)"/g)].map(([, id]) => {
    const relation = relations.find((element) => element.includes(` Id="${id ?? ''}"`)) ?? '';
    const [, target = ''] = /Target="\/?(?:word\/)?([^"]+)"/.exec(relation) ?? [];
    const picture = parts[`word/${target}`];
    if (!picture) throw new Error(`the document has no ${target}`);
    return picture;
  });
}

/** Returns the document with one more paragraph at its end, as if a user had continued it. */
export function withParagraph(docx: Uint8Array, text: string): Uint8Array {
  const parts = unzipSync(docx);
  const body = partOf(docx);
  const at = body.lastIndexOf('<w:sectPr');
  const document = strToU8(body.slice(0, at) + paragraph(text) + body.slice(at));
  return zipSync({ ...parts, 'word/document.xml': document });
}
