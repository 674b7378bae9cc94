import type { PageBlock } from '#shared/desk/reports/template-workshop.ts';
import { FieldFault } from './expression.ts';
import { faultNote } from './fault-note.ts';
import type { FillData } from './fill-data.ts';
import { fillTemplate } from './fill-template.ts';
import { readPage } from './page-blocks.ts';
import { type ReadTemplate, readTemplate } from './read-template.ts';
import { element, type XmlElement } from './xml-tree.ts';

/** A template filled for its author: as a document, and as the desk itself shows it. */
export interface ShownTemplate {
  readonly document: Uint8Array<ArrayBuffer>;
  readonly blocks: readonly PageBlock[];
}

/**
 * Fills what can be filled. A field with a fault stays as it stands in the template, and is marked.
 * @throws {DocxRefusal}
 */
export function showTemplate(bytes: Uint8Array, data: FillData): ShownTemplate {
  const template = markedTemplate(bytes);
  try {
    return shown(template, fillTemplate(template, data));
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error;
    // Marks that cross each other leave nothing to repeat: the template itself is shown.
    const unfilled = markedTemplate(bytes);
    return shown(unfilled, unfilled.pack.save());
  }
}

const shown = (template: ReadTemplate, document: Uint8Array<ArrayBuffer>): ShownTemplate => ({
  document,
  blocks: readPage(template),
});

function markedTemplate(bytes: Uint8Array): ReadTemplate {
  const template = readTemplate(bytes);
  const faulty = new Set<XmlElement>();
  for (const { node } of template.findings) if (node) faulty.add(node);
  for (const { tags } of template.parts)
    for (const tag of tags) {
      if (!faulty.has(tag.node)) continue;
      tag.tree = null;
      tag.close = null;
    }
  for (const node of faulty)
    for (const run of node.is('w:r') ? [node] : node.elements.filter((one) => one.is('w:r')))
      highlight(run);
  return template;
}

function highlight(run: XmlElement): void {
  run.notes.set(faultNote, '1');
  const known = run.find('w:rPr');
  const properties = known ?? element('w:rPr');
  if (!known) run.insert(properties, run.elements[0]);
  properties.find('w:highlight')?.remove();
  properties.append(element('w:highlight', { 'w:val': 'yellow' }));
}
