/*
 * FTS5's tokenizer unicode61 with remove_diacritics 2, for a database that has another one: runs
 * of letters, digits and private characters, lower case, without accents.
 */

const tokens = /[\p{L}\p{N}\p{Co}]+/gu;

/** The tokens of a text, in their order. */
export function searchTokens(text: string): string[] {
  const plain = text
    .normalize('NFD')
    // Of Latin letters only: in other alphabets the mark makes another letter.
    .replaceAll(/([a-zA-Z])[\u0300-\u036f]+/g, '$1')
    .normalize('NFC')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ſ', 's')
    // At the end of a word a capital sigma becomes another letter.
    .replaceAll('ς', 'σ');
  return plain.match(tokens) ?? [];
}
