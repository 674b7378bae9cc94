import { endsWithinLetter } from '#shared/lib/cut-letter.ts';
import { decodeText } from '#shared/lib/decode-text.ts';
import type { FileReport } from './file-checker.ts';

/** White space, the old end-of-file mark and escape, as in `looksLikeText` of file-type.ts. */
const allowedControls = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a, 0x1b]);

/**
 * A text decodes to letters to its end: what a copy left out of a file stands there as zeros. Blanks
 * alone are nothing that somebody can read. A letter of several bytes that is not whole shows a cut.
 */
export function checkText(bytes: Uint8Array): FileReport {
  const text = decodeText(bytes);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && !allowedControls.has(code)) return { kind: 'damaged', rule: 'text_control' };
  }
  if (endsWithinLetter(bytes) || isHalfUtf16(bytes)) return { kind: 'damaged', rule: 'text_end' };
  return { kind: /\S/.test(text) ? 'readable' : 'empty' };
}

/** A letter of UTF-16, as its mark names it, has two bytes. */
function isHalfUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked && bytes.length % 2 === 1;
}
