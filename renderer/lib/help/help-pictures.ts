/** The addresses of all pictures by their path. The test `help-pictures` takes them. */
const addresses = import.meta.glob<string>('../../../docs/images/help/*/*.webp', {
  query: '?url',
  import: 'default',
  eager: true,
});

/**
 * Returns the address of a picture of the help.
 * @param path from the folder of the guide
 */
export const pictureUrl = (path: string, isDark: boolean): string | undefined =>
  addresses[`../../../docs/${isDark ? path.replace(/\.webp$/, '-dark.webp') : path}`];
