interface ThemeHead {
  readonly style: readonly { readonly textContent: string }[];
}

/**
 * Takes Vuetify's theme rules into a constructed stylesheet instead of a `<style>` element, so that
 * the content security policy can do without 'unsafe-inline'. Vuetify hands its rules to whatever
 * is provided under `usehead`; this is the part of that interface which it calls.
 */
export function createThemeSheet(root: Document) {
  const sheet = new CSSStyleSheet();
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  const write = (head: () => ThemeHead) =>
    sheet.replaceSync(
      head()
        .style.map((style) => style.textContent)
        .join('\n'),
    );
  return {
    push(head: () => ThemeHead) {
      write(head);
      return { patch: write };
    },
  };
}
