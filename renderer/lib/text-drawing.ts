import { type FittedText, lineHeight, type TextDrawing } from '#shared/pdf/sheet-text.ts';

/** The number of device pixels per point, so that drawn words are sharp on paper. */
const pixelsPerPoint = 4;

const fontOf = (sizePt: number) =>
  `${sizePt * pixelsPerPoint}px "Segoe UI", system-ui, "Liberation Sans", Arial, sans-serif`;

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  return context;
}

/** Creates pictures of words in the system's fonts, which contain every script and emoji. */
export function createTextDrawing(): TextDrawing {
  const measuring = contextOf(new OffscreenCanvas(1, 1));
  const measure = (words: string, sizePt: number): number => {
    measuring.font = fontOf(sizePt);
    return measuring.measureText(words).width / pixelsPerPoint;
  };

  async function draw({ lines, size }: FittedText, widthPt: number): Promise<Uint8Array> {
    const widest = Math.max(...lines.map((line) => measure(line, size)));
    const lineHeightPx = size * lineHeight * pixelsPerPoint;
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.ceil(Math.min(widthPt, widest) * pixelsPerPoint)),
      Math.max(1, Math.ceil(lines.length * lineHeightPx)),
    );
    const context = contextOf(canvas);
    context.font = fontOf(size);
    context.textBaseline = 'middle';
    // The text starts at the side at which its script begins.
    const isRightToLeft = /^[^\p{L}]*[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/u.test(
      lines.join(' '),
    );
    context.direction = isRightToLeft ? 'rtl' : 'ltr';
    for (const [index, line] of lines.entries())
      context.fillText(line, isRightToLeft ? canvas.width : 0, (index + 0.5) * lineHeightPx);
    const png = await canvas.convertToBlob({ type: 'image/png' });
    return new Uint8Array(await png.arrayBuffer());
  }

  return { measure, draw };
}
