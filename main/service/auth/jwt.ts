import { z } from 'zod';

const objectSchema = z.record(z.string(), z.unknown());
export type JwtObject = Readonly<Record<string, unknown>>;

/** A JWT in compact form, taken apart but not verified. */
export interface CompactJwt {
  /** The protected header as it was sent, base64url. */
  readonly encodedHeader: string;
  readonly header: JwtObject;
  readonly claims: JwtObject;
  /** Header and claims as they were sent: what is signed (RFC 7515 section 2). */
  readonly signingInput: string;
  /** As it was sent: base64url where it is one. */
  readonly signature: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Takes a compact JWT apart (RFC 7519 section 7.2).
 * @returns undefined where it is not three parts, base64url with a JSON object in the first two.
 */
export function decodeJwt(token: string): CompactJwt | undefined {
  const parts = token.split('.');
  const [encodedHeader, encodedClaims, signature] = parts;
  if (parts.length !== 3 || !encodedHeader || !encodedClaims || signature === undefined) {
    return undefined;
  }
  const header = decodePart(encodedHeader);
  const claims = decodePart(encodedClaims);
  if (!header || !claims) return undefined;
  const signingInput = `${encodedHeader}.${encodedClaims}`;
  return { encodedHeader, header, claims, signingInput, signature };
}

function decodePart(part: string): JwtObject | undefined {
  // No number of bytes has one character more than a multiple of four.
  if (!/^[\w-]+$/.test(part) || part.length % 4 === 1) return undefined;
  try {
    const result = objectSchema.safeParse(JSON.parse(utf8.decode(Buffer.from(part, 'base64url'))));
    return result.success ? result.data : undefined;
  } catch {
    return undefined;
  }
}
