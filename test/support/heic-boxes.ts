/*
 * The boxes of a HEIC that contain its size and colours (ISO/IEC 14496-12). The file has no
 * picture.
 */

const box = (type: string, ...content: readonly Uint8Array[]) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(8 + content.reduce((sum, one) => sum + one.length, 0));
  return Buffer.concat([length, Buffer.from(type, 'latin1'), ...content]);
};
const longs = (...numbers: readonly number[]) => {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, at) => bytes.writeInt32BE(number, at * 4));
  return bytes;
};

interface HeicParts {
  readonly width: number;
  readonly height: number;
  readonly prof?: Uint8Array;
  /** The number of the colour primaries (ITU-T H.273). */
  readonly nclx?: number;
}

export function heicOf({ width, height, prof, nclx }: HeicParts): Uint8Array {
  const size = box('ispe', longs(0, width, height));
  const profiles = prof ? [box('colr', Buffer.from('prof'), prof)] : [];
  const numbers = Buffer.from([0, nclx ?? 0, 0, 13, 0, 6, 0x80]);
  const codes = nclx === undefined ? [] : [box('colr', Buffer.from('nclx'), numbers)];
  const properties = box('iprp', box('ipco', size, ...profiles, ...codes));
  const brand = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'));
  return new Uint8Array(Buffer.concat([brand, box('meta', longs(0), properties)]));
}

/** Builds a profile from its red, green and blue in X, Y, Z, rounded like that of a telephone. */
function profileOf(colours: Readonly<Record<string, readonly number[]>>): Uint8Array {
  const names = Object.keys(colours);
  const tags = names.map((name, at) =>
    Buffer.concat([Buffer.from(name), longs(132 + names.length * 12 + at * 20, 20)]),
  );
  const values = Object.values(colours).map((xyz) =>
    Buffer.concat([
      Buffer.from('XYZ \0\0\0\0', 'latin1'),
      longs(...xyz.map((value) => Math.round(value * 65_536))),
    ]),
  );
  return Buffer.concat([Buffer.alloc(128), longs(names.length), ...tags, ...values]);
}

export const appleProfile = () =>
  profileOf({
    rXYZ: [0.51512, 0.2412, -0.00105],
    gXYZ: [0.29198, 0.69225, 0.04189],
    bXYZ: [0.1571, 0.06657, 0.78407],
  });
export const standardProfile = () =>
  profileOf({
    rXYZ: [0.43607, 0.22249, 0.01392],
    gXYZ: [0.38515, 0.71687, 0.09708],
    bXYZ: [0.14307, 0.06061, 0.7141],
  });
