import { decodeProtectedHeader, type ProtectedHeaderParameters } from 'jose';

/**
 * The protected header of a signed JWT, not verified yet.
 * @returns undefined if the text is no compact JWS (RFC 7515 section 7.1): base64url without
 *   padding, which jose alone would not insist on.
 */
export function jwtHeaderOf(text: string): ProtectedHeaderParameters | undefined {
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) return undefined;
  try {
    return decodeProtectedHeader(text);
  } catch {
    return undefined;
  }
}
