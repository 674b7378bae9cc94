import { encode } from 'uqr';

/** The light margin around a code, in modules (ISO/IEC 18004). */
const margin = 4;

/** A QR code as the path of an SVG. */
export interface QrPath {
  /** The length of a side with the margin, in modules. */
  readonly size: number;
  /** The dark modules. */
  readonly path: string;
}

export function qrPath(text: string): QrPath {
  const { data, size } = encode(text, { ecc: 'M', border: margin });
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { size, path: dark.join('') };
}
