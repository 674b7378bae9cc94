import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findVehicles, isNorthAmerican } from '#shared/lib/vehicle-marks.ts';

const known = { vins: ['WVWZZZ1KZAW123456'], plates: ['ZH 123 456'] };
const line = (text: string, confidence = 95) =>
  text.split(' ').map((word) => ({ text: word, confidence }));
const inText = (text: string, confidence = 95) =>
  findVehicles({ codes: [], lines: [line(text, confidence)] }, known);
const inCode = (...codes: string[]) => findVehicles({ codes, lines: [] }, known);

describe('a chassis number', () => {
  it('of a code counts, with the letter that announces it and among other values', () => {
    const own = { kind: 'vin', value: 'WVWZZZ1KZAW123456', isOfCase: true };
    expect(inCode('WVWZZZ1KZAW123456')).toEqual([own]);
    expect(inCode('IWVWZZZ1KZAW123456', 'VIN:WVWZZZ1KZAW123456;YEAR:2019')).toEqual([own]);
    expect(inCode('VF33CRHYB83012345')).toEqual([
      { kind: 'vin', value: 'VF33CRHYB83012345', isOfCase: false },
    ]);
    // Even one that differs in one character: a code is not misread.
    expect(inCode('WVWZZZ1KZAW123457')).toMatchObject([{ isOfCase: false }]);
  });

  it.each([
    '12345678901234567',
    '00340434161094042557',
    'WVWZZZ1KZAW12345',
    'WVWZZZ1KZAW1234567',
    'WVWZZZ1KZAO123456',
    'https://example.com/WVWZZZ1KZAW123456X',
    'ABCDEFGHJKLMNPRST',
    'SPC',
    '',
  ])('is not the code %j', (code) => {
    expect(inCode(code)).toEqual([]);
  });

  it('of recognized text counts if it is that of the case but for letters that look alike', () => {
    const own = [{ kind: 'vin', value: 'WVWZZZ1KZAW123456', isOfCase: true }];
    expect(inText('WVWZZZ1KZAW123456')).toEqual(own);
    expect(inText('*WVWZZZIKZAWI23456*', 40)).toEqual(own);
    expect(inText('VIN WVW ZZZ 1KZ AW 123 4S6')).toEqual(own);
    // A number that nothing proves, or that is the case's own, misread.
    expect(inText('VF33CRHYB83012345')).toEqual([]);
    expect(inText('WVWZZZ1KZAW123956')).toEqual([]);
  });

  it('of North America proves itself by its check digit', () => {
    expect(isNorthAmerican('1M8GDM9AXKP042788')).toBe(true);
    expect(isNorthAmerican('1M8GDM9A0KP042788')).toBe(false);
    expect(isNorthAmerican('WVWZZZ1KZAW123456')).toBe(false);
    expect(inText('1M8GDM9AXKP042788')).toEqual([
      { kind: 'vin', value: '1M8GDM9AXKP042788', isOfCase: false },
    ]);
    expect(inText('1M8GDM9AXKP042789')).toEqual([]);
    // Any wrong character but those with the same value is noticed.
    fc.assert(
      fc.property(fc.nat(12), fc.constantFrom('2', '5', 'G', 'R', 'X'), (at, sign) => {
        const vin = '1M8GDM9AXKP042788';
        const wrong = vin.slice(0, at) + sign + vin.slice(at + 1);
        const valueOf = (one: string) =>
          '0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ'.indexOf(one) % 10;
        const isSame = at !== 8 && valueOf(sign) === valueOf(vin[at] ?? '');
        const isExpected = wrong === vin || (isSame && /^[1-5]/.test(wrong));
        expect(isNorthAmerican(wrong)).toBe(isExpected);
      }),
    );
  });
});

describe('a plate', () => {
  it('is that of the case, or another one if it is sure', () => {
    expect(inText('ZH 123 456')).toEqual([{ kind: 'plate', value: 'ZH 123 456', isOfCase: true }]);
    expect(inText('2H·I23456', 50)).toMatchObject([{ isOfCase: true }]);
    expect(inText('BE 987 654')).toEqual([{ kind: 'plate', value: 'BE 987 654', isOfCase: false }]);
    expect(inText('| AG·45678 |')).toMatchObject([{ value: 'AG 45 678', isOfCase: false }]);
  });

  it.each(['BE 987 654 Bern', 'BE 2024', 'XX 123 456', 'BE 012345', 'ZH 123 458', '8001 ZH', 'ZH'])(
    'is not the text %j',
    (text) => {
      expect(inText(text)).toEqual([]);
    },
  );

  it('that is not the case’s is not offered if the recognition doubts it', () => {
    expect(inText('BE 987 654', 80)).toEqual([]);
  });
});

it('finds each number once, and fails on no text', () => {
  const twice = { codes: ['WVWZZZ1KZAW123456'], lines: [line('WVWZZZ1KZAW123456')] };
  expect(findVehicles(twice, known)).toHaveLength(1);
  fc.assert(
    fc.property(fc.array(fc.string()), (texts) => {
      findVehicles({ codes: texts, lines: texts.map((text) => line(text)) }, known);
    }),
  );
});
