import exifr from 'exifr';
import { z } from 'zod';
import { exifMoment, type KeptExif } from '#shared/photos/exif.ts';

const tagsSchema = z.object({
  DateTimeOriginal: z.string().optional(),
  CreateDate: z.string().optional(),
  Make: z.string().max(200).optional(),
  Model: z.string().max(200).optional(),
  latitude: z.number().min(-90).max(90).optional(),
  longitude: z.number().min(-180).max(180).optional(),
});

const nothing: KeptExif = { takenAt: null, place: null, device: null };

/** What a photo's EXIF says; nothing if it cannot be read. */
export async function readExif(content: Blob): Promise<KeptExif> {
  const found = (await parse(content)) ?? (await parse(content.slice(await tiffHeaderIn(content))));
  const tags = tagsSchema.safeParse(found);
  if (!tags.success) return nothing;
  const { DateTimeOriginal, CreateDate, Make, Model, latitude, longitude } = tags.data;
  return {
    takenAt: exifMoment(DateTimeOriginal ?? CreateDate ?? ''),
    place: latitude === undefined || longitude === undefined ? null : { latitude, longitude },
    device:
      Make === undefined && Model === undefined ? null : { make: Make ?? '', model: Model ?? '' },
  };
}

async function parse(content: Blob): Promise<object | null> {
  const found: unknown = await exifr.parse(content, options).catch(() => null);
  return typeof found === 'object' && found !== null && !('errors' in found) ? found : null;
}

const options = {
  reviveValues: false,
  translateValues: false,
  xmp: false,
  icc: false,
  jfif: false,
  ihdr: false,
};

/** Where EXIF begins in a HEIC whose index exifr does not follow; the end if there is none. */
async function tiffHeaderIn(content: Blob): Promise<number> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  const view = new DataView(bytes.buffer);
  if (bytes.length < 12 || view.getUint32(4) !== 0x66747970) return bytes.length;
  for (
    let at = bytes.indexOf(0x4d);
    at >= 0 && at + 4 <= bytes.length;
    at = bytes.indexOf(0x4d, at + 1)
  )
    if (view.getUint32(at) === 0x4d4d002a) return at;
  return bytes.length;
}
