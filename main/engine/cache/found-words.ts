import type { DocumentIndex } from './document-index.ts';
import type { SearchIndex } from './search-index.ts';

/** The words of a search, and where documents have them all. */
export interface FoundWords {
  /** For the cases' own index. */
  readonly match: string;
  /** Places of the cases that have such a document, oldest first. */
  readonly inDocuments: readonly number[];
  /** False where more documents have the words than a search looks at (decision 0027). */
  readonly isWhole: boolean;
}

/**
 * What every question with words begins with, so that a list under further filters never has a case
 * that the list without them has not; null where `q` has no words.
 */
export function findWords(
  search: SearchIndex,
  documents: DocumentIndex,
  q: string,
): FoundWords | null {
  const match = search.expression(q);
  if (match === null) return null;
  const { places, isWhole } = documents.places(q);
  return { match, inDocuments: places, isWhole };
}
