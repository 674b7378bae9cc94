import type { XmlElement } from './xml-tree.ts';

/** A field of Word: what it does, and where it stands. */
export interface FieldCode {
  /** The instruction without that of the fields in it. */
  readonly code: string;
  readonly at: XmlElement;
}

/**
 * Every field of a part. Word splits an instruction over runs, and another field may stand in it,
 * which makes a word of it only when it is computed.
 */
export function fieldCodesOf(root: XmlElement): FieldCode[] {
  const found: FieldCode[] = [];
  const open: { code: string; at: XmlElement; isResult: boolean }[] = [];
  for (const one of root.all()) {
    if (one.is('w:fldSimple')) found.push({ code: one.get('w:instr'), at: one });
    else if (one.is('w:instrText', 'w:delInstrText')) {
      const inner = open.at(-1);
      if (inner && !inner.isResult) inner.code += one.text;
      else found.push({ code: one.text, at: one });
    } else if (one.is('w:fldChar')) {
      const type = one.get('w:fldCharType').toLowerCase();
      const inner = open.at(-1);
      if (type === 'begin') {
        // The name of the outer field may be what this one computes.
        if (inner && !inner.isResult && inner.code.trim() === '') inner.code = '\u0000';
        open.push({ code: '', at: one, isResult: false });
      } else if (type === 'separate' && inner) inner.isResult = true;
      else if (type === 'end') {
        const ended = open.pop();
        if (ended) found.push({ code: ended.code, at: ended.at });
      }
    }
  }
  return [...found, ...open.map(({ code, at }) => ({ code, at }))];
}

/** The first word of an instruction. */
export function fieldNameOf(code: string): string {
  const trimmed = code.trim();
  return trimmed.startsWith('=') ? '=' : (/^[^\s\\"{}]*/.exec(trimmed)?.[0] ?? '');
}

/** Where a link goes, if it is one: the first argument that is no switch. */
export function addressOf(code: string): string | null {
  if (fieldNameOf(code).toUpperCase() !== 'HYPERLINK') return null;
  const rest = code.trim().slice('HYPERLINK'.length).trim();
  if (rest.startsWith('\\')) return null;
  return (/^"([^"]*)"/.exec(rest)?.[1] ?? /^\S*/.exec(rest)?.[0] ?? '').trim();
}
