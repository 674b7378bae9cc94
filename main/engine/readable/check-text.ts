import { decodeText } from '#shared/lib/decode-text.ts';
import type { FileReport } from './file-checker.ts';

/** White space, the old end-of-file mark and escape, as in `looksLikeText` of file-type.ts. */
const allowedControls = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a, 0x1b]);

/**
 * A text decodes to letters to its end: what a copy left out of a file stands there as zeros. Blanks
 * alone are nothing that somebody can read.
 */
export function checkText(bytes: Uint8Array): FileReport {
  const text = decodeText(bytes);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && !allowedControls.has(code)) return { kind: 'damaged', rule: 'text_control' };
  }
  return { kind: /\S/.test(text) ? 'readable' : 'empty' };
}
