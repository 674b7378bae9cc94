import { latin1 } from './bytes.ts';
import { type Box, boxesWithin, metaBoxes, part } from './heic-boxes.ts';

/*
 * What a HEIC tells of its pictures before anything is decoded: their sizes and colours, in the
 * property boxes (ISO/IEC 23008-12, 9.3; ISO/IEC 14496-12, 12.1.5 and 8.11.14).
 */

/** How the numbers of a pixel are to be read; telephones write Display P3. */
export type ColourSpace = 'srgb' | 'display-p3';

export interface HeicProperties {
  /** Of its largest picture; 0 if it names none. */
  readonly pixels: number;
  readonly colours: ColourSpace;
}

/** Nothing of what cannot be read: the decoder decides about the file. */
export function heicProperties(bytes: Uint8Array): HeicProperties {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const properties = boxesWithin(boxesWithin(metaBoxes(file), 'iprp'), 'ipco');
  const pixels = properties.map(pixelsOf).reduce((most, one) => Math.max(most, one), 0);
  const isWide = properties.some(isDisplayP3);
  return { pixels, colours: isWide ? 'display-p3' : 'srgb' };
}

/** Version and flags, width, height (ISO/IEC 23008-12, 6.5.3). */
const pixelsOf = ({ type, content }: Box): number =>
  type === 'ispe' && content.byteLength >= 12 ? content.getUint32(4) * content.getUint32(8) : 0;

/** ITU-T H.273, table 2: the primaries of Display P3. */
const p3Primaries = 12;

function isDisplayP3({ type, content }: Box): boolean {
  if (type !== 'colr' || content.byteLength < 6) return false;
  const bytes = new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  const kind = latin1(bytes, 0, 4);
  if (kind === 'nclx') return content.getUint16(4) === p3Primaries;
  return kind === 'prof' && hasP3Colours(part(content, 4, content.byteLength));
}

/** Red, green and blue of Display P3 under the light of a profile (X, Y, Z; D50). */
const p3Colours = {
  rXYZ: [0.5151, 0.2412, -0.0011],
  gXYZ: [0.292, 0.6922, 0.0419],
  bXYZ: [0.1571, 0.0666, 0.7841],
} as const;
/** Profiles are rounded, each in its own way. sRGB is twenty times as far away. */
const tolerance = 0.002;
const tagsMax = 100;

/** ICC.1:2022, 7.3: a table of tags behind 128 bytes; numbers are 32 bits with 16 behind the point. */
function hasP3Colours(profile: DataView): boolean {
  if (profile.byteLength < 132) return false;
  const places = new Map<string, number>();
  for (let tag = 0; tag < Math.min(profile.getUint32(128), tagsMax); tag += 1) {
    const at = 132 + tag * 12;
    if (at + 12 > profile.byteLength) return false;
    const name = latin1(new Uint8Array(profile.buffer, profile.byteOffset + at, 4), 0, 4);
    places.set(name, profile.getUint32(at + 4));
  }
  return Object.entries(p3Colours).every(([name, colour]) => {
    const at = places.get(name);
    if (at === undefined || at + 20 > profile.byteLength) return false;
    return colour.every(
      (value, axis) => Math.abs(profile.getInt32(at + 8 + axis * 4) / 65_536 - value) < tolerance,
    );
  });
}
