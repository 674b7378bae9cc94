import { type Docx, type OpenXmlPart, RelType } from 'easy-template-x';
import { SyntaxValidator } from 'fast-xml-validator';
import { unzipSync } from 'fflate';
import type { TemplatePart } from '#shared/desk/templates.ts';

/** What is refused of a file before anything in it is read as text. */
export type DocxFault =
  | 'template_damaged'
  | 'template_macros'
  | 'template_active'
  | 'template_too_large';

export class DocxRefusal extends Error {
  readonly fault: DocxFault;

  constructor(fault: DocxFault, options?: ErrorOptions) {
    super(fault, options);
    this.fault = fault;
  }
}

const unpackedMaxBytes = 256 * 1024 * 1024;
const membersMax = 5000;
/** A part with text; the pictures may be larger. */
const partMaxBytes = 32 * 1024 * 1024;

const wordContent =
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const relations = RelType.MainDocument.slice(0, RelType.MainDocument.lastIndexOf('/'));
/** The library fills these only if it is asked to. */
export const noteTypes = { footnote: `${relations}/footnotes`, endnote: `${relations}/endnotes` };

/**
 * Refuses what is no plain document: archives that unpack to more than a document, macros, controls,
 * fields that start programs, and links to templates elsewhere, which Word loads and runs.
 * @throws {DocxRefusal}
 */
export function assertPlainDocx(bytes: Uint8Array): void {
  const texts = readTexts(bytes);
  const types = texts.get('[Content_Types].xml') ?? '';
  if (/macroEnabled|vbaProject/i.test(types)) throw new DocxRefusal('template_macros');
  if (!types.includes(wordContent)) throw new DocxRefusal('template_damaged');
  if (hasDisguisedPart(withoutNumbers(types))) throw new DocxRefusal('template_active');
  for (const [name, text] of texts) {
    if (!isPlainXml(text)) throw new DocxRefusal('template_damaged');
    const plain = withoutNumbers(text);
    if (name.endsWith('.rels') ? hasActiveLink(plain) : hasActiveField(plain))
      throw new DocxRefusal('template_active');
  }
}

/** A part that is XML by its type and not by its name, which the checks would not read. */
function hasDisguisedPart(types: string): boolean {
  const declared = [...types.matchAll(/<(?:[\w.-]+:)?(?:Override|Default)\b[^>]*>/g)];
  return declared.some(([element]) => {
    const isXml = /ContentType\s*=\s*["'](?!image\/)[^"']*[+/]xml["']/i.test(element);
    return (
      isXml && !/(?:PartName|Extension)\s*=\s*["'](?:[^"']*\.)?(?:xml|rels)["']/i.test(element)
    );
  });
}

/** Word writes no document type and no CDATA; the library that fills reads half of a broken part as a whole. */
function isPlainXml(text: string): boolean {
  if (/<!(?:DOCTYPE|ENTITY|\[CDATA\[)/i.test(text)) return false;
  try {
    return SyntaxValidator.validate(text);
  } catch {
    return false;
  }
}

/** The XML parts, within limits. */
function readTexts(bytes: Uint8Array): Map<string, string> {
  const limits = { members: 0, unpacked: 0 };
  const names: string[] = [];
  try {
    const parts = unzipSync(bytes, {
      filter({ name, originalSize }) {
        limits.members += 1;
        limits.unpacked += originalSize;
        names.push(name);
        const isText = /\.(?:xml|rels)$/i.test(name);
        if (isText && originalSize > partMaxBytes) throw new DocxRefusal('template_too_large');
        if (limits.members > membersMax || limits.unpacked > unpackedMaxBytes)
          throw new DocxRefusal('template_too_large');
        return isText;
      },
    });
    if (names.some((name) => /vbaProject|vbaData/i.test(name)))
      throw new DocxRefusal('template_macros');
    if (names.some((name) => /\/(?:activeX|embeddings)\//i.test(name)))
      throw new DocxRefusal('template_active');
    const decoder = new TextDecoder();
    return new Map(Object.entries(parts).map(([name, part]) => [name, decoder.decode(part)]));
  } catch (error) {
    throw error instanceof DocxRefusal
      ? error
      : new DocxRefusal('template_damaged', { cause: error });
  }
}

/** Targets that Word opens without being asked, unlike a link that the reader clicks. */
function hasActiveLink(rels: string): boolean {
  const external = [
    ...rels.matchAll(/<(?:[\w.-]+:)?Relationship\b[^>]*TargetMode\s*=\s*["']External["'][^>]*>/gi),
  ];
  return external.some(([element]) => {
    if (/Type\s*=\s*["'][^"']*\/hyperlink["']/i.test(element)) return false;
    // The template that a document was once made from, on the disk of its author.
    const isOwnDisk = /Target\s*=\s*["'](?:file:\/\/\/)?[A-Za-z]:/i.test(element);
    return !(isOwnDisk && /attachedTemplate["']/i.test(element));
  });
}

const activeFields =
  /^(?:DDE|DDEAUTO|INCLUDETEXT|INCLUDEPICTURE|INCLUDE|LINK|IMPORT|MACROBUTTON|DATABASE)\b/i;

/** Fields of Word that start a program or load another file; its name is the first word of each. */
function hasActiveField(xml: string): boolean {
  // Word splits the name of a field over runs as it does with any text.
  const complex = xml
    .split(/<[\w.-]+:fldChar\b/)
    .map((part) =>
      [...part.matchAll(/<[\w.-]+:instrText[^>]*>([^<]*)</g)].map(([, text = '']) => text).join(''),
    );
  const simple = [...xml.matchAll(/[\w.-]+:instr\s*=\s*["']([^"']*)["']/g)].map(
    ([, text = '']) => text,
  );
  return [...complex, ...simple].some((text) => activeFields.test(text.trim()));
}

/** Characters may be written as numbers, which the checks would not see. */
const withoutNumbers = (xml: string): string =>
  xml.replaceAll(
    /&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi,
    (written, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : written;
    },
  );

/** The parts that can contain fields, by what Word calls them. */
export async function partsOf(docx: Docx): Promise<{ part: TemplatePart; file: OpenXmlPart }[]> {
  const { mainDocument } = docx;
  const types: readonly (readonly [TemplatePart, string])[] = [
    ['header', RelType.Header],
    ['footer', RelType.Footer],
    ['footnote', noteTypes.footnote],
    ['endnote', noteTypes.endnote],
  ];
  const parts: { part: TemplatePart; file: OpenXmlPart }[] = [
    { part: 'document', file: mainDocument },
  ];
  for (const [part, type] of types)
    for (const file of await mainDocument.getPartsByType(type)) parts.push({ part, file });
  return parts;
}
