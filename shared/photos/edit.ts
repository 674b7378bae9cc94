import { z } from 'zod';

/** What is drawn on a photo; `blur` makes a region unreadable for good in what is sent. */
export const markKinds = [
  'arrow',
  'line',
  'rectangle',
  'circle',
  'freehand',
  'text',
  'badge',
  'blur',
] as const;
export type MarkKind = (typeof markKinds)[number];

export const markColours = ['red', 'yellow', 'green', 'blue', 'white', 'black'] as const;

/**
 * Lengths are in thousandths of the photo's longer side, x and y in turn, of the photo upright and
 * turned, before it is cut. So a mark stays in its place at any size of the picture.
 */
export const unitsOfLongSide = 1000;

const length = z
  .number()
  .min(-unitsOfLongSide)
  .max(2 * unitsOfLongSide);

export const markSchema = z.object({
  kind: z.enum(markKinds),
  /** Two opposite corners, two ends, one place (text, badge), or the way of a freehand stroke. */
  points: z.array(length).min(2).max(10_000),
  colour: z.enum(markColours),
  /** Width of a line; the size of letters follows from it. */
  width: z.number().min(1).max(40),
  /** Words of a text, the length at a line, the number in a badge. */
  text: z.string().max(200),
});
export type Mark = z.infer<typeof markSchema>;

/** What the user does to a photo. The original stays as it is. */
export const photoEditSchema = z.object({
  /** Quarter turns to the right. */
  turns: z.int().min(0).max(3),
  /** Left, top, right, bottom. */
  crop: z.tuple([length, length, length, length]).nullable(),
  /** From -1 (dark) to 1 (bright). */
  brightness: z.number().min(-1).max(1),
  marks: z.array(markSchema).max(500),
});
export type PhotoEdit = z.infer<typeof photoEditSchema>;

export const noEdit: PhotoEdit = { turns: 0, crop: null, brightness: 0, marks: [] };

/** Width and height of a picture in units. */
export function unitSize(width: number, height: number): { width: number; height: number } {
  const scale = unitsOfLongSide / Math.max(width, height);
  return { width: width * scale, height: height * scale };
}

/**
 * Turns a photo a quarter to the right, with its marks and its cut.
 * @param height of the picture before, in units
 */
export function turnEdit(edit: PhotoEdit, height: number): PhotoEdit {
  const turned = (points: readonly number[]): number[] =>
    points.flatMap((x, index) => (index % 2 === 0 ? [height - (points[index + 1] ?? 0), x] : []));
  const marks = edit.marks.map((mark) => ({ ...mark, points: turned(mark.points) }));
  const [left, top, right, bottom] = edit.crop ?? [0, 0, 0, 0];
  return {
    ...edit,
    turns: (edit.turns + 1) % 4,
    marks,
    crop: edit.crop && [height - bottom, left, height - top, right],
  };
}

/** False for a text mark without a text: it is not part of the photo. */
export const hasWords = ({ kind, text }: Mark): boolean => kind !== 'text' || text.trim() !== '';
