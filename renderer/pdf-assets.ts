import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** What pdf.js fetches while it draws: character maps, standard fonts, colour profiles, decoders. */
const folders = ['cmaps', 'standard_fonts', 'iccs', 'wasm'];

const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/**
 * Puts pdf.js's own files beside the page, under `pdfjs/`. Of the image decoders only the plain
 * JavaScript ones are taken, because the content security policy allows no WebAssembly.
 */
export function pdfAssets(): Plugin {
  return {
    name: 'pdf-assets',
    apply: 'build',
    async generateBundle() {
      for (const folder of folders) {
        for (const name of await readdir(join(root, folder))) {
          if (name.endsWith('.wasm') || name === 'quickjs-eval.js') continue;
          this.emitFile({
            type: 'asset',
            fileName: `pdfjs/${folder}/${name}`,
            source: await readFile(join(root, folder, name)),
          });
        }
      }
    },
  };
}
