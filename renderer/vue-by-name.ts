import type { Plugin } from 'vite';

const file = '/@vuetify/v0/dist/utilities/instance.mjs';

/**
 * Vuetify looks for an export of Vue 3.6 in all that Vue exports, so all of Vue would come before
 * the first list, and a helper of the bundler in a file of its own for it (decision 0061). The Vue
 * that is built in does not have that export.
 */
export function vueByName(): Plugin {
  return {
    name: 'vue-by-name',
    apply: 'build',
    transform: (code, id) =>
      id.endsWith(file) ? { code: withoutNamespace(code), map: null } : null,
  };
}

/** @throws where the file is no longer what it was, so that this is looked at again */
export function withoutNamespace(code: string): string {
  const named = code
    .replace('import * as Vue from "vue";', 'import { getCurrentInstance } from "vue";')
    .replace('const vueExports = Vue;', '')
    .replace('if (INSTANCE_KEY in vueExports) return vueExports[INSTANCE_KEY];', '')
    .replace('Vue.getCurrentInstance()', 'getCurrentInstance()');
  if (/\bVue\b|vueExports/.test(named.replaceAll(/\/\*[^]*?\*\//g, '')))
    throw new Error(`${file} uses Vue in a way that is not known`);
  return named;
}
