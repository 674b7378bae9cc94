import { base64url } from 'jose';
import { z } from 'zod';

const objectSchema = z.record(z.string(), z.unknown());
export type JwtObject = Readonly<Record<string, unknown>>;

/** A JWT in compact form, taken apart but not verified. */
export interface CompactJwt {
  /** The protected header as it was sent, base64url. */
  readonly encodedHeader: string;
  readonly header: JwtObject;
  readonly claims: JwtObject;
}

/**
 * Takes a compact JWT apart (RFC 7519 section 7.2).
 * @returns undefined where it is not three base64url parts with a JSON object in the first two.
 */
export function decodeJwt(token: string): CompactJwt | undefined {
  const parts = token.split('.');
  const [encodedHeader, encodedClaims, signature] = parts;
  if (parts.length !== 3 || !encodedHeader || !encodedClaims || signature === undefined) {
    return undefined;
  }
  const header = decodePart(encodedHeader);
  const claims = decodePart(encodedClaims);
  return header && claims && { encodedHeader, header, claims };
}

function decodePart(part: string): JwtObject | undefined {
  if (!/^[\w-]+$/.test(part)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(base64url.decode(part));
    const result = objectSchema.safeParse(JSON.parse(text));
    return result.success ? result.data : undefined;
  } catch {
    return undefined;
  }
}
