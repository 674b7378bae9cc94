import type { XmlElement } from './xml-tree.ts';

const nameMax = 40;

/** Numbers and names that have to be different, which repeated parts have twice. */
export function finish(roots: readonly XmlElement[]): void {
  let drawings = 0;
  let bookmarks = 0;
  const names = new Set<string>();
  for (const root of roots) {
    const paragraphs = new Set<string>();
    const renumbered = new Map<string, string>();
    for (const one of root.all()) {
      if (one.is('wp:docPr')) one.set('id', String(++drawings));
      const id = one.get('w14:paraId');
      if (id !== '' && paragraphs.has(id)) {
        one.attributes.delete('w14:paraId');
        one.attributes.delete('w14:textId');
      }
      paragraphs.add(id);
      if (one.is('w:bookmarkStart')) {
        bookmarks += 1;
        renumbered.set(one.get('w:id'), String(bookmarks));
        one.set('w:id', String(bookmarks));
        const name = one.get('w:name');
        if (names.has(name)) one.set('w:name', `${name.slice(0, nameMax - 6)}_${bookmarks}`);
        names.add(one.get('w:name'));
      } else if (one.is('w:bookmarkEnd'))
        one.set('w:id', renumbered.get(one.get('w:id')) ?? one.get('w:id'));
    }
  }
}
