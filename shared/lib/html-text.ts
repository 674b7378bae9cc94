import { convert, type FormatCallback } from 'html-to-text';
import { z } from 'zod';

const htmlMax = 2_000_000;
const colspanMax = 50;

interface Cell {
  readonly text: string;
  readonly colspan: number;
}

/**
 * The text of an HTML document. Links and pictures of it are left out. Each row of a table is a line
 * with a tab between its cells, so that no figure runs into the next.
 */
export function textOfHtml(html: string): string {
  return convert(html.slice(0, htmlMax), {
    wordwrap: false,
    limits: { maxDepth: 200 },
    formatters: { row: formatRow, lines: formatLines },
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
      { selector: 'table', format: 'lines' },
      { selector: 'caption', format: 'lines' },
      { selector: 'tr', format: 'row' },
      // Without a row around it.
      { selector: 'td', format: 'lines' },
      { selector: 'th', format: 'lines' },
    ],
  });
}

const formatLines: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
};

/** A row is a table of its own: its cells may stand in anything. */
const formatRow: FormatCallback = (row, walk, builder) => {
  builder.openTable();
  builder.openTableRow();
  for (const child of row.children) {
    if (child.type === 'text' && (child.data ?? '').trim() === '') continue;
    const isCell = child.type === 'tag' && (child.name === 'td' || child.name === 'th');
    builder.openTableCell({});
    walk(isCell ? child.children : [child], builder);
    // The library's types leave attributes open.
    const attributes: unknown = child.attribs;
    builder.closeTableCell({ colspan: isCell ? columnsOf(attributes) : 1 });
  }
  builder.closeTableRow();
  builder.closeTable({
    tableToString: ([cells = []]) => lineOfCells(cells),
    leadingLineBreaks: 1,
    trailingLineBreaks: 1,
  });
};

const attributesSchema = z.object({ colspan: z.coerce.number().int().catch(1).default(1) });

function columnsOf(attributes: unknown): number {
  const columns = attributesSchema.safeParse(attributes).data?.colspan ?? 1;
  return columns > 1 ? Math.min(columns, colspanMax) : 1;
}

function lineOfCells(cells: readonly Cell[]): string {
  const trimmed = cells.map(({ text, colspan }) => ({ text: text.trim(), colspan }));
  const filled = trimmed.filter(({ text }) => text !== '');
  // What a layout leaves empty around its only text is no column.
  if (filled.length < 2) return filled[0]?.text ?? '';
  return trimmed
    .map((cell, index) => {
      const before = trimmed[index - 1];
      return before ? apart(before, cell) + cell.text : cell.text;
    })
    .join('')
    .trimEnd();
}

/** Blocks that stand side by side follow each other, if one of them has rows of its own. */
const apart = (before: Cell, cell: Cell): string =>
  isBlock(before) || isBlock(cell) ? '\n' : '\t'.repeat(before.colspan);
const isBlock = ({ text }: Cell) => text.includes('\n') && text.includes('\t');
