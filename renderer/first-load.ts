import type { Plugin } from 'vite';

const entryModule = '/renderer/main.ts';

/** What the first list does without, because it takes longer than all the rest (decision 0054). */
const notFirst = /\/node_modules\/(vuetify\/(?!lib\/locale\/)|@vuetify\/|zod\/).*\.m?js$/;

/**
 * What the window loads before its first list: all that the entry imports other than on demand, in
 * one file. The build fails where that is too much.
 */
export function firstLoad() {
  const first = new Set<string>();
  const plugin: Plugin = {
    name: 'first-load',
    apply: 'build',
    buildEnd(error) {
      if (error) return;
      for (const id of this.getModuleIds()) if (id.endsWith(entryModule)) first.add(id);
      for (const id of first)
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) {
          if (notFirst.test(imported))
            throw new Error(`${id} loads ${imported} before the first list`);
          first.add(imported);
        }
    },
  };
  /** For the bundler: which modules go together. */
  const group = {
    name: 'first',
    test: (id: string) => first.has(id),
    priority: 1,
  };
  return { plugin, group };
}
