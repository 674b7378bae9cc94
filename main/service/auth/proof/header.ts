import { invalidDpop } from './invalid-dpop.ts';

/**
 * RFC 9449 section 4.3, check 1: there is not more than one DPoP header, and not less. Node joins
 * repeated headers by a comma, which no JWT contains.
 * @throws {Problem} invalid_dpop
 */
export function oneProof(header: string | readonly string[] | undefined): string {
  if (header === undefined || header === '') throw invalidDpop('the request has no DPoP proof');
  if (typeof header !== 'string' || header.includes(',')) {
    throw invalidDpop('the request has more than one DPoP proof');
  }
  return header;
}
