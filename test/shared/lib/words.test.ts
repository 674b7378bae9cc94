import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  firstWordAt,
  foldInPlace,
  foldText,
  indexedText,
  indexedWords,
  markHits,
  wordsFilter,
  wordsFoundIn,
  wordsOf,
} from '#shared/lib/words.ts';

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

describe('the words of a text', () => {
  const unit = fc.constantFrom(
    ...[
      'a',
      'ä',
      'Ä',
      'b',
      'B',
      'x',
      '1',
      '٣',
      'ß',
      '-',
      '.',
      ' ',
      '\n',
      '\u0308',
      '\u0301',
      '𝒳',
      '한',
    ],
  );
  const text = fc.oneof(
    fc.string({ unit, maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
  );
  const beginning = fc
    .string({ unit, minLength: 1, maxLength: 3 })
    .map((word) => foldText(wordsOf(word).join('')))
    .filter((word) => word !== '');

  it('are found as if each was folded by itself', () => {
    fc.assert(
      fc.property(text, fc.array(beginning, { maxLength: 3 }), (all, wanted) => {
        const words = wordsOf(all).map(foldText);
        const whole = foldText(wordsOf(all).join(''));
        expect(wordsFoundIn(all, wanted)).toEqual(
          wanted.filter((one) => [...words, whole].some((word) => word.startsWith(one))),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('have their place in a composed text', () => {
    const composed = fc
      .string({ unit, maxLength: 40 })
      .map((all) => all.normalize('NFC').replaceAll(/\p{M}|한|ß/gu, ''));
    fc.assert(
      fc.property(composed, fc.array(beginning, { minLength: 1, maxLength: 3 }), (all, wanted) => {
        const places = [...all.matchAll(/[\p{L}\p{N}]+/gu)];
        const first = places.find(([word]) => wanted.some((one) => foldText(word).startsWith(one)));
        expect(firstWordAt(all, wanted)).toBe(first?.index ?? -1);
      }),
      { numRuns: 2000 },
    );
  });
});

it('finds no place behind a mark, which parts no words', () => {
  expect(firstWordAt('x\u0301yz yz', ['yz'])).toBe(5);
});

it('lets texts through that have every word', () => {
  const texts = ['Einstellungen: Darstellung', 'Übung', 'Warteschlange'];
  const found = (q: string) => texts.filter(wordsFilter(q));
  expect(found('dar einst')).toEqual(['Einstellungen: Darstellung']);
  expect(found('UBUNG')).toEqual(['Übung']);
  expect(found('schlange')).toEqual([]);
  expect(found(' ')).toHaveLength(3);
});

describe('the index of the search', () => {
  const finds = (text: string, q: string) => {
    const words = wordsOf(indexedText(text));
    return indexedWords(q).every((word) => words.some((one) => one.startsWith(word)));
  };
  it.each([
    ['a word cut at a line’s end', 'der Kot- flügel vorne', 'kotflügel'],
    ['its parts', 'der Kot- flügel vorne', 'flügel'],
    ['a word with soft hyphens', 'Scha\u00adden\u00adbe\u00adtrag', 'schadenbetrag'],
    ['a word cut at a soft hyphen', 'Scheinwer\u00ad\nfer', 'scheinwerfer'],
    ['ß by ss', 'Hauptstraße 5', 'hauptstrasse'],
    ['ss by ß', 'Hauptstrasse 5', 'Hauptstraße'],
    ['œ by oe', "main-d'œuvre", 'oeuvre'],
    ['oe by œ', "main-d'oeuvre", 'Œuvre'],
    ['letters of full width', 'ＺＨ１２３', 'zh123'],
    ['letters typed in full width', 'ZH123', 'ＺＨ１２'],
    ['a ligature', 'ﬁlière', 'filiere'],
  ])('finds %s', (_, text, q) => {
    expect(finds(text, q)).toBe(true);
  });

  it('joins no words of a list, and makes words of words only', () => {
    expect(finds('Ein- und Ausbau', 'ausbau')).toBe(true);
    expect(finds('Teile - Lack', 'teilelack')).toBe(false);
    expect(indexedWords('½ Ⅷ')).toEqual(['1', '2', 'viii']);
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

  it.each(['Élodie', 'ZÜRICH', 'Łódź'])('says of %s what the search says', (word) => {
    expect(foldInPlace(word)).toBe(foldText(word));
  });

  it('keeps a mark that stands by itself', () => {
    expect(foldInPlace('E\u0301t')).toBe('e\u0301t');
    expect(foldText('E\u0301t')).toBe('et');
  });
});

describe('folding', () => {
  it.each([
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['ÉCOLE', 'ecole'],
    ['e\u0301cole', 'ecole'],
    ['İzmir', 'izmir'],
    ['ﬁn', 'fin'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'οδοσ'],
  ])('folds %s to %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('says the same of a folded text, and of two texts and both together', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(foldText(foldText(one))).toBe(foldText(one));
        expect(foldText(`${one}\n${other}`)).toBe(`${foldText(one)}\n${foldText(other)}`);
      }),
    );
  });
});
