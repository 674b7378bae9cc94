import { evaluate, type Surroundings, textOf } from './evaluate.ts';
import type { FilledText } from './other-places.ts';
import { printable } from './xml-tree.ts';
import { isPlainAddress } from './allowed.ts';

/** Fields in properties of the document and in targets of links. */
export function fillTexts(texts: readonly FilledText[], around: Surroundings): void {
  for (const { text, fields, link, element } of texts) {
    let filled = text;
    for (const { raw, tree } of fields) {
      const value = printable(textOf(evaluate(tree, around), around.language));
      // An address of mail keeps its sign, which a link may contain.
      const written = link ? encodeURIComponent(value).replaceAll('%40', '@') : value;
      filled = filled.split(raw).join(written);
    }
    // A text of the insurer may make no address of a file or a program of it.
    if (link) element.set('Target', isPlainAddress(filled) ? filled : '#');
    else element.setText(filled);
  }
}
