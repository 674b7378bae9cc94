/** The part of Trusted Types that is used here; TypeScript's own library does not have it yet. */
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
 * Says what a string may still become where the content security policy requires trusted types:
 * text without a tag where markup is set (a library empties its element so), and an address of
 * this very program where a worker is started. Nothing becomes a script. Vue has a policy of its
 * own for the markup of its compiled templates.
 */
export function limitTrustedTypes(page: Window & { readonly trustedTypes?: TrustedTypes }): void {
  // Zod tries whether it may compile schemas as soon as it is loaded, which the browser reports as
  // an attack. This is where its `config` keeps the answer; importing that would load it too early.
  Reflect.set(globalThis, '__zod_globalConfig', { jitless: true });
  page.trustedTypes?.createPolicy('default', {
    createHTML: (text) => (text.includes('<') ? null : text),
    createScriptURL: (address) => {
      const { href } = new URL('.', page.document.baseURI);
      return new URL(address, page.document.baseURI).href.startsWith(href) ? address : null;
    },
  });
}
