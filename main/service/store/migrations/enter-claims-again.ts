import type { Kysely } from 'kysely';
import { searchEntry } from '../../claims/search-text.ts';
import type { Database } from '../tables.ts';
import { wordsOf } from '../words-of.ts';

const claimsAtATime = 200;

/** Enters every claim into the full-text index again, or for the first time. */
export async function enterClaimsAgain(db: Kysely<Database>): Promise<void> {
  for (let after = 0; ;) {
    const claims = await db
      .selectFrom('claims')
      .innerJoin('claim_payloads', 'claim_payloads.claim_number', 'claims.number')
      .selectAll('claims')
      .select('claim_payloads.payload_json')
      .where('claims.number', '>', after)
      .orderBy('claims.number')
      .limit(claimsAtATime)
      .execute();
    const last = claims.at(-1);
    if (!last) return;
    after = last.number;
    for (const claim of claims) {
      const entry = searchEntry(claim, JSON.parse(claim.payload_json));
      await wordsOf(db).replaceSearchEntry(db, entry, entry);
    }
  }
}
