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
  /^(?:vue|@vue\/(?:reactivity|runtime-core|runtime-dom|shared)|vue-router|vue-i18n|@intlify\/(?:core-base|message-compiler|shared)|pinia|vuetify|@vuetify\/v0|@vueuse\/(?:core|shared)|@mdi\/js|echarts|zrender|tslib)$/;

/**
 * Whether a package may be in the window's bundle though npm counts it as a tool. The packages'
 * licence texts go by this too.
 */
export const isBundled = (name: string): boolean => bundled.test(name);

/** The name of the package that a path of a file, or of the lock file, lies in. */
const packageOf = (path: string) =>
  /^(?:@[^/]+\/)?[^/]+/.exec(path.slice(path.lastIndexOf(folder) + folder.length))?.[0] ?? path;

/**
 * The libraries of the program with their licences, from the lock file: a chunk of its own. A
 * library that gets into the bundle without being among them stops the build.
 */
export function licences(root: string): Plugin {
  const listed = new Set<string>();
  return {
    name: 'licences',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    async load(resolved) {
      if (resolved !== `\0${id}`) return undefined;
      const text = await readFile(join(root, 'package-lock.json'), 'utf8');
      const { packages } = lockSchema.parse(JSON.parse(text));
      const libraries = Object.entries(packages).flatMap(([path, entry]) => {
        const name = packageOf(path);
        if (!path.startsWith(folder) || (entry.dev && !isBundled(name))) return [];
        listed.add(name);
        return [{ name, version: entry.version ?? '', license: entry.license ?? '–' }];
      });
      libraries.sort((a, b) => a.name.localeCompare(b.name));
      return `export const libraries = ${JSON.stringify(libraries)};`;
    },
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((part) =>
        part.type === 'chunk' ? part.moduleIds : [],
      );
      // Begun with a zero are the builder's own small helpers.
      const ofPackages = modules.filter((id) => !id.startsWith('\0') && id.includes(folder));
      const missing = ofPackages.map(packageOf).filter((name) => !listed.has(name));
      if (missing.length > 0)
        this.error(`not among the licences: ${[...new Set(missing)].join(', ')}`);
    },
  };
}
