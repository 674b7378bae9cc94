import fc from 'fast-check';
import { toNormalForm } from '#shared/lib/normal-form.ts';
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
  wordsToIndex,
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

describe('words that are cut at the end of a line', () => {
  it.each([
    ['Kosten-\nvoranschlag', 'kostenvoranschlag'],
    ['Kosten\u00ad\nvor-\n anschlag', 'voranschlag'],
    ['Haus- und Hof', 'hausund'],
  ])('are found whole and cut in %j', (text, whole) => {
    expect(indexedText(text).split(' ')).toContain(whole);
    expect(wordsToIndex(text).split(' ')).toContain(whole);
  });

  it('are none if a part is longer than words are', () => {
    expect(wordsToIndex(`${'a'.repeat(200)}-\n${'b'.repeat(200)}`).split(' ')).toHaveLength(3);
  });
});

/** What a partner may send instead of a text, in pieces that are repeated. */
const hostile = ['a', 'a ', 'ab-\n', 'a\u00ad', '\u0301\u0323', 'a\u0301', '字', 'ﬃ', '🚗', ' '];

describe('work on the words of a text', () => {
  const works: Readonly<Record<string, (text: string) => unknown>> = {
    indexedText,
    wordsToIndex,
    foldText,
    foldInPlace,
    toNormalForm: (text) => toNormalForm(text, 'NFKC'),
    firstWordAt: (text) => firstWordAt(text, ['a', 'zz']),
    wordsFoundIn: (text) => wordsFoundIn(text, ['a', 'aa', 'b', 'zz']),
    markHits: (text) => markHits(text, 'a aa b zz'),
    wordsFilter: (text) => wordsFilter('a aa b zz')(text),
  };

  it.each(Object.entries(works))('ends soon, whatever the text: %s', (_, work) => {
    for (const piece of hostile) {
      const text = piece.repeat(Math.ceil(100_000 / piece.length));
      const before = process.threadCpuUsage();
      work(text);
      const { user } = process.threadCpuUsage(before);
      // In a square this takes seconds.
      expect(user / 1000, JSON.stringify(piece)).toBeLessThan(500);
    }
  });
});

describe('the normal form of a text', () => {
  it('is that of Unicode, unless a letter has more marks than any has', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(toNormalForm(text, 'NFC')).toBe(text.normalize('NFC'));
      }),
    );
    expect(toNormalForm(`a${'\u0323'.repeat(31)}b`, 'NFD')).toBe(`a${'\u0323'.repeat(30)}b`);
  });
});

describe('the words that enter the index', () => {
  it('are each of the text once, and as many as a record has', () => {
    expect(wordsToIndex('Zoé zoe ZH 1 zh')).toBe('zoe zh 1');
    const many = Array.from({ length: 20_000 }, (__, at) => `w${String(at)}`).join(' ');
    expect(wordsToIndex(many).split(' ')).toHaveLength(12_000);
  });
});
