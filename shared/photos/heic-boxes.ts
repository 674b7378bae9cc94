import { latin1 } from './bytes.ts';

/* The boxes of a HEIC, which contain each other (ISO/IEC 14496-12, 4.2). */

export interface Box {
  readonly type: string;
  readonly content: DataView;
}

/** A property of each part of a picture is one: no file has more. */
const boxesMax = 10_000;

export const part = (view: DataView, from: number, to: number) =>
  new DataView(view.buffer, view.byteOffset + from, to - from);

/** Length, type, content; a length of 1 is followed by one of 8 bytes. */
export function boxesIn(view: DataView): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= view.byteLength && boxes.length < boxesMax;) {
    const short = view.getUint32(at);
    const head = short === 1 ? 16 : 8;
    if (at + head > view.byteLength) break;
    const stated = short === 1 ? Number(view.getBigUint64(at + 8)) : short;
    // 0: up to the end.
    const length = stated === 0 ? view.byteLength - at : stated;
    if (length < head || at + length > view.byteLength) break;
    const bytes = new Uint8Array(view.buffer, view.byteOffset + at + 4, 4);
    boxes.push({ type: latin1(bytes, 0, 4), content: part(view, at + head, at + length) });
    at += length;
  }
  return boxes;
}

/** @param skipped bytes that come before the boxes that the boxes of this type contain */
export const boxesWithin = (boxes: readonly Box[], type: string, skipped = 0): Box[] =>
  boxes
    .filter((box) => box.type === type && box.content.byteLength >= skipped)
    .flatMap(({ content }) => boxesIn(part(content, skipped, content.byteLength)));

/** What the file says of its pictures; version and flags come before it. */
export const metaBoxes = (file: DataView): Box[] => boxesWithin(boxesIn(file), 'meta', 4);
