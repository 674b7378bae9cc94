import type { Flaw, FlawRule } from './flaws.ts';
import type { VerifiedDocument } from './verify-parts.ts';
import type { XmlElement } from './xml-tree.ts';

/** What Word asks of tables, cells, paragraphs and numbers. */
export function structureFlaws(document: VerifiedDocument): Flaw[] {
  const flaws: Flaw[] = [];
  for (const [part, root] of document.trees) {
    if (!root.name.startsWith('w:')) continue;
    const ids = new Set<string>();
    const found = (rule: FlawRule, what: string) => flaws.push({ rule, part, what });
    for (const one of [root, ...root.all()]) {
      checks[one.name]?.(one, found);
      if (one.is('wp:docPr') && !one.up('mc:Fallback')) {
        const id = one.get('id');
        if (ids.has(id)) found('drawing-id', id);
        ids.add(id);
      }
      if (one.is('w:footnoteReference', 'w:endnoteReference')) checkNote(document, one, found);
    }
  }
  return flaws;
}

type Found = (rule: FlawRule, what: string) => void;
type Check = (one: XmlElement, found: Found) => void;

/** What lies around blocks, rows and cells without being one. */
const around: readonly string[] = [
  'w:sdt',
  'w:sdtContent',
  'w:customXml',
  'w:ins',
  'w:del',
  'w:moveTo',
  'w:moveFrom',
  'w:smartTag',
  'mc:AlternateContent',
  'mc:Choice',
];
const within = (one: XmlElement): XmlElement[] =>
  one.elements.flatMap((child) => (child.is(...around) ? within(child) : [child]));

const valueOf = (one: XmlElement | undefined): number => Number(one?.get('w:val')) || 0;

const checkTable: Check = (table, found) => {
  const rows = within(table).filter((child) => child.is('w:tr'));
  if (rows.length === 0) found('table', 'no row');
  const columns = table.find('w:tblGrid')?.elements.length ?? 0;
  for (const row of rows) {
    const cells = within(row).filter((child) => child.is('w:tc'));
    if (cells.length === 0) found('table', 'a row without cells');
    const used = cells.reduce(
      (sum, cell) => sum + (valueOf(cell.find('w:tcPr', 'w:gridSpan')) || 1),
      valueOf(row.find('w:trPr', 'w:gridBefore')),
    );
    if (columns > 0 && used > columns) found('table', `${used} of ${columns} columns`);
  }
};

const besideContent = /^w:(?:bookmark|comment|perm|proofErr|move|ins|del)/;
const checkCell: Check = (cell, found) => {
  const content = cell.elements.filter((one) => !one.is('w:tcPr') && !besideContent.test(one.name));
  const last = content.at(-1);
  if (!last) found('cell', 'empty');
  else if (!last.is('w:p', 'w:sdt', 'w:customXml', 'mc:AlternateContent'))
    found('cell', `ends with ${last.name}`);
};

const checkBlocks: Check = (one, found) => {
  if (one.is('w:footnote', 'w:endnote') && one.parent?.is('w:footnotePr', 'w:endnotePr')) return;
  if (!within(one).some((child) => child.is('w:p', 'w:tbl'))) found('block', one.name);
};

/** Properties come first, and a thing lies only where it can. */
const placed =
  (properties: string, parents: RegExp): Check =>
  (one, found) => {
    const { parent, elements } = one;
    if (elements.slice(1).some((child) => child.is(properties))) found('order', properties);
    if (parent && !parents.test(parent.name)) found('nesting', `${one.name} in ${parent.name}`);
  };

const checks: Readonly<Record<string, Check>> = {
  'w:tbl': checkTable,
  'w:tc': (cell, found) => {
    checkCell(cell, found);
    placed('w:tcPr', /^(?:w:(?:tr|sdtContent|customXml)|mc:)/)(cell, found);
  },
  'w:footnote': checkBlocks,
  'w:endnote': checkBlocks,
  'w:txbxContent': checkBlocks,
  'w:hdr': checkBlocks,
  'w:ftr': checkBlocks,
  'w:p': placed('w:pPr', /^(?!w:(?:p|r|tbl|tr|hyperlink)$)/),
  'w:r': placed('w:rPr', /^(?!w:(?:r|body|tc|tr|tbl)$)/),
  'w:t': placed('', /^(?:w:r|mc:)/),
  'w:drawing': placed('', /^(?:w:r|mc:)/),
  'w:tr': placed('w:trPr', /^(?:w:(?:tbl|sdtContent|customXml)$|mc:)/),
  'w:body': (body, found) => {
    const { elements } = body;
    if (elements.slice(0, -1).some((one) => one.is('w:sectPr')))
      found('order', 'something behind the last section');
  },
};

function checkNote(
  { trees, relations, main }: VerifiedDocument,
  one: XmlElement,
  found: Found,
): void {
  const file = one.is('w:footnoteReference') ? 'footnotes' : 'endnotes';
  const target = relations(main).find(({ type }) => type === file)?.target;
  const notes = trees.get(target ?? '')?.elements ?? [];
  if (!notes.some((note) => note.get('w:id') === one.get('w:id'))) found('note', one.get('w:id'));
}
