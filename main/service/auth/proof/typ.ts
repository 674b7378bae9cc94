import { invalidDpop } from './invalid-dpop.ts';

/** RFC 9449 section 4.3, check 4: typ is dpop+jwt. */
export function checkTyp(typ: unknown): void {
  if (typ !== 'dpop+jwt') throw invalidDpop('the typ of the DPoP proof is not dpop+jwt');
}
