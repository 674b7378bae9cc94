import { Docx, type XmlNode, xml } from 'easy-template-x';
import { type TemplateField, templateFieldOf } from '#shared/desk/template-fields.ts';
import type { TemplateFinding, TemplatePart } from '#shared/desk/templates.ts';
import { partsOf } from './read-docx.ts';

/** A field as it stands in a template. */
interface Tag {
  readonly kind: 'open' | 'close' | 'value';
  readonly name: string;
  readonly raw: string;
  readonly near: string;
  readonly isOnPicture: boolean;
}

/** What a template contains. */
export interface DocxContent {
  readonly findings: TemplateFinding[];
  /** Fields by name and list, each once. */
  readonly used: { readonly name: string; readonly list: string | null }[];
}

const findingsMax = 100;
const nearMax = 80;

/** Reads every field, in headers, footers, notes and text boxes, too, and what is wrong with it. */
export async function readFields(bytes: Uint8Array<ArrayBuffer>): Promise<DocxContent> {
  const docx = await Docx.load(bytes.buffer);
  const findings: TemplateFinding[] = [];
  const used = new Map<string, { name: string; list: string | null }>();
  for (const { part, file } of await partsOf(docx)) {
    const tags: Tag[] = [];
    for (const paragraph of paragraphsOf(await file.xmlRoot()))
      tagsOf(paragraph, tags, (field) => {
        findings.push({ fault: 'brace', field, part, near: excerpt(paragraph.text, 0) });
      });
    findings.push(
      ...checkTags(tags, part, ({ name, list }) => used.set(`${list} ${name}`, { name, list })),
    );
  }
  return { findings: findings.slice(0, findingsMax), used: [...used.values()] };
}

interface Paragraph {
  text: string;
  readonly isOnPicture: boolean;
}

/** The text of each paragraph, whichever runs Word has split it into; a text box has its own. */
function paragraphsOf(root: XmlNode): Paragraph[] {
  const found: Paragraph[] = [];
  const walk = (node: XmlNode, paragraph: Paragraph | null): void => {
    // The same text box again, for older programs.
    if (node.nodeName === 'mc:Fallback') return;
    let current = paragraph;
    if (node.nodeName === 'w:p') found.push((current = { text: '', isOnPicture: false }));
    if (node.nodeName === 'w:t' && current)
      current.text += (node.childNodes ?? []).map(textOf).join('');
    if (node.nodeName === 'wp:docPr' && xml.query.isGeneralNode(node)) {
      const text = node.attributes?.['descr'] ?? '';
      if (text.includes('{')) found.push({ text, isOnPicture: true });
    }
    for (const child of node.childNodes ?? []) walk(child, current);
  };
  walk(root, null);
  return found;
}

const textOf = (node: XmlNode): string => (xml.query.isTextNode(node) ? node.textContent : '');

function tagsOf(
  { text, isOnPicture }: Paragraph,
  tags: Tag[],
  onBrace: (raw: string) => void,
): void {
  for (const match of text.matchAll(/\{([^{}]*)\}|[{}]/g)) {
    const [raw, inner] = match;
    const near = excerpt(text, match.index);
    if (inner === undefined) onBrace(near);
    else {
      const mark = inner.trim().slice(0, 1);
      const kind = mark === '#' ? 'open' : mark === '/' ? 'close' : 'value';
      const name = (kind === 'value' ? inner : inner.trim().slice(1)).trim();
      tags.push({ kind, name, raw: raw.slice(0, 200), near, isOnPicture });
    }
  }
}

function excerpt(text: string, at: number): string {
  const start = Math.max(0, at - nearMax / 4);
  return text.slice(start, start + nearMax).trim();
}

/** Lists and conditions end where they began, in the same part. */
function checkTags(
  tags: readonly Tag[],
  part: TemplatePart,
  onField: (field: TemplateField) => void,
): TemplateFinding[] {
  const findings: TemplateFinding[] = [];
  const open: { tag: Tag; isList: boolean }[] = [];
  const found = (fault: TemplateFinding['fault'], { raw, near }: Tag) =>
    findings.push({ fault, field: raw, part, near });
  for (const tag of tags) {
    if (tag.kind === 'close') {
      if (open.at(-1)?.tag.name === tag.name) open.pop();
      else found('unopened', tag);
      continue;
    }
    const lists = open.filter(({ isList }) => isList).map((one) => one.tag.name);
    const field = templateFieldOf(tag.name, lists);
    if (!field) found('unknown', tag);
    else if (!isInPlace(tag, field)) found('alone', tag);
    else onField(field);
    if (tag.kind === 'open') open.push({ tag, isList: field?.kind === 'list' });
  }
  for (const { tag } of open) found('unclosed', tag);
  return findings;
}

/** Only a picture stands on a picture, and only a list or condition has two ends. */
function isInPlace({ kind, isOnPicture }: Tag, field: TemplateField): boolean {
  if (kind === 'open') return !isOnPicture;
  if (isOnPicture) return field.kind === 'picture';
  return field.kind === 'text' || field.kind === 'picture';
}
