import { createHash } from 'node:crypto';
import type { ClaimsTable } from '../store/claim-tables.ts';
import type { SearchEntry } from '../store/dialect-words.ts';

/** Stands between two values, so that a search never finds half of one and half of the next. */
const separator = '\ue000';
/** Begins a facet. No text and no query keeps it, so that nobody can search for a facet. */
const facetMark = '\ue001';

/** What lists filter by that stands in the full-text index beside the claim's text. */
export type Facet = 'category' | 'status' | 'inspection_type';

/** Whose a claim is; the full-text index knows it too. */
export type Owner = 'insurer_organization_id' | 'expert_organization_id';

/** A token of the full-text index: that a column of a claim has this very value. */
export function facetToken(facet: Facet | Owner, value: string): string {
  const hash = createHash('sha256').update(`${facet}:${value}`).digest('hex');
  return facetMark + hash.slice(0, 24);
}

/** The tokens of the organizations that see a claim. */
export function claimOwners(claim: Pick<ClaimsTable, Owner>): string[] {
  const owners = [facetToken('insurer_organization_id', claim.insurer_organization_id)];
  if (claim.expert_organization_id !== null) {
    owners.push(facetToken('expert_organization_id', claim.expert_organization_id));
  }
  return owners;
}

/** The tokens of what lists filter by. */
export function claimFacets(claim: Pick<ClaimsTable, Facet>): string[] {
  return [
    facetToken('category', claim.category),
    facetToken('status', claim.status),
    facetToken('inspection_type', claim.inspection_type),
  ];
}

/**
 * How a claim is found: by whom, by its facets, by its external key and by every text and number
 * among the payload's values, at any depth (decisions, "Lists": q).
 */
export function searchEntry(
  claim: Pick<ClaimsTable, Facet | Owner | 'external_key' | 'number'>,
  payload: unknown,
): SearchEntry {
  const facets = claimFacets(claim);
  const values = [facets.join(' '), claim.external_key];
  // A stack of its own, because a payload may be nested more deeply than functions can call.
  const rest: unknown[] = [payload];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'string') values.push(value.replaceAll(/[\0\ue000\ue001]/g, ' '));
    else if (typeof value === 'number') values.push(String(value));
    else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) rest.push(inner);
    }
  }
  return {
    claimNumber: claim.number,
    owners: claimOwners(claim),
    facets,
    text: values.join(` ${separator} `),
  };
}

/** The words of a query. Characters that no text holds are taken as spaces. */
export function searchWords(query: string): string[] {
  return query.split(/[\s\0\ue000\ue001]+/u).filter((word) => word !== '');
}
