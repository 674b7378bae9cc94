import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseQrBill, printedReference } from '#shared/lib/qr-bill.ts';
import { billPayload, checkedReference, type BillParts } from '../../support/qr-bills.ts';

const bill: BillParts = {
  iban: 'CH4431999123000889012',
  name: 'Garage Müller & Söhne AG',
  rappen: 194_975,
  currency: 'CHF',
  type: 'QRR',
  reference: '210000000003139471430009017',
};

it('reads amount, currency, creditor and reference of each kind of bill', () => {
  expect(parseQrBill(billPayload(bill).join('\r\n'))).toEqual({
    iban: bill.iban,
    creditor: bill.name,
    currency: 'CHF',
    rappen: 194_975,
    referenceType: 'QRR',
    reference: bill.reference,
  });
  const scor = {
    iban: 'CH5800791123000889012',
    type: 'SCOR',
    reference: 'RF18539007547034',
  } as const;
  expect(parseQrBill(billPayload({ ...bill, ...scor }).join('\n'))).toMatchObject({
    referenceType: 'SCOR',
    reference: 'RF18539007547034',
  });
  const none = { iban: scor.iban, type: 'NON', reference: '', currency: 'EUR' } as const;
  const open = billPayload({ ...bill, ...none, rappen: null });
  expect(parseQrBill(open.join('\n'))).toMatchObject({ rappen: null, currency: 'EUR' });
  // With bill information and two alternative procedures.
  const full = [...open, '//S1/10/10201409', 'eBill/B/41010560425610173', 'cc/XY'];
  expect(parseQrBill(full.join('\n'))).not.toBeNull();
  expect(parseQrBill([...full, 'a third'].join('\n'))).toBeNull();
});

it('prints a reference in the groups of the bill', () => {
  expect(printedReference({ referenceType: 'QRR', reference: bill.reference })).toBe(
    '21 00000 00003 13947 14300 09017',
  );
  expect(printedReference({ referenceType: 'SCOR', reference: 'RF18539007547034' })).toBe(
    'RF18 5390 0754 7034',
  );
  expect(printedReference({ referenceType: 'NON', reference: '' })).toBe('');
});

const wrong: Readonly<Record<string, readonly [line: number, value: string]>> = {
  'another kind': [1, 'SPD'],
  'another version': [2, '0100'],
  'another coding': [3, '2'],
  'an IBAN with a wrong digit': [4, 'CH4431999123000889013'],
  'a foreign IBAN': [4, 'DE89370400440532013000'],
  'an IBAN without the institution of its reference': [4, 'CH5800791123000889012'],
  'an address of a kind that does not exist': [5, 'X'],
  'no creditor': [6, ''],
  'a name that is too long': [6, 'x'.repeat(71)],
  'no town': [10, ''],
  'a country in words': [11, 'Schweiz'],
  'a final creditor': [13, 'Somebody'],
  'an amount with a comma': [19, '1949,75'],
  'an amount with a blank': [19, '1 949.75'],
  'an amount with one decimal': [19, '1949.7'],
  'an amount with a zero in front': [19, '01949.75'],
  'no money': [19, '0.00'],
  'an amount without end': [19, '1000000000.00'],
  'another currency': [20, 'USD'],
  'half a debtor': [22, ''],
  'another kind of reference': [28, 'XXX'],
  'a reference with a wrong digit': [29, '210000000003139471430009018'],
  'a reference of zeros': [29, '0'.repeat(27)],
  'a message that is too long': [30, 'x'.repeat(141)],
  'no trailer': [31, ''],
  'a sign that no bill has': [6, 'Garage \u202eMüller'],
};
it.each(Object.entries(wrong))('offers nothing of a payload with %s', (_, [line, value]) => {
  expect(
    parseQrBill(
      billPayload(bill)
        .with(line - 1, value)
        .join('\n'),
    ),
  ).toBeNull();
});

it('offers nothing of payloads that end early, go on, or mix their line ends', () => {
  const lines = billPayload(bill);
  for (let end = 0; end < lines.length; end += 1)
    expect(parseQrBill(lines.slice(0, end).join('\n'))).toBeNull();
  expect(
    parseQrBill(`${lines.slice(0, 9).join('\r\n')}\n${lines.slice(9).join('\r\n')}`),
  ).toBeNull();
  expect(parseQrBill('')).toBeNull();
  expect(parseQrBill('https://example.com')).toBeNull();
});

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length });

it('reads what was written, and nothing after a digit of the account or reference is changed', () => {
  fc.assert(
    fc.property(
      digits(26).filter((all) => all.some((digit) => digit > 0)),
      fc.integer({ min: 1, max: 99_999_999_999 }),
      fc.constantFrom('CHF', 'EUR'),
      fc.constantFrom('\n', '\r\n'),
      fc.nat(26),
      fc.integer({ min: 1, max: 9 }),
      (number, rappen, currency, end, place, by) => {
        const reference = checkedReference(number.join(''));
        const lines = billPayload({ ...bill, reference, rappen, currency });
        expect(parseQrBill(lines.join(end))).toMatchObject({ rappen, currency, reference });
        const misread = (text: string, at: number) =>
          text.slice(0, at) + String((Number(text[at]) + by) % 10) + text.slice(at + 1);
        expect(parseQrBill(lines.with(28, misread(reference, place)).join(end))).toBeNull();
        const iban = misread(bill.iban, 2 + (place % 19));
        expect(parseQrBill(lines.with(3, iban).join(end))).toBeNull();
      },
    ),
  );
});

it('never fails on any text', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom('SPC', '0200', '1', '', 'S', 'CH', 'EPD', 'CHF'),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      parseQrBill(lines.join('\n'));
    }),
  );
});
