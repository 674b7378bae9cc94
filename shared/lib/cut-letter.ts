/**
 * Whether a text in UTF-8 is cut in the middle of a letter. In a text of a code page the last byte may
 * be a letter; in UTF-8 there are other letters before it.
 */
export function endsWithinLetter(bytes: Uint8Array): boolean {
  const isOpen = decodes(bytes, true) && !decodes(bytes, false);
  const last = bytes.findLastIndex((byte) => byte >= 0xc0);
  return isOpen && bytes.subarray(0, last).some((byte) => byte >= 0x80);
}

function decodes(bytes: Uint8Array, isBeginning: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isBeginning });
    return true;
  } catch {
    return false;
  }
}
