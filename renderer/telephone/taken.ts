const two = (part: number): string => String(part).padStart(2, '0');

/** A moment by this telephone's clock: YYYY-MM-DDTHH:MM:SS. */
export function captureTime(ms: number): string {
  const at = new Date(ms);
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day}T${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
}

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/heif': 'heic',
};
const longestName = 120;

/**
 * The name of a picture in the report. A telephone calls each new picture `image.jpg`, so such a
 * picture gets its time as its name. No two pictures get the same name.
 */
export function nameFor(
  { name, type }: Pick<File, 'name' | 'type'>,
  takenAt: string,
  taken: readonly string[],
): string {
  const dot = name.lastIndexOf('.');
  const given = dot > 0 ? name.slice(0, dot) : name;
  const extension = extensions[type] ?? (dot > 0 ? name.slice(dot + 1).toLowerCase() : 'jpg');
  const isPlain = /^(?:image|img|photo)?$/i.test(given);
  const [day = '', time = ''] = takenAt.replaceAll(/[-:]/g, '').split('T');
  const stem = (isPlain ? `${day}_${time}` : given)
    .replaceAll(/[/\\\p{Cc}]/gu, '_')
    .slice(0, longestName);
  let unique = `${stem}.${extension}`;
  for (let n = 2; taken.includes(unique); n += 1) unique = `${stem}-${n}.${extension}`;
  return unique;
}

const thumbEdge = 160;

/** A small picture for the list; null if this browser does not draw the picture. */
export async function thumbOf(file: Blob): Promise<ArrayBuffer | null> {
  try {
    const bitmap = await createImageBitmap(file, { resizeHeight: thumbEdge });
    const canvas = document.createElement('canvas');
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    const blob = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, 'image/jpeg', 0.7),
    );
    return (await blob?.arrayBuffer()) ?? null;
  } catch {
    // The picture is sent all the same; the desk checks it.
    return null;
  }
}
