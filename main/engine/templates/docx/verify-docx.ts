import { posix } from 'node:path';
import { leftTags } from './verify-left.ts';
import { pictureFlaws } from './verify-pictures.ts';
import type { Flaw } from './flaws.ts';
import { structureFlaws } from './verify-structure.ts';
import { readVerified, type VerifiedDocument } from './verify-parts.ts';

/**
 * Looks at what came out of the filling, with readers of its own: whatever made the document, no
 * mark is left, every table has rows and every row cells, every cell ends with a paragraph, pictures
 * fit their places, numbers are unique, and everything that is referred to is there.
 * @param template flaws that it has itself do not count
 * @param tags the tags of the template; a text of the case may have braces, too
 */
export function verifyFilled(
  filled: Uint8Array,
  template: Uint8Array,
  tags: ReadonlySet<string>,
): Flaw[] {
  const keyOf = ({ rule, what }: Flaw) => `${rule} ${what}`;
  const before = new Set(
    flawsOf(template, null)
      .filter(({ rule }) => rule !== 'left')
      .map(keyOf),
  );
  return flawsOf(filled, tags).filter((flaw) => !before.has(keyOf(flaw)));
}

/** @param tags null: whatever looks like one */
export function flawsOf(bytes: Uint8Array, tags: ReadonlySet<string> | null): Flaw[] {
  const read = readVerified(bytes);
  if ('flaw' in read) return [read.flaw];
  return [
    ...read.flaws,
    ...typeFlaws(read),
    ...relationFlaws(read),
    ...leftTags(read, tags),
    ...structureFlaws(read),
    ...pictureFlaws(read),
  ];
}

function typeFlaws({ names, types }: VerifiedDocument): Flaw[] {
  return names
    .filter((name) => name !== '[Content_Types].xml' && types(name) === null)
    .map((part) => ({ rule: 'content-type', part, what: posix.basename(part) }));
}

function relationFlaws({ names, trees, relations }: VerifiedDocument): Flaw[] {
  const flaws: Flaw[] = [];
  const found = (part: string, what: string) => flaws.push({ rule: 'relation', part, what });
  for (const part of ['', ...names.filter((name) => !name.endsWith('.rels'))]) {
    const ids = new Set<string>();
    for (const { id, type, isExternal, target } of relations(part)) {
      if (ids.has(id)) found(part, `${id} twice`);
      ids.add(id);
      if (!isExternal && target === null) found(part, `${type} without a part`);
    }
    const root = trees.get(part);
    for (const one of root ? [root, ...root.all()] : [])
      for (const [name, { value }] of one.attributes)
        if (name.startsWith('r:') && value !== '' && !ids.has(value))
          found(part, `${one.name} ${name}`);
  }
  return flaws;
}
