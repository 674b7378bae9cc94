/** Device pixels of a point, so that drawn words stay sharp on paper. */
const pixelsPerPoint = 4;

/**
 * Words as a PNG in the system's fonts, which know every script and emoji; cut off where they are
 * wider than their place, at the end in which their script is written.
 */
export async function drawWords(
  words: string,
  widthPt: number,
  sizePt: number,
): Promise<Uint8Array> {
  const canvas = document.createElement('canvas');
  const size = sizePt * pixelsPerPoint;
  const font = `${size}px "Segoe UI", system-ui, "Liberation Sans", Arial, sans-serif`;
  const measuring = canvas.getContext('2d');
  if (!measuring) throw new Error('no canvas');
  measuring.font = font;
  const width = measuring.measureText(words).width;
  canvas.width = Math.max(1, Math.ceil(Math.min(widthPt * pixelsPerPoint, width)));
  canvas.height = Math.ceil(size * 1.25);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  // A canvas forgets its font when its size changes.
  context.font = font;
  context.textBaseline = 'middle';
  const isRightToLeft = /^[^\p{L}]*[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/u.test(words);
  context.direction = isRightToLeft ? 'rtl' : 'ltr';
  context.fillText(words, isRightToLeft ? canvas.width : 0, canvas.height / 2);
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!png) throw new Error('not drawn');
  return new Uint8Array(await png.arrayBuffer());
}
