import ExifReader from 'exifreader';
import { z } from 'zod';
import { exifMoment, type PreservedExif } from './exif.ts';

/** Longer than any camera's name; some fill their fields with spaces. */
const nameMaxLength = 200;

// A field that is damaged or of another type is absent, and takes no other one with it.
const text = z
  .object({ value: z.tuple([z.string()]).rest(z.unknown()) })
  .transform(({ value: [first] }) => first.replaceAll('\0', '').trim())
  .optional()
  .catch(undefined);
const degrees = (limit: number) => z.number().min(-limit).max(limit).optional().catch(undefined);

const turn = z
  .object({ value: z.int().min(1).max(8) })
  .transform(({ value }) => value)
  .optional()
  .catch(undefined);

const tagsSchema = z.object({
  exif: z
    .object({
      DateTimeOriginal: text,
      DateTimeDigitized: text,
      Make: text,
      Model: text,
      Orientation: turn,
    })
    .prefault({}),
  gps: z.object({ Latitude: degrees(90), Longitude: degrees(180) }).prefault({}),
});

const wanted: ExifReader.IncludeTagsOptions = {
  exif: [
    'DateTimeOriginal',
    'DateTimeDigitized',
    'Make',
    'Model',
    'Orientation',
    'GPSLatitude',
    'GPSLatitudeRef',
    'GPSLongitude',
    'GPSLongitudeRef',
  ],
  gps: true,
};

const nothing: PreservedExif = { takenAt: null, place: null, device: null, orientation: 1 };

/** EXIF of a photo, or of the beginning of one; nothing if it cannot be read. */
export function readExif(content: ArrayBuffer): PreservedExif {
  const tags = tagsSchema.safeParse(load(content));
  if (!tags.success) return nothing;
  const { DateTimeOriginal, DateTimeDigitized, Make, Model, Orientation } = tags.data.exif;
  const { Latitude, Longitude } = tags.data.gps;
  return {
    takenAt: exifMoment(DateTimeOriginal ?? '') ?? exifMoment(DateTimeDigitized ?? ''),
    place:
      Latitude === undefined || Longitude === undefined
        ? null
        : { latitude: Latitude, longitude: Longitude },
    device:
      Make === undefined && Model === undefined
        ? null
        : { make: cut(Make ?? ''), model: cut(Model ?? '') },
    orientation: Orientation ?? 1,
  };
}

const cut = (name: string) => name.slice(0, nameMaxLength);

function load(content: ArrayBuffer): unknown {
  try {
    return ExifReader.load(content, { expanded: true, includeTags: wanted });
  } catch {
    // A file without EXIF, of a kind that has none, or damaged.
    return null;
  }
}
