import type { Kysely, RawBuilder, SqlBool } from 'kysely';
import { containsWords, type SearchedTable } from '../../front/store/text-search.ts';

/** The searched table: the text of a claim is stored with its payload. */
export const claimSearch: SearchedTable = {
  table: 'claim_payloads',
  key: 'claim_number',
  index: 'claims_search',
};

/**
 * A condition on a row of `claims` that its search text contains every word.
 * @param words folded words, at least one.
 */
export function claimContains<Tables>(
  db: Kysely<Tables>,
  words: readonly string[],
): RawBuilder<SqlBool> {
  return containsWords(db, claimSearch, 'claims.number', words);
}
