import type { PageBox } from '#shared/lib/find-totals.ts';
import { prepareZXingModule, readBarcodes, type ReadInputBarcodeFormat } from 'zxing-wasm/reader';

/** A code in a picture. */
export interface FoundCode {
  readonly text: string;
  /** The upright box around the code. */
  readonly box: PageBox;
}

/** The members of an ImageData that are read. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** Reads QR codes and barcodes in pictures. */
export interface CodeReader {
  /** @throws if the pixels are not those of a picture */
  readonly read: (
    pixels: Pixels,
    formats: ReadInputBarcodeFormat[],
  ) => Promise<readonly FoundCode[]>;
}

/** The most codes of a picture that are read. */
const codesMax = 16;

/**
 * Starts ZXing. It gets pixels only, so no file from outside reaches its own decoders, and returns
 * only codes whose check or error correction came out right.
 */
export async function openCodeReader(wasmBinary: Uint8Array<ArrayBuffer>): Promise<CodeReader> {
  await prepareZXingModule({
    overrides: { wasmBinary: wasmBinary.buffer },
    fireImmediately: true,
  });
  return {
    async read(pixels, formats) {
      const picture = pixels as Parameters<typeof readBarcodes>[0];
      const found = await readBarcodes(picture, { formats, maxNumberOfSymbols: codesMax });
      return found
        .filter(({ isValid }) => isValid)
        .map(({ text, position }) => ({ text, box: boxOf(Object.values(position), pixels) }));
    },
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function boxOf(corners: readonly Point[], { width, height }: Pixels): PageBox {
  const across = corners.map(({ x }) => within(x / width));
  const down = corners.map(({ y }) => within(y / height));
  const [left, top] = [Math.min(...across), Math.min(...down)];
  return { left, top, width: Math.max(...across) - left, height: Math.max(...down) - top };
}

/** The part of a box that is outside the picture is cut off. */
const within = (share: number) => Math.min(1, Math.max(0, share));
