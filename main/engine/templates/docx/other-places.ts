import { templateFields, templateFieldOf } from '#shared/desk/reports/template-fields.ts';
import type { TemplateFindingReason } from '#shared/desk/reports/templates.ts';
import { decodeSafely, type DocxPackage, type Relation } from './docx-package.ts';
import { type Expression, FieldFault, namesOf, parseExpression } from './expression.ts';
import { fieldCodesOf } from './field-codes.ts';
import type { XmlElement } from './xml-tree.ts';

/** A text outside of paragraphs whose fields are filled: a property of the document, a link. */
export interface FilledText {
  readonly text: string;
  readonly fields: readonly { readonly raw: string; readonly tree: Expression }[];
  /** A link's relation, or the element of a property. */
  readonly link: Relation | null;
  readonly element: XmlElement;
}
/** A field where nothing fills it. */
export interface UnfilledField {
  readonly raw: string;
  readonly reason: TemplateFindingReason;
  readonly node: XmlElement | null;
}

const names: ReadonlySet<string> = new Set(templateFields.map(({ name }) => name));
const braces = /\{([^{}]*)\}/g;
const isGuid = (text: string) => /^\{[\dA-F-]{36}\}$/i.test(text);

/** A text of another program may have braces, too: a field of ours names something that the desk has. */
function ourFieldIn(text: string): string | null {
  for (const [raw, inner = ''] of text.matchAll(braces)) {
    const bare = inner.replace(/^\s*[#/^]/, '').trim();
    try {
      if (namesOf(parseExpression(bare)).some(({ name }) => names.has(name))) return raw;
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
    }
  }
  return null;
}

/** Fields of a part of the text that stand in no paragraph: in charts, watermarks, fields of Word. */
export function unfilledIn(root: XmlElement): UnfilledField[] {
  const found: UnfilledField[] = [];
  const note = (text: string, reason: TemplateFindingReason, node: XmlElement) => {
    const raw = text.includes('{') ? ourFieldIn(text) : null;
    if (raw !== null) found.push({ raw, reason, node });
  };
  for (const { code, at } of fieldCodesOf(root)) note(code, 'fieldCode', at);
  for (const one of root.all()) {
    if (one.is('w:docPartBody', 'mc:Fallback')) continue;
    const isOtherText = one.is('a:t', 'm:t', 'c:v', 'c:f', 'dgm:t');
    if (isOtherText) note(one.text, 'drawing', one);
    for (const name of ['string', 'alt', 'title'])
      if (one.get(name).includes('{')) note(one.get(name), 'drawing', one);
  }
  return found;
}

/** Fields in properties of the document, and in the data of content controls. */
export function propertyTexts(pack: DocxPackage): {
  filled: FilledText[];
  unfilled: UnfilledField[];
} {
  const filled: FilledText[] = [];
  const unfilled: UnfilledField[] = [];
  for (const name of pack.names.filter((one) => /^(?:docProps|customXml)\/[^/]+\.xml$/i.test(one)))
    for (const one of [pack.tree(name), ...pack.tree(name).all()]) {
      const text = one.elements.length === 0 ? one.text : '';
      if (!text.includes('{') || isGuid(text.trim())) continue;
      take({ text, link: null, element: one }, filled, unfilled, 'properties');
    }
  return { filled, unfilled };
}

/** Fields in the targets of a part's links: `mailto:{insured.email}`. */
export function linkTexts(relations: readonly Relation[]): {
  filled: FilledText[];
  unfilled: UnfilledField[];
} {
  const filled: FilledText[] = [];
  const unfilled: UnfilledField[] = [];
  for (const relation of relations) {
    if (!relation.isExternal || !relation.type.endsWith('/hyperlink')) continue;
    const text = decodeSafely(relation.raw);
    if (text.includes('{'))
      take({ text, link: relation, element: relation.element }, filled, unfilled, 'hyperlink');
  }
  return { filled, unfilled };
}

/** They are filled as texts, outside of every list. */
function take(
  one: Omit<FilledText, 'fields'>,
  filled: FilledText[],
  unfilled: UnfilledField[],
  reason: TemplateFindingReason,
): void {
  const fields: FilledText['fields'][number][] = [];
  for (const [raw, inner = ''] of one.text.matchAll(braces)) {
    try {
      const tree = parseExpression(inner.trim());
      const isText = namesOf(tree).every(({ name }) => templateFieldOf(name, [])?.kind === 'text');
      if (isText) fields.push({ raw, tree });
      else unfilled.push({ raw, reason, node: null });
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      // Not a field of ours, unless it names one.
      if (ourFieldIn(raw) !== null) unfilled.push({ raw, reason, node: null });
    }
  }
  if (fields.length > 0) filled.push({ ...one, fields });
}
