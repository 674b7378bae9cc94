import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasHiddenSigns, visibleJson, visibleText } from '#shared/lib/visible-text.ts';

describe('texts from outside', () => {
  it.each([
    ['Rechnung \u202egpj.exe', 'Rechnung \ufffdgpj.exe'],
    ['\u202babc \u202dabc \u2067abc\u2069', '\ufffdabc \ufffdabc \ufffdabc'],
    // As address books write telephone numbers.
    ['\u202a+41 79 123 45 67\u202c', '+41 79 123 45 67'],
    ['\u200eZH 1\u200f \u061c\u2066ZH 2\u2068\u2069', 'ZH 1 ZH 2'],
    ['Muster\u0000\u001b[31m AG\u0085\u007f', 'Muster  [31m AG  '],
    ['one\ttwo\r\nthree', 'one\ttwo\r\nthree'],
    ['Züri 🚗 👩‍🔧 שלום', 'Züri 🚗 👩‍🔧 שלום'],
  ])('show what would turn them around, and nothing hidden: %j', (given, shown) => {
    expect(visibleText(given)).toBe(shown);
  });

  it('know every control of Unicode, and nothing else', () => {
    const wrong = Array.from({ length: 0x1_1000 }, (_, code) => String.fromCodePoint(code)).filter(
      (sign) => hasHiddenSigns(sign) !== /(?![\t\n\r])\p{Cc}|\p{Bidi_Control}/u.test(sign),
    );
    expect(wrong).toEqual([]);
  });

  it('property: have no hidden sign afterwards, and stay as they are without one', () => {
    const unit = fc.oneof(
      fc.constantFrom('\u202e', '\u2066', '\u2069', '\u200f', '\u0007', '\n', 'a', 'é', '🚗'),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(unit), (parts) => {
        const text = parts.join('');
        const shown = visibleText(text);
        expect(hasHiddenSigns(shown)).toBe(false);
        expect(shown === text).toBe(!hasHiddenSigns(text));
        expect(visibleText(shown)).toBe(shown);
      }),
    );
  });

  it('are shown in values and names of members alike', () => {
    const value = { 'a\u202e': ['b\u202e', { c: 1, d: null, e: true }], f: '\u202ag\u202c' };
    expect(visibleJson(value)).toEqual({
      'a\ufffd': ['b\ufffd', { c: 1, d: null, e: true }],
      f: 'g',
    });
  });
});
