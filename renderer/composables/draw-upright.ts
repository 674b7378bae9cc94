/**
 * Draws a picture upright, as the camera was held (EXIF), and no larger than asked. Nothing but
 * the pixels comes along. Whoever calls has looked at how many pixels it claims.
 * @param longEdge longer side in pixels at most; null keeps the size
 * @throws where the content is no picture that can be drawn.
 */
export async function drawUpright(
  content: Blob,
  longEdge: number | null,
): Promise<HTMLCanvasElement> {
  const bitmap = await createImageBitmap(content, { imageOrientation: 'from-image' });
  try {
    const scale = Math.min(1, (longEdge ?? Infinity) / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    const context = canvas.getContext('2d', { alpha: false });
    if (!context) throw new Error('no canvas');
    // What is transparent would come out black.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return canvas;
  } finally {
    bitmap.close();
  }
}
