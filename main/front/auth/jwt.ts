import { decodeProtectedHeader, type ProtectedHeaderParameters } from 'jose';

/**
 * The protected header of a signed JWT, not verified yet.
 * @returns undefined if the text is no compact JWS (RFC 7515 section 7.1). jose alone would accept
 *   padding and blanks in it.
 */
export function jwtHeaderOf(text: string): ProtectedHeaderParameters | undefined {
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) return undefined;
  try {
    return decodeProtectedHeader(text);
  } catch {
    return undefined;
  }
}
