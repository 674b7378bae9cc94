import { templateFieldOf } from '#shared/desk/reports/template-fields.ts';
import type { TemplateFault, TemplateFindingReason } from '#shared/desk/reports/templates.ts';
import { FieldFault, innermostName, isWhole, namesOf, parseExpression } from './expression.ts';
import { childUnder } from './places.ts';
import type { Tag } from './tags.ts';
import type { XmlElement } from './xml-tree.ts';

export interface TagFault {
  readonly fault: TemplateFault;
  readonly tag: Tag;
  readonly reason: TemplateFindingReason | null;
  /** The name that is not known, and the lists around it. */
  readonly name: string;
  readonly lists: readonly string[];
}
/** A field that is printed or asked for, with the list to which it belongs. */
export interface UsedField {
  readonly name: string;
  readonly list: string | null;
}

/** A name alone, as it was the whole language once. */
const bareName = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

/** Reads the tags of a part one after the other: their expressions, and which end belongs to which beginning. */
export class TagPairing {
  readonly faults: TagFault[] = [];
  readonly used = new Map<string, UsedField>();
  readonly #open: Tag[] = [];

  constructor(tags: readonly Tag[]) {
    for (const tag of tags) {
      if (tag.kind === 'close' || tag.kind === 'else') this.#end(tag);
      else this.#begin(tag);
    }
    for (const tag of this.#open) this.#found('unclosed', tag);
  }

  #found(
    fault: TemplateFault,
    tag: Tag,
    more: Partial<Pick<TagFault, 'reason' | 'name'>> = {},
  ): void {
    const lists = this.#lists();
    this.faults.push({ fault, tag, reason: more.reason ?? null, name: more.name ?? '', lists });
  }

  #lists(): string[] {
    return this.#open.flatMap(({ list }) => list ?? []);
  }

  #end(tag: Tag): void {
    const top = this.#open.at(-1);
    const isOther = tag.kind === 'close' && tag.text !== '' && top && !endsWith(tag.text, top);
    if (!top || isOther || (tag.kind === 'else' && top.otherwise)) {
      this.#found('unopened', tag);
      return;
    }
    if (tag.kind === 'else') {
      top.otherwise = tag;
      // Behind it there is no entry of the list.
      top.list = null;
      return;
    }
    this.#open.pop();
    top.close = tag;
    const reason = findLevel(top);
    if (reason) this.#found('place', top, { reason });
  }

  #begin(tag: Tag): void {
    const isSound = this.#read(tag);
    if (tag.kind === 'open') this.#open.push(tag);
    else if (isSound && !this.#isInPlace(tag)) this.#found('alone', tag);
  }

  #read(tag: Tag): boolean {
    const lists = this.#lists();
    try {
      tag.tree = parseExpression(tag.text);
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      if (bareName.test(tag.text)) this.#found('unknown', tag, { name: tag.text });
      else this.#found('syntax', tag, { reason: error.reason, name: error.word });
      return false;
    }
    const names = namesOf(tag.tree);
    for (const { name, list } of names) {
      const field = templateFieldOf(name, list === null ? lists : [...lists, list]);
      if (!field) {
        this.#found('unknown', tag, { name });
        return false;
      }
      this.used.set(`${field.list} ${name}`, { name, list: field.list });
    }
    const first = innermostName(tag.tree);
    const field = first === null ? undefined : templateFieldOf(first, lists);
    if (isWhole(tag.tree) && field?.kind === 'picture') tag.isPicture = true;
    if (tag.kind === 'open' && isWhole(tag.tree) && field?.kind === 'list') tag.list = field.name;
    return true;
  }

  /** Only a picture stands on a picture; a list or a bare condition has two ends. */
  #isInPlace(tag: Tag): boolean {
    if (tag.frame) return tag.isPicture;
    if (tag.isPicture || !tag.tree || !isWhole(tag.tree)) return true;
    const name = innermostName(tag.tree) ?? '';
    const kind = templateFieldOf(name, this.#lists())?.kind;
    return tag.tree.kind === 'name' ? kind === 'text' : kind === undefined;
  }
}

/** The end repeats the words of the beginning, or its first name. */
function endsWith(text: string, open: Tag): boolean {
  return text === open.text || (open.tree !== null && text === innermostName(open.tree));
}

const levels = [
  'w:p',
  'w:tr',
  'w:tbl',
  'w:tc',
  'w:body',
  'w:hdr',
  'w:ftr',
  'w:footnote',
  'w:endnote',
  'w:txbxContent',
  'w:sdtContent',
];

/** Notes what a list or condition repeats. @returns why it cannot be repeated */
function findLevel(open: Tag): TemplateFindingReason | null {
  const close = open.close ?? open;
  let common: XmlElement | null = open.node;
  while (common && !common.contains(close.node)) common = common.parent;
  while (common && !common.is(...levels)) common = common.parent;
  const around = common?.is('w:sdtContent')
    ? common.up('w:p', 'w:tr', 'w:tbl', 'w:tc', 'w:body')
    : null;
  if (around?.is('w:p', 'w:tr', 'w:tbl')) common = around;
  open.common = common;
  open.level = common?.is('w:p') ? 'inline' : common?.is('w:tr', 'w:tbl') ? 'rows' : 'blocks';
  if (open.level !== 'blocks' || !common) return null;
  for (const mark of [open, close, open.otherwise]) {
    const child = mark && childUnder(common, mark.node);
    if (child?.is('w:tbl')) return 'table';
    if (child && !child.is('w:p')) return 'control';
  }
  return null;
}
