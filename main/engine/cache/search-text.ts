import { searchWords, wordsOf } from '#shared/lib/words.ts';
import type { PayloadDigest } from '#shared/payload/digest.ts';
import type { CaseInput } from './case-records.ts';

/**
 * An FTS5 expression: every word of `q` must begin some word of what is searched. Null if `q` has no
 * words. The words are quoted, so a person's text never reaches the syntax of FTS5.
 */
export function searchExpression(q: string): string | null {
  const words = searchWords(q);
  return words.length === 0 ? null : words.map((word) => `"${word}"*`).join(' AND ');
}

/** What `case_search` holds of a case. */
export function searchText(input: CaseInput, digest: PayloadDigest): string {
  return [
    input.externalKey,
    joinedForms(input.externalKey, digest.licensePlate, digest.policyNumber),
    input.insurer.name,
    input.insurer.responsible.name,
    input.expertComment,
    digest.searchText,
  ].join(' ');
}

/** Identifiers without their gaps: `ZH 123 456`, `ZH123456` and `zh-123456` find the same car. */
function joinedForms(...identifiers: readonly string[]): string {
  return identifiers
    .map((identifier) => wordsOf(identifier))
    .filter((words) => words.length > 1)
    .map((words) => words.join(''))
    .join(' ');
}
