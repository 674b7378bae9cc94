import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { z } from 'zod';

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
});

const id = 'virtual:licences';
const folder = 'node_modules/';

/** Bundled into the window although npm counts them as tools. */
const bundled =
  /^(?:vue|@vue\/.*|vue-router|vue-i18n|@intlify\/.*|pinia|vuetify|@vueuse\/.*|@mdi\/js|echarts|zrender)$/;

/** The libraries of the program with their licences, from the lock file: a chunk of its own. */
export function licences(root: string): Plugin {
  return {
    name: 'licences',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    async load(resolved) {
      if (resolved !== `\0${id}`) return undefined;
      const text = await readFile(join(root, 'package-lock.json'), 'utf8');
      const { packages } = lockSchema.parse(JSON.parse(text));
      const libraries = Object.entries(packages).flatMap(([path, entry]) => {
        const name = path.slice(path.lastIndexOf(folder) + folder.length);
        if (!path.startsWith(folder) || (entry.dev && !bundled.test(name))) return [];
        return [{ name, version: entry.version ?? '', license: entry.license ?? '–' }];
      });
      libraries.sort((a, b) => a.name.localeCompare(b.name));
      return `export const libraries = ${JSON.stringify(libraries)};`;
    },
  };
}
