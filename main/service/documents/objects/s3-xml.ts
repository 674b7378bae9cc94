const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/**
 * The texts of all elements of a name, in their order. Enough for what is read of the storage's
 * answers, whose elements hold either text or elements and whose names say what they are: ids of
 * uploads, keys, codes of errors.
 */
export function elementTexts(xml: string, name: string): string[] {
  const elements = xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'));
  return [...elements].map(([, text = '']) =>
    text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, entity) => {
      if (typeof entity === 'string') return entities[entity] ?? whole;
      return String.fromCodePoint(
        typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal),
      );
    }),
  );
}
