import {
  type ImageFormat,
  ImagePlugin,
  LoopPlugin,
  type ScopeData,
  type TemplateContext,
  type TemplateData,
  TemplateExtension,
  TemplateHandler,
  TextPlugin,
  xml,
} from 'easy-template-x';
import { noteMarkLines, removeMarkLines } from './mark-lines.ts';
import { noteTypes } from './read-docx.ts';

/** A picture of the order, with its size on the page. */
export interface PlacedPicture {
  readonly picture: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly altText: string;
}
export type FilledValue = string | boolean | PlacedPicture;
export type FilledRow = Readonly<Record<string, FilledValue>>;

export interface FillData {
  readonly values: FilledRow;
  readonly lists: Readonly<Record<string, readonly FilledRow[]>>;
  readonly pictures: readonly {
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly format: 'image/jpeg' | 'image/png';
  }[];
}

/** Text boxes in tables lie deep. */
const xmlDepthMax = 200;

/** Fills a template with data; nothing in it is run as code. */
export async function fillDocx(
  template: Uint8Array<ArrayBuffer>,
  data: FillData,
): Promise<Uint8Array<ArrayBuffer>> {
  const handler = new TemplateHandler({
    plugins: [new LoopPlugin(), new ImagePlugin(), new TextPlugin()],
    maxXmlDepth: xmlDepthMax,
    extensions: {
      beforeCompilation: [new Preparation(), new Notes()],
      afterCompilation: [new MarkLines()],
    },
  });
  return new Uint8Array(await handler.process(template.buffer, valuesOf(data)));
}

function valuesOf({ values, lists, pictures }: FillData): TemplateData {
  // One object for each picture: the library stores it once.
  const sources = pictures.map(({ bytes, format }) => ({ source: bytes.buffer, format }));
  const valueOf = (value: FilledValue) => {
    if (typeof value === 'string') return printable(value);
    if (typeof value === 'boolean') return value;
    const source = sources[value.picture];
    if (!source) return '';
    const { widthPx: width, heightPx: height, altText } = value;
    const format: ImageFormat = source.format;
    return {
      _type: 'image',
      source: source.source,
      format,
      width,
      height,
      altText: printable(altText),
    };
  };
  const rowOf = (row: FilledRow) =>
    bare(Object.entries(row).map(([name, value]) => [name, valueOf(value)]));
  return bare([
    ...Object.entries(rowOf(values)),
    ...Object.entries(lists).map(([name, rows]): [string, unknown] => [name, rows.map(rowOf)]),
  ]) as TemplateData;
}

/** Without the members that every object has: a name of a template finds its value or nothing. */
function bare(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.assign(Object.create(null) as Record<string, unknown>, Object.fromEntries(entries));
}

/** What XML 1.0 cannot contain would make a document that no program opens. */
function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}|[\ufffe\uffff]/gu, '');
}

const spaces = {
  'xmlns:r': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  'xmlns:wp': 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
};

/** The library writes pictures with these prefixes, which a document without pictures may lack. */
class Preparation extends TemplateExtension {
  override async execute(_data: ScopeData, { currentPart }: TemplateContext): Promise<void> {
    const root = await currentPart.xmlRoot();
    if (xml.query.isGeneralNode(root)) root.attributes = { ...spaces, ...root.attributes };
    noteMarkLines(root);
  }
}

class MarkLines extends TemplateExtension {
  override async execute(_data: ScopeData, { currentPart }: TemplateContext): Promise<void> {
    removeMarkLines(await currentPart.xmlRoot());
  }
}

/** Footnotes and endnotes, with the document. */
class Notes extends TemplateExtension {
  override async execute(data: ScopeData, context: TemplateContext): Promise<void> {
    const part = context.currentPart;
    if (part !== context.docx.mainDocument) return;
    for (const type of Object.values(noteTypes))
      for (const note of await part.getPartsByType(type)) {
        context.currentPart = note;
        const root = await note.xmlRoot();
        noteMarkLines(root);
        await this.utilities.compiler.compile(root, data, context);
        removeMarkLines(root);
      }
    context.currentPart = part;
  }
}
