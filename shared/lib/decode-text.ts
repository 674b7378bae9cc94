/**
 * Text of a file whose encoding nobody names: by its byte order mark, else UTF-8, else what Windows
 * writes in Switzerland.
 *
 * @param isBeginning whether more follows, so that the last character may be cut in two
 */
export function decodeText(bytes: Uint8Array, isBeginning = false): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isBeginning });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
