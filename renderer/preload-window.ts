import type { HtmlTagDescriptor, Plugin } from 'vite';

/** What the entry loads once it has said what may become a script (`main.ts`). */
const windowModule = '/open-window.ts';

/**
 * Lets the browser fetch the window's scripts and styles beside its entry, which asks for them
 * later. A script that is only fetched runs nothing.
 */
export function preloadWindow(): Plugin {
  return {
    name: 'preload-window',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const window = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(windowModule));
        if (!window) throw new Error('the window is in no chunk of its own');
        const wanted = new Set([window.fileName]);
        for (const name of wanted)
          for (const other of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
            wanted.add(other);
        // Those of the entry itself are in the page already.
        for (const { isEntry, imports } of chunks)
          if (isEntry) for (const name of imports) wanted.delete(name);
        return [...wanted].map((name): HtmlTagDescriptor => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${name}` },
          injectTo: 'head',
        }));
      },
    },
  };
}
