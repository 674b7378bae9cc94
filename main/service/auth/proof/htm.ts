import { invalidDpop } from './invalid-dpop.ts';

/** Specification, "DPoP proof": htm is the exact HTTP method. */
export function checkHtm(htm: unknown, method: string): void {
  if (htm !== method) throw invalidDpop('htm mismatch: it is not the method of the request');
}
