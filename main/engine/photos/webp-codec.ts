import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import createWebp from '@jsquash/webp/codec/dec/webp_dec.js';
import { imageSizeOf } from '#shared/photos/photo-bytes.ts';

/** Four bytes each in the decoder, and as many here. */
const pixelsMax = 40_000_000;

let loading: ReturnType<typeof createWebp> | null = null;

function loadDecoder() {
  // The decoder makes its answer with the browser's class, and nobody looks at the pixels.
  Object.assign(globalThis, { ImageData: Object });
  const { resolve } = createRequire(import.meta.url);
  const file = resolve('@jsquash/webp/codec/dec/webp_dec.wasm');
  return createWebp({ wasmBinary: readFileSync(file), noInitialRun: true });
}

/** Whether libwebp decodes a WebP to its end; false for one that is too large. */
export async function isDecodableWebp(bytes: Uint8Array): Promise<boolean> {
  const size = imageSizeOf(bytes);
  if (!size || size.width * size.height > pixelsMax) return false;
  const decoder = await (loading ??= loadDecoder());
  return decoder.decode(bytes) !== null;
}
