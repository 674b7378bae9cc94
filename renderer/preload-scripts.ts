import type { HtmlTagDescriptor, Plugin } from 'vite';

/**
 * Has the page ask for its module scripts as plain scripts, ahead of themselves. What Chromium asks
 * for as a module over HTTP it parses anew at each start, though the same lies compiled in the
 * profile; asked for as a script, it is taken from there (decision 0061).
 */
export function preloadScripts(): Plugin {
  return {
    name: 'preload-scripts',
    apply: 'build',
    transformIndexHtml: { order: 'post', handler: preloadsOf },
  };
}

/** A tag for each module script of the page; with `crossorigin` as there, or it is fetched twice. */
export function preloadsOf(html: string): HtmlTagDescriptor[] {
  const scripts = [...html.matchAll(/<script type="module" crossorigin src="([^"]+)">/g)];
  if (scripts.length === 0) throw new Error('the page has no module script as Vite writes them');
  return scripts.map(([, href]) => ({
    tag: 'link',
    attrs: { rel: 'preload', as: 'script', crossorigin: true, href },
    injectTo: 'head-prepend',
  }));
}
