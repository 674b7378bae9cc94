import type { XmlElement } from './xml-tree.ts';

const inserted = ['w:ins', 'w:moveTo'];
const deleted = ['w:del', 'w:moveFrom'];
/** How something looked before, and where a moved text begins and ends. */
const records = [
  'w:rPrChange',
  'w:pPrChange',
  'w:sectPrChange',
  'w:tblPrChange',
  'w:tblPrExChange',
  'w:tblGridChange',
  'w:trPrChange',
  'w:tcPrChange',
  'w:numberingChange',
  'w:cellIns',
  'w:cellMerge',
  'w:moveFromRangeStart',
  'w:moveFromRangeEnd',
  'w:moveToRangeStart',
  'w:moveToRangeEnd',
];
const rangesOfDeleted = /^w:customXml(?:Ins|Del|MoveFrom|MoveTo)Range(?:Start|End)$/;

/** Accepts every tracked change of a part. @returns whether it had one */
export function acceptChanges(root: XmlElement): boolean {
  let hasChanges = false;
  for (const one of root.all()) {
    const isChange = one.is(...inserted, ...deleted, ...records, 'w:cellDel');
    if (!isChange && !rangesOfDeleted.test(one.name)) continue;
    hasChanges = true;
    if (one.is(...deleted)) remove(one);
    else if (one.is(...inserted) && !isMark(one)) one.unwrap();
    else if (one.is('w:cellDel')) one.up('w:tc')?.remove();
    else one.remove();
  }
  return hasChanges;
}

/** On the end of a paragraph or a row, not around runs. */
const isMark = ({ parent }: XmlElement): boolean => parent?.is('w:rPr', 'w:trPr') ?? false;

function remove(change: XmlElement): void {
  const { parent } = change;
  if (parent?.is('w:trPr')) parent.parent?.remove();
  else if (parent?.is('w:rPr') && parent.parent?.is('w:pPr')) {
    const paragraph = parent.parent.parent;
    change.remove();
    if (paragraph) joinNext(paragraph);
  } else change.remove();
}

/** The end of a paragraph is gone: the next one goes on in it. */
function joinNext(paragraph: XmlElement): void {
  const { next } = paragraph;
  if (!next?.is('w:p')) return;
  const first = next.elements.find((child) => !child.is('w:pPr'));
  for (const child of paragraph.elements) if (!child.is('w:pPr')) next.insert(child, first);
  paragraph.remove();
}

/** Comments of the template are for its author. @returns whether it had one */
export function removeComments(root: XmlElement): boolean {
  let hasComments = false;
  for (const one of root.all()) {
    if (!one.is('w:commentRangeStart', 'w:commentRangeEnd', 'w:commentReference')) continue;
    hasComments = true;
    const run = one.is('w:commentReference') ? one.parent : null;
    one.remove();
    if (run?.is('w:r') && run.elements.every((child) => child.is('w:rPr'))) run.remove();
  }
  return hasComments;
}
