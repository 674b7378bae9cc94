/** The part of Trusted Types that is used here. TypeScript's own library does not have it yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: {
      createHTML(text: string): string | null;
      createScriptURL(address: string): string | null;
    },
  ): void;
}

/**
 * Limits what a string may become under a content security policy with trusted types. Markup may be
 * set to a text without a tag, because a library empties its element like this. A worker may be
 * started from an address of this very program, which a file of a case never is. Nothing becomes a
 * script. Vue has a separate policy for its compiled templates.
 */
export function limitTrustedTypes(page: Window & { readonly trustedTypes?: TrustedTypes }): void {
  page.trustedTypes?.createPolicy('default', {
    createHTML: (text) => (text.includes('<') ? null : text),
    createScriptURL: (address) => {
      const { href } = new URL('.', page.document.baseURI);
      const asked = new URL(address, page.document.baseURI).href;
      return asked.startsWith(href) && !isFile(asked.slice(href.length)) ? address : null;
    },
  });
}

/** Whether a path beneath the page, in any spelling, is that of a file. */
function isFile(path: string): boolean {
  try {
    return /^\/*files\//.test(decodeURIComponent(path));
  } catch {
    return true;
  }
}

limitTrustedTypes(window);
// As soon as Zod is loaded, it tries whether it may compile schemas, which the browser reports as
// an attack. Its `config` caches the answer here; importing that would load Zod too early.
Reflect.set(globalThis, '__zod_globalConfig', { jitless: true });
