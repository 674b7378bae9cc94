import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldInPlace, foldText, markHits, wordsFoundIn } from '#shared/lib/words.ts';

const marked = (text: string, q: string) =>
  markHits(text, q)
    .map((part) => (part.hit ? `[${part.text}]` : part.text))
    .join('');

describe('marking what a search found', () => {
  it.each([
    ['the beginning of a word', 'Zoé Müller', 'mül', 'Zoé [Mül]ler'],
    ['letters without accents', 'Élodie Chappuis', 'elo', '[Élo]die Chappuis'],
    ['every word', 'Zoé Müller', 'mu zo', '[Zo]é [Mü]ller'],
    ['the longest of several', 'Müller', 'm mull', '[Müll]er'],
    ['an identifier typed without its gaps', 'ZH 123 456', 'zh1234', '[ZH 123 456]'],
    ['nothing in the middle of a word', 'Hagelschaden', 'schaden', 'Hagelschaden'],
    ['nothing for no words', 'Müller', ' - ', 'Müller'],
  ])('marks %s', (_, text, q, expected) => {
    expect(marked(text, q)).toBe(expected);
  });

  it('never loses or adds a letter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ maxLength: 8 }), (text, q) => {
        const parts = markHits(text, q);
        expect(parts.map((part) => part.text).join('')).toBe(text.normalize('NFC'));
      }),
    );
  });

  it('tells which words a text explains', () => {
    expect(wordsFoundIn('ZH 123 456', ['zh123', 'zh', 'be'])).toEqual(['zh123', 'zh']);
  });
});

describe('folding in place', () => {
  it('keeps every place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(foldInPlace(text)).toHaveLength(text.length);
      }),
    );
  });

  it.each(['Élodie', 'ZÜRICH', 'Straße', 'Łódź'])('says of %s what the search says', (word) => {
    expect(foldInPlace(word)).toBe(foldText(word));
  });

  it('keeps a mark that stands by itself', () => {
    expect(foldInPlace('E\u0301t')).toBe('e\u0301t');
    expect(foldText('E\u0301t')).toBe('et');
  });
});
