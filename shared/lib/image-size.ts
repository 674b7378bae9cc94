/** Size of a picture in pixels as it is stored, before any turning by EXIF. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Reads a picture's size out of the beginning of its bytes, without decoding anything: a file of a
 * few KB can claim 30,000 x 30,000 pixels, which would take 3.6 GB.
 * @param head the first bytes; of a JPEG, metadata may stand before the size
 * @returns null if the bytes are no JPEG, PNG or WebP, or end too early
 */
export function imageSizeOf(head: Uint8Array): ImageSize | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const size = pngSize(view) ?? jpegSize(view) ?? webpSize(view);
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

/** PNG specification, 11.2.2: IHDR is the first chunk. */
function pngSize(view: DataView): ImageSize | null {
  if (view.byteLength < 24 || view.getUint32(0) !== 0x89504e47) return null;
  if (view.getUint32(12) !== 0x49484452) return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** ITU T.81, B.2.2: the size stands in the frame header; other segments may come before it. */
function jpegSize(view: DataView): ImageSize | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame =
      marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    const isBare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    const length = isBare ? 0 : view.getUint16(at + 2);
    if (!isBare && length < 2) return null;
    at += 2 + length;
  }
  return null;
}

/** RFC 9649, 2.5 to 2.7. */
function webpSize(view: DataView): ImageSize | null {
  if (view.byteLength < 30 || view.getUint32(0) !== 0x52494646) return null;
  if (view.getUint32(8) !== 0x57454250) return null;
  switch (view.getUint32(12)) {
    case 0x56503820: // 'VP8 '
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case 0x5650384c: {
      // 'VP8L': 14 bits each, less one
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 0x56503858: {
      // 'VP8X': 24 bits each, less one
      const three = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
      return { width: three(24) + 1, height: three(27) + 1 };
    }
    default:
      return null;
  }
}
