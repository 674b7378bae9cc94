import fc from 'fast-check';

/*
 * Files that are broken on purpose: cut, with repeated, missing or swapped parts, with changed
 * bytes and lengths, and with offsets that point elsewhere.
 */

const numbers = [0, 1, 8, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xfffffff0, 0xffffffff];

type Change = (bytes: Buffer) => Buffer;

const at = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const placeIn = (bytes: Buffer, part: number) => Math.floor(part * bytes.length);
const between = (bytes: Buffer, one: number, other: number): [number, number] => {
  const places = [placeIn(bytes, one), placeIn(bytes, other)].sort((a, b) => a - b);
  return [places[0] ?? 0, Math.min(places[1] ?? 0, (places[0] ?? 0) + 4096)];
};

const cut = at.map(
  (part): Change =>
    (bytes) =>
      bytes.subarray(0, placeIn(bytes, part)),
);
const changed = fc.tuple(at, fc.nat(255)).map(([part, value]): Change => (bytes) => {
  const copy = Buffer.from(bytes);
  if (copy.length > 0) copy.writeUInt8(value, placeIn(copy, part));
  return copy;
});
const repeated = fc
  .tuple(at, at, fc.integer({ min: 1, max: 50 }))
  .map(([one, other, times]): Change => (bytes) => {
    const [from, to] = between(bytes, one, other);
    const copies = Array.from({ length: times }, () => bytes.subarray(from, to));
    return Buffer.concat([bytes.subarray(0, to), ...copies, bytes.subarray(to)]);
  });
const leftOut = fc.tuple(at, at).map(([one, other]): Change => (bytes) => {
  const [from, to] = between(bytes, one, other);
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
});
const swapped = fc.tuple(at, at, at).map((parts): Change => (bytes) => {
  const [a = 0, b = 0, c = 0] = parts.map((part) => placeIn(bytes, part)).sort((x, y) => x - y);
  return Buffer.concat([
    bytes.subarray(0, a),
    bytes.subarray(b, c),
    bytes.subarray(a, b),
    bytes.subarray(c),
  ]);
});
/** Changes a length, a count or an offset. Most of them are in the head of a file. */
const number = fc
  .tuple(at, fc.boolean(), fc.constantFrom(2, 4), fc.constantFrom(...numbers), fc.boolean())
  .map(([part, isLittle, size, value, isInHead]): Change => (bytes) => {
    const copy = Buffer.from(bytes);
    const room = (isInHead ? Math.min(copy.length, 256) : copy.length) - size;
    if (room <= 0) return copy;
    const place = Math.floor(part * room);
    const cutValue = size === 2 ? value % 0x10000 : value;
    if (isLittle) copy.writeUIntLE(cutValue, place, size);
    else copy.writeUIntBE(cutValue, place, size);
    return copy;
  });
/** Copies an offset to another one, which can make a loop. */
const loop = fc.tuple(at, at, fc.boolean()).map(([from, to, isLittle]): Change => (bytes) => {
  const copy = Buffer.from(bytes);
  if (copy.length < 8) return copy;
  const place = Math.floor(from * (copy.length - 4));
  if (isLittle) copy.writeUInt32LE(placeIn(copy, to), place);
  else copy.writeUInt32BE(placeIn(copy, to), place);
  return copy;
});

/** Generates files from these, each broken in one to four ways. */
export const brokenFiles = (whole: readonly Buffer[]): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.constantFrom(...whole),
      fc.array(fc.oneof(cut, changed, repeated, leftOut, swapped, number, loop), {
        minLength: 1,
        maxLength: 4,
      }),
    )
    .map(([file, changes]) => changes.reduce((bytes, change) => change(bytes), file));
