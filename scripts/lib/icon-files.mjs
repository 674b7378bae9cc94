/** Sizes of a Windows icon; larger ones are never shown. */
const icoSizes = [16, 24, 32, 48, 64, 128, 256];

/** Types of an Apple icon's pictures by their size in pixels; the @2x ones repeat a size. */
const icnsTypes = [
  ['icp4', 16],
  ['icp5', 32],
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
];

/**
 * A Windows icon whose pictures are PNG files (since Vista).
 *
 * @param {ReadonlyMap<number, Buffer>} pngs by size
 * @returns {Buffer}
 */
export function ico(pngs) {
  const head = Buffer.alloc(6);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(icoSizes.length, 4);
  let offset = 6 + 16 * icoSizes.length;
  const entries = icoSizes.map((size) => {
    const png = pngs.get(size);
    const entry = Buffer.alloc(16);
    // 256 is written as 0.
    entry.writeUInt8(size % 256, 0);
    entry.writeUInt8(size % 256, 1);
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += png.length;
    return entry;
  });
  return Buffer.concat([head, ...entries, ...icoSizes.map((size) => pngs.get(size))]);
}

/**
 * An Apple icon.
 *
 * @param {ReadonlyMap<number, Buffer>} pngs by size
 * @returns {Buffer}
 */
export function icns(pngs) {
  const parts = icnsTypes.map(([type, size]) => block(type, pngs.get(size)));
  return block('icns', Buffer.concat(parts));
}

function block(type, content) {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(content.length + 8, 4);
  return Buffer.concat([head, content]);
}
