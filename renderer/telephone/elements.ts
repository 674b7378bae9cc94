export type Props<Name extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Name], 'children' | 'style'>
>;

/** A text with its parameters. */
export const say = (text: string, params: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => String(params[name] ?? ''));

/** Makes an element. Texts are only ever set as text. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  props: Props<Name> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), props);
  element.append(...children);
  return element;
}
