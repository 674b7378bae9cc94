import type { HtmlTagDescriptor, Plugin } from 'vite';

const entryModule = '/renderer/main.ts';

/** What the entry loads once it has opened the line to the engine. */
const windowModule = '/renderer/open-window.ts';

/** What the first list does without, because it takes longer than all the rest (decision 0054). */
const notFirst = /\/node_modules\/(vuetify\/(?!lib\/locale\/)|@vuetify\/|zod\/).*\.m?js$/;

/**
 * What the window loads before its first list: all that the entry and `open-window.ts` import other
 * than on demand. Each makes one file, and the page fetches both at once. A script that is only
 * fetched runs nothing.
 */
export function firstLoad() {
  let entry: ReadonlySet<string> = new Set();
  let first: ReadonlySet<string> = new Set();
  const plugin: Plugin = {
    name: 'first-load',
    apply: 'build',
    buildEnd(error) {
      if (error) return;
      const importedBy = (module: string) => {
        const roots = [...this.getModuleIds()].filter((id) => id.endsWith(module));
        const found = new Set(roots);
        for (const id of found)
          for (const imported of this.getModuleInfo(id)?.importedIds ?? []) {
            if (notFirst.test(imported))
              throw new Error(`${id} loads ${imported} before the first list`);
            found.add(imported);
          }
        for (const id of roots) found.delete(id);
        return found;
      };
      entry = importedBy(entryModule);
      first = importedBy(windowModule);
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const window = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(windowModule));
        if (!window) throw new Error('the window is in no chunk of its own');
        const links = new Map([[window.fileName, 'modulepreload']]);
        for (const name of links.keys()) {
          const chunk = chunks.find(({ fileName }) => fileName === name);
          for (const imported of chunk?.imports ?? []) links.set(imported, 'modulepreload');
          for (const sheet of chunk?.viteMetadata?.importedCss ?? [])
            links.set(sheet, 'stylesheet');
        }
        return [...links]
          .filter(([name]) => !html.includes(name))
          .map(([name, rel]): HtmlTagDescriptor => ({
            tag: 'link',
            attrs: { rel, crossorigin: true, href: `./${name}` },
            injectTo: 'head',
          }));
      },
    },
  };
  /** For the bundler: which modules go together. */
  const groups = [
    {
      name: 'entry',
      test: (id: string) => entry.has(id) || id.startsWith('\0rolldown/'),
      priority: 2,
    },
    { name: 'first', test: (id: string) => first.has(id), priority: 1 },
  ];
  return { plugin, groups };
}
