import {
  evaluate,
  isPicture,
  isTrue,
  scopeOf,
  type Scope,
  type Surroundings,
  textOf,
} from './evaluate.ts';
import { FieldFault } from './expression.ts';
import type { FillData } from './fill-data.ts';
import { FilledPictures } from './fill-pictures.ts';
import { finish } from './finish.ts';
import { fillTexts } from './fill-texts.ts';
import { contentOf, textElement } from './paragraphs.ts';
import { childUnder } from './places.ts';
import type { ReadPart, ReadTemplate } from './read-template.ts';
import { shapeMarks } from './shape-marks.ts';
import type { Tag } from './tags.ts';
import { isBareRow, isSectionEnd, noteTables, tidy } from './tidy.ts';
import { element, printable, type XmlElement } from './xml-tree.ts';

/** Lists in lists multiply. */
const entriesMax = 5000;
const readEntriesMax = 1_000_000;

/**
 * Fills a template that was read and has no findings. Nothing in it is run as code.
 * @throws {FieldFault} if lists in lists have more entries than a report can
 */
export function fillTemplate(template: ReadTemplate, data: FillData): Uint8Array<ArrayBuffer> {
  const pictures = new FilledPictures(template.pack, data.pictures);
  const budget = { entries: readEntriesMax };
  const around = { scopes: [scopeOf(data.values, data.lists)], language: data.language, budget };
  const entries = { left: entriesMax };
  for (const part of template.parts) new PartFilling(part, pictures, entries).fill(around);
  fillTexts(template.texts, around);
  finish(template.parts.map(({ root }) => root));
  return template.pack.save();
}

/** Notes of elements: the tag in a run, and the lists and conditions that begin, change or end with it. */
const tagNote = 'tag';
const fromNote = 'from';
const toNote = 'to';
const elseNote = 'else';

class PartFilling {
  readonly #part: ReadPart;
  readonly #pictures: FilledPictures;
  readonly #entries: { left: number };

  constructor(part: ReadPart, pictures: FilledPictures, entries: { left: number }) {
    this.#part = part;
    this.#pictures = pictures;
    this.#entries = entries;
  }

  fill(around: Surroundings): void {
    const { root, tags } = this.#part;
    noteTables(root);
    for (const [at, tag] of tags.entries()) tag.node.notes.set(tagNote, String(at));
    const opens = tags.filter(({ kind, close }) => kind === 'open' && close !== null);
    shapeMarks(opens, (run) => this.#tagOf(run)?.kind);
    for (const open of opens) this.#noteRange(open);
    this.#range(root.elements, around);
    tidy(root);
  }

  #tagOf(run: XmlElement | null): Tag | undefined {
    const at = run?.notes.get(tagNote);
    return at === undefined ? undefined : this.#part.tags[Number(at)];
  }

  #idOf(tag: Tag): string {
    return String(this.#part.tags.indexOf(tag));
  }

  /** The element that a repetition begins with, and the one it ends with. */
  #noteRange(open: Tag): void {
    const common = open.common?.is('w:tr') === true ? open.common.parent : open.common;
    if (!common) return;
    const note = (mark: Tag | null, name: string) => {
      const child = mark && childUnder(common, mark.node);
      if (child) addTo(child, name, this.#idOf(open));
    };
    note(open, fromNote);
    note(open.close, toNote);
    note(open.otherwise, elseNote);
  }

  #range(nodes: readonly XmlElement[], around: Surroundings): void {
    for (let at = 0; at < nodes.length; at++) {
      const node = nodes[at];
      if (!node) continue;
      const [from] = partsOf(node, fromNote);
      if (from !== undefined) {
        const end = nodes.findIndex(
          (one, index) => index >= at && partsOf(one, toNote).includes(from),
        );
        const open = this.#part.tags[Number(from)];
        if (end < 0 || !open) throw new FieldFault('structure', open?.raw);
        this.#repeat(open, nodes.slice(at, end + 1), around);
        at = end;
        continue;
      }
      const tag = this.#tagOf(node);
      if (tag?.kind === 'value') this.#value(node, tag, around);
      else this.#range(node.elements, around);
    }
  }

  #repeat(open: Tag, nodes: readonly XmlElement[], around: Surroundings): void {
    const [firstNode] = nodes;
    const parent = firstNode?.parent;
    if (!parent || !open.tree) return;
    const value = evaluate(open.tree, around);
    const id = this.#idOf(open);
    const split = nodes.findIndex((one) => partsOf(one, elseNote).includes(id));
    const [yes, no] = split < 0 ? [nodes, []] : [nodes.slice(0, split), nodes.slice(split)];
    const behind = nodes.at(-1)?.next;
    const put = (list: readonly XmlElement[], inner: Surroundings) => {
      for (const made of this.#copy(open, list, inner)) parent.insert(made, behind);
    };
    const isMet = isTrue(value) !== open.isInverted;
    if (!isMet) put(no, around);
    else if (isEntries(value) && !open.isInverted)
      for (const entry of value) {
        this.#entries.left -= 1;
        if (this.#entries.left < 0) throw new FieldFault('too_long', open.raw);
        put(yes, { ...around, scopes: [...around.scopes, entry] });
      }
    else put(yes, around);
    for (const node of nodes) node.remove();
  }

  /** One repetition, filled. */
  #copy(open: Tag, nodes: readonly XmlElement[], around: Surroundings): XmlElement[] {
    const box = element('box');
    box.append(...nodes.map((node) => node.clone()));
    for (const child of box.elements)
      for (const name of [fromNote, toNote, elseNote]) removeFrom(child, name, this.#idOf(open));
    this.#removeMarks(box, open);
    this.#range(box.elements, around);
    return box.elements;
  }

  /** The marks leave with their paragraphs or rows, if those have nothing else. */
  #removeMarks(box: XmlElement, open: Tag): void {
    for (const mark of [open, open.otherwise, open.close]) {
      const id = mark && this.#idOf(mark);
      const run = id === null ? undefined : box.all().find((one) => one.notes.get(tagNote) === id);
      if (!run) continue;
      const [paragraph, row, control] = [run.up('w:p'), run.up('w:tr'), run.up('w:sdtContent')];
      run.remove();
      if (open.level === 'blocks') {
        if (paragraph && contentOf(paragraph).length === 0 && !isSectionEnd(paragraph)) {
          moveBookmarks(paragraph);
          paragraph.remove();
        }
      } else if (open.level === 'rows') {
        if (row && box.elements.length > 1 && isBareRow(row)) row.remove();
        else if (paragraph && contentOf(paragraph).length === 0 && hasNeighbour(paragraph))
          paragraph.remove();
      } else if (control && control.elements.length === 0 && control.up('w:p') === paragraph)
        control.parent?.remove();
    }
  }

  #value(run: XmlElement, tag: Tag, around: Surroundings): void {
    run.notes.delete(tagNote);
    if (!tag.tree) return;
    const value = evaluate(tag.tree, around);
    if (tag.isPicture) {
      if (isPicture(value)) this.#pictures.place(this.#part.name, run, tag, value);
      else run.remove();
      return;
    }
    for (const child of run.elements) if (!child.is('w:rPr')) child.remove();
    const lines = printable(textOf(value, around.language)).split('\n');
    // Word stretches a line that a break ends over the whole width, unless a tab stands before it.
    const isJustified = run.up('w:p')?.find('w:pPr', 'w:jc')?.get('w:val') === 'both';
    for (const [at, line] of lines.entries()) {
      if (at > 0 && isJustified) run.append(element('w:tab'));
      if (at > 0) run.append(element('w:br'));
      for (const [index, piece] of line.split('\t').entries()) {
        if (index > 0) run.append(element('w:tab'));
        if (piece !== '') run.append(textElement(piece));
      }
    }
  }
}

const isEntries = (value: unknown): value is readonly Scope[] => Array.isArray(value);

const partsOf = (node: XmlElement, name: string): string[] =>
  (node.notes.get(name) ?? '').split(' ').filter(Boolean);
const addTo = (node: XmlElement, name: string, id: string) =>
  node.notes.set(name, [...partsOf(node, name), id].join(' '));
const removeFrom = (node: XmlElement, name: string, id: string) =>
  node.notes.set(
    name,
    partsOf(node, name)
      .filter((one) => one !== id)
      .join(' '),
  );

const hasNeighbour = (paragraph: XmlElement): boolean =>
  [paragraph.next, paragraph.previous].some((one) => one?.is('w:p'));

function moveBookmarks(paragraph: XmlElement): void {
  const to = [paragraph.next, paragraph.previous].find((one) => one?.is('w:p'));
  for (const one of paragraph.elements)
    if (one.is('w:bookmarkStart', 'w:bookmarkEnd')) to?.append(one);
}
