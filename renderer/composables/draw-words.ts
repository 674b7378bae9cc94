import { lineHeight, type FittedWords } from './fit-words.ts';

/** Device pixels of a point, so that drawn words stay sharp on paper. */
const pixelsPerPoint = 4;

const fontOf = (sizePt: number) =>
  `${sizePt * pixelsPerPoint}px "Segoe UI", system-ui, "Liberation Sans", Arial, sans-serif`;

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  return context;
}

/** Writes words as pictures in the system's fonts, which know every script and emoji. */
export function createWordDrawing(): WordDrawing {
  const measuring = contextOf(document.createElement('canvas'));
  const measure = (words: string, sizePt: number): number => {
    measuring.font = fontOf(sizePt);
    return measuring.measureText(words).width / pixelsPerPoint;
  };

  async function draw({ lines, size }: FittedWords, widthPt: number): Promise<Uint8Array> {
    const widest = Math.max(...lines.map((line) => measure(line, size)));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.ceil(Math.min(widthPt, widest) * pixelsPerPoint));
    const lineHeightPx = size * lineHeight * pixelsPerPoint;
    canvas.height = Math.max(1, Math.ceil(lines.length * lineHeightPx));
    const context = contextOf(canvas);
    context.font = fontOf(size);
    context.textBaseline = 'middle';
    // From the end in which their script is written.
    const isRightToLeft = /^[^\p{L}]*[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/u.test(
      lines.join(' '),
    );
    context.direction = isRightToLeft ? 'rtl' : 'ltr';
    for (const [index, line] of lines.entries())
      context.fillText(line, isRightToLeft ? canvas.width : 0, (index + 0.5) * lineHeightPx);
    const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (!png) throw new Error('not drawn');
    return new Uint8Array(await png.arrayBuffer());
  }

  return { measure, draw };
}

/** Lengths in points. */
export interface WordDrawing {
  readonly measure: (words: string, sizePt: number) => number;
  /** The lines as a PNG, no wider than asked. */
  readonly draw: (words: FittedWords, widthPt: number) => Promise<Uint8Array>;
}
