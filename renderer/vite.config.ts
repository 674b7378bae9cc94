import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import vue from '@vitejs/plugin-vue';
import { defineConfig, type Plugin } from 'vite';
import vuetify from 'vite-plugin-vuetify';

/**
 * Copies the files that pdf.js fetches while it draws next to the page, under `pdfjs/`. Of the
 * image decoders only those in plain JavaScript are copied, because the content security policy
 * allows no WebAssembly.
 */
function pdfAssets(): Plugin {
  const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  return {
    name: 'pdf-assets',
    apply: 'build',
    async generateBundle() {
      for (const folder of ['cmaps', 'standard_fonts', 'iccs', 'wasm'])
        for (const name of await readdir(join(root, folder))) {
          if (name.endsWith('.wasm') || name === 'quickjs-eval.js') continue;
          this.emitFile({
            type: 'asset',
            fileName: `pdfjs/${folder}/${name}`,
            source: await readFile(join(root, folder, name)),
          });
        }
    },
  };
}

/**
 * Writes the names of the workers' libraries to a file next to `bundled.json`, which has only those
 * of the window's own bundle.
 */
function workerLibraries(): { inWorkers: Plugin; inWindow: Plugin } {
  const names = new Set<string>();
  const inWorkers: Plugin = {
    name: 'worker-libraries',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        const ids = file.type === 'chunk' ? file.moduleIds : [];
        for (const id of ids) {
          const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
          if (name !== undefined) names.add(name);
        }
      }
    },
  };
  const inWindow: Plugin = {
    name: 'worker-libraries-list',
    apply: 'build',
    generateBundle() {
      const source = JSON.stringify([...names].map((name) => ({ name })));
      this.emitFile({ type: 'asset', fileName: 'bundled-in-workers.json', source });
    },
  };
  return { inWorkers, inWindow };
}

/**
 * Preloads the scripts of the start as scripts, before the page requests them as modules. Only then
 * does Chromium (150) reuse its compiled code. Without this, it parses a module again at each
 * start.
 */
function preloadAsScripts(): Plugin {
  return {
    name: 'preload-as-scripts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { chunk }) {
        const files = chunk ? [chunk.fileName, ...chunk.imports] : [];
        return files.map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'script', crossorigin: true, href: `./${file}` },
          injectTo: 'head-prepend' as const,
        }));
      },
    },
  };
}

const { inWorkers, inWindow } = workerLibraries();

/**
 * The window's build. Paths are relative, so the same files are served over http and over the
 * desktop shell's own protocol; nothing is inlined, so the content security policy stays strict.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [vue(), vuetify(), pdfAssets(), preloadAsScripts(), inWindow],
  define: {
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_I18N_LEGACY_API__: 'false',
    __INTLIFY_PROD_DEVTOOLS__: 'false',
  },
  // A worker loads the decoder of HEIC and TIFF only for such a file.
  worker: {
    format: 'es',
    plugins: () => [inWorkers],
    // The window recognizes by this name what its workers import.
    rolldownOptions: { output: { chunkFileNames: 'assets/in-worker-[name]-[hash].js' } },
  },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: ['chrome120', 'firefox125', 'safari17.4'],
    assetsInlineLimit: 0,
    // All styles are in one file. A style sheet that is loaded later could be another server's,
    // because no import map has digests of style sheets.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Everything that each start needs is in one file. vue-router throws and catches an error
          // when it starts, for which Chromium parses the whole file once more, so it has a
          // separate file.
          groups: [
            { name: 'vue-router', test: /node_modules\/vue-router\//, priority: 1 },
            { name: 'start', tags: ['$initial'] },
          ],
        },
      },
    },
    // The libraries that the bundle contains, for the list in the settings (scripts/lib/legal.mjs).
    license: { fileName: 'bundled.json' },
  },
});
