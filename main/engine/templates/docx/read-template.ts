import type {
  RemovedThing,
  TemplateFinding,
  TemplateFindingReason,
  TemplateFault,
  TemplatePart,
} from '#shared/desk/reports/templates.ts';
import { DocxPackage } from './docx-package.ts';
import { namesOf } from './expression.ts';
import { makeHarmless } from './make-harmless.ts';
import { nearestField } from './nearest-field.ts';
import { type FilledText, linkTexts, propertyTexts, unfilledIn } from './other-places.ts';
import { TagPairing, type UsedField } from './pair-tags.ts';
import { nearText } from './paragraphs.ts';
import { placeOf } from './places.ts';
import { type Room, roomOf } from './room.ts';
import { firstTagIn, makeTag, type Tag, tagsOf } from './tags.ts';
import type { XmlElement } from './xml-tree.ts';

/** A part of the text that can have fields. */
export interface ReadPart {
  readonly name: string;
  readonly kind: TemplatePart;
  readonly root: XmlElement;
  readonly tags: readonly Tag[];
}

/** What is wrong, with the element at which it is; null if that is not in the text. */
export interface PlacedFinding {
  readonly finding: TemplateFinding;
  readonly node: XmlElement | null;
}

/** A template as it was read: each tag alone in its run, with its expression, its place and its level. */
export interface ReadTemplate {
  readonly pack: DocxPackage;
  readonly parts: readonly ReadPart[];
  /** Fields of properties and links. */
  readonly texts: readonly FilledText[];
  readonly findings: readonly PlacedFinding[];
  readonly used: readonly UsedField[];
  readonly removed: ReadonlySet<RemovedThing>;
  /** The widest and the highest place of a picture; null if the template has none. */
  readonly pictureRoom: Pick<Room, 'width' | 'height'> | null;
}

const findingsMax = 100;
const partKinds: readonly TemplatePart[] = ['header', 'footer', 'footnote', 'endnote'];
const kindOf = (relation: string): TemplatePart | undefined =>
  partKinds.find((kind) => relation.endsWith(`/${kind}`) || relation.endsWith(`/${kind}s`));

/** @throws {DocxRefusal} of a file that is no plain document of Word */
export function readTemplate(bytes: Uint8Array): ReadTemplate {
  const pack = new DocxPackage(bytes);
  const removed = makeHarmless(pack);
  const sections = pack
    .tree(pack.main)
    .all()
    .filter((one) => one.is('w:sectPr'));
  const findings: PlacedFinding[] = [];
  const used = new Map<string, UsedField>();
  const texts: FilledText[] = [];
  const parts = partsOf(pack).map(({ name, kind }): ReadPart => {
    const root = pack.tree(name);
    const tags = readPart({ root, kind, sections, findings, used });
    const links = linkTexts(pack.relations(name));
    texts.push(...links.filled);
    for (const { raw, reason, node } of [...unfilledIn(root), ...links.unfilled])
      findings.push(findingOf('place', kind, { raw, reason, node }));
    return { name, kind, root, tags };
  });
  const properties = propertyTexts(pack);
  texts.push(...properties.filled);
  const others = pack.names.filter((name) => /\/(?:charts|diagrams)\/[^/]+\.xml$/i.test(name));
  for (const { raw, reason, node } of [
    ...properties.unfilled,
    ...others.flatMap((name) => unfilledIn(pack.tree(name))),
  ])
    findings.push(findingOf('place', 'document', { raw, reason, node }));
  for (const { fields } of texts)
    for (const { tree } of fields)
      for (const { name } of namesOf(tree)) used.set(`null ${name}`, { name, list: null });
  return {
    pack,
    parts,
    texts,
    findings: findings.slice(0, findingsMax),
    used: [...used.values()],
    removed,
    pictureRoom: widest(parts),
  };
}

function partsOf(pack: DocxPackage): { name: string; kind: TemplatePart }[] {
  const found = new Map<string, TemplatePart>([[pack.main, 'document']]);
  for (const { type, target, isExternal } of pack.relations(pack.main)) {
    const kind = kindOf(type);
    if (kind && target !== null && !isExternal && !found.has(target)) found.set(target, kind);
  }
  return [...found].map(([name, kind]) => ({ name, kind }));
}

interface Reading {
  readonly root: XmlElement;
  readonly kind: TemplatePart;
  readonly sections: readonly XmlElement[];
  readonly findings: PlacedFinding[];
  readonly used: Map<string, UsedField>;
}

function readPart({ root, kind, sections, findings, used }: Reading): Tag[] {
  const found: Tag[] = [];
  for (const one of root.all()) {
    if (one.is('w:p')) {
      const tags = tagsOf(one, (fault, raw) => {
        findings.push(findingOf(fault, kind, { raw, node: one }));
      });
      found.push(...tags);
    } else if (one.is('wp:docPr')) found.push(...pictureTag(one));
  }
  const order = new Map(root.all().map((one, at) => [one, at]));
  const tags = found.sort(
    (one, other) => (order.get(one.node) ?? 0) - (order.get(other.node) ?? 0),
  );
  // An older program's copy of a text box is a second text with the same tags.
  const isCopy = (tag: Tag) => tag.node.up('mc:Fallback') !== null;
  for (const group of [tags.filter((tag) => !isCopy(tag)), tags.filter(isCopy)]) {
    const pairing = new TagPairing(group);
    for (const one of pairing.used) used.set(...one);
    for (const { fault, tag, reason, name, lists } of pairing.faults) {
      if (isCopy(tag)) continue;
      const suggestion = name === '' ? null : nearestField(name, lists);
      findings.push(findingOf(fault, kind, { raw: tag.raw, reason, node: tag.node, suggestion }));
    }
  }
  for (const tag of tags) {
    const paragraph = tag.node.up('w:p');
    if (tag.isPicture && paragraph) tag.room = roomOf(paragraph, sections);
  }
  return tags;
}

/** A picture whose alternative text is a field becomes the picture of that field. */
function pictureTag(properties: XmlElement): Tag[] {
  const found = firstTagIn(properties.get('descr'));
  const frame = properties.parent;
  const run = frame?.up('w:r');
  return found && frame && run ? [makeTag(found.inner, found.raw, run, frame)] : [];
}

interface Finding {
  readonly raw: string;
  readonly node: XmlElement | null;
  readonly reason?: TemplateFindingReason | null;
  readonly suggestion?: string | null;
}

export const findingOf = (
  fault: TemplateFault,
  part: TemplatePart,
  { raw, node, reason = null, suggestion = null }: Finding,
): PlacedFinding => ({
  finding: {
    fault,
    field: raw.slice(0, 200),
    part,
    near: nearText(node, raw),
    reason,
    place: placeOf(node),
    suggestion,
  },
  node,
});

/** A field with a size of its own, or on a placeholder, may be as high as its place. */
function widest(parts: readonly ReadPart[]): ReadTemplate['pictureRoom'] {
  const rooms = parts.flatMap(({ tags }) =>
    tags.flatMap(({ room, tree, frame }) => {
      if (!room) return [];
      const isUsual = tree?.kind === 'name' && !frame;
      return { width: room.width, height: isUsual ? room.usualHeight : room.height };
    }),
  );
  if (rooms.length === 0) return null;
  return {
    width: Math.max(...rooms.map(({ width }) => width)),
    height: Math.max(...rooms.map(({ height }) => height)),
  };
}
