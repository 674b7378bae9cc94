/** Names that the style sheet colours (theme/desk.css). */
const allName = 'pdf-hit';
const currentName = 'pdf-hit-current';

/**
 * Marks stretches of text without touching the document's tree (CSS Custom Highlight API). The
 * marks of all pages share the same two names; a browser without them just shows none.
 */
export function hitMarks() {
  const known = 'highlights' in CSS;
  const own = new Set<Range>();

  const named = (name: string): Highlight => {
    const found = CSS.highlights.get(name) ?? new Highlight();
    CSS.highlights.set(name, found);
    return found;
  };

  function clear(): void {
    if (!known) return;
    for (const range of own) {
      named(allName).delete(range);
      named(currentName).delete(range);
    }
    own.clear();
  }

  function show(ranges: readonly Range[], current: Range | null): void {
    clear();
    if (!known) return;
    for (const range of ranges) {
      own.add(range);
      named(allName).add(range);
    }
    if (current) {
      own.add(current);
      named(currentName).priority = 1;
      named(currentName).add(current);
    }
  }

  return { show, clear };
}
