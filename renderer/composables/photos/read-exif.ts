import exifr from 'exifr';
import { z } from 'zod';
import type { KeptExif } from '#shared/photos/exif-segment.ts';

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
  const found: unknown = await exifr
    .parse(content, {
      reviveValues: false,
      translateValues: false,
      xmp: false,
      icc: false,
      jfif: false,
      ihdr: false,
    })
    .catch(() => undefined);
  const tags = tagsSchema.safeParse(found);
  if (!tags.success) return nothing;
  const { DateTimeOriginal, CreateDate, Make, Model, latitude, longitude } = tags.data;
  return {
    takenAt: momentOf(DateTimeOriginal ?? CreateDate ?? ''),
    place: latitude === undefined || longitude === undefined ? null : { latitude, longitude },
    device:
      Make === undefined && Model === undefined ? null : { make: Make ?? '', model: Model ?? '' },
  };
}

/** EXIF writes `2026:05:01 14:03:22`; a camera whose clock was never set writes zeros. */
function momentOf(text: string): string | null {
  const found = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text);
  if (!found) return null;
  const [, year, month, day, time] = found;
  const moment = `${year}-${month}-${day}T${time}`;
  return Number(year) > 0 && !Number.isNaN(Date.parse(`${moment}Z`)) ? moment : null;
}
