/**
 * Whether the end of a picture is missing: a browser draws what is there and reports nothing.
 * @returns false for formats other than JPEG, PNG and WebP
 */
export function isCutOff(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12) return true;
  if (view.getUint16(0) === 0xffd8) return !hasEndOfImage(bytes, view);
  if (view.getUint32(0) === 0x89504e47) return !hasPngEnd(view);
  // RFC 9649, 2.3: the size of everything behind it.
  if (view.getUint32(0) === 0x52494646) return view.getUint32(4, true) + 8 > bytes.length;
  return false;
}

/**
 * ITU T.81, B.1.1: FF D9 ends the image, and stands nowhere else behind the start of its scan.
 * Cameras write more files behind it.
 */
function hasEndOfImage(bytes: Uint8Array, view: DataView): boolean {
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xda) break;
    const isBare = marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += isBare ? (marker === 0xff ? 1 : 2) : 2 + view.getUint16(at + 2);
  }
  for (at = bytes.indexOf(0xff, at); at >= 0; at = bytes.indexOf(0xff, at + 1))
    if (bytes[at + 1] === 0xd9) return true;
  return false;
}

/** PNG specification, 5.3: chunks with their lengths, the last one IEND. */
function hasPngEnd(view: DataView): boolean {
  for (let at = 8; at + 12 <= view.byteLength; at += 12 + view.getUint32(at))
    if (view.getUint32(at + 4) === 0x49454e44) return true;
  return false;
}
