import { dirname } from 'node:path';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';
import vuetify from 'vite-plugin-vuetify';
import { firstLoad } from './first-load.ts';
import { licences } from './licences.ts';
import { pdfAssets } from './pdf-assets.ts';
import { preloadScripts } from './preload-scripts.ts';
import { themeCss } from './theme-css.ts';
import { vueByName } from './vue-by-name.ts';

const first = firstLoad();

/**
 * The window's build. Paths are relative, so the same files are served over http and over the
 * desktop shell's own protocol; nothing is inlined, so the content security policy stays strict.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [
    vue(),
    vuetify(),
    pdfAssets(),
    themeCss(),
    first.plugin,
    vueByName(),
    preloadScripts(),
    licences(dirname(import.meta.dirname)),
  ],
  define: {
    __VUE_OPTIONS_API__: 'true',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_I18N_LEGACY_API__: 'false',
    __INTLIFY_PROD_DEVTOOLS__: 'false',
  },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: ['chrome120', 'firefox125', 'safari17.4'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            first.group,
            // One file for what several pages use, and not one of a few bytes for each part of it.
            { name: 'shared', minShareCount: 3 },
          ],
        },
      },
    },
  },
});
