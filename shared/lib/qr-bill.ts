import type { Currency } from './document-currency.ts';

/**
 * The Swiss QR code of a bill, by the Swiss Implementation Guidelines QR-bill, version 2.3. Older
 * bills of version 2 are read as well, with addresses in two combined lines.
 */
export interface QrBill {
  readonly iban: string;
  readonly creditor: string;
  readonly currency: Currency;
  /** The amount in hundredths of the currency. Null if the payer sets it. */
  readonly rappen: number | null;
  readonly referenceType: ReferenceType;
  /** As in the payload, without blanks; empty for NON. */
  readonly reference: string;
}
const referenceTypes = ['QRR', 'SCOR', 'NON'] as const;
type ReferenceType = (typeof referenceTypes)[number];

/** The code has room for no more characters (chapter 4.2.4). */
export const payloadMax = 997;
/** Of the elements until the trailer, and with bill information and two alternative procedures. */
const elements = { least: 31, most: 34 } as const;
/** Basic Latin, Latin-1 Supplement, Latin Extended-A and five more (chapter 4.1.1). */
const permitted = /^[\u0020-\u007e\u00a0-\u017f\u0218-\u021b\u20ac]*$/u;
const amountForm = /^(?:0|[1-9]\d{0,8})\.\d{2}$/;
const ibanForm = /^(?:CH|LI)\d{7}[0-9A-Z]{12}$/;
const creditorReference = /^RF\d{2}[0-9A-Z]{1,21}$/;
const qrReference = /^\d{27}$/;

/**
 * Reads the payload of a Swiss QR code. Each element is checked, because an amount that is offered
 * has to be the bill's own.
 * @returns null if it is anything else than a whole, valid payload
 */
export function parseQrBill(payload: string): QrBill | null {
  if (payload.length > payloadMax) return null;
  const lines = payload.split(payload.includes('\r') ? '\r\n' : '\n');
  if (lines.length < elements.least || lines.length > elements.most) return null;
  if (!lines.every((line) => permitted.test(line))) return null;
  const at = (number: number) => lines[number - 1] ?? '';
  const group = (first: number, length: number) => lines.slice(first - 1, first - 1 + length);
  const [iban, currency, amount] = [at(4), at(20), at(19)];
  const reference = { type: at(28), value: at(29) };
  const isPayload =
    at(1) === 'SPC' &&
    /^02\d\d$/.test(at(2)) &&
    at(3) === '1' &&
    at(31) === 'EPD' &&
    isIban(iban) &&
    isAddress(group(5, 7)) &&
    // Reserved for a final creditor.
    isEmpty(group(12, 7)) &&
    (amount === '' || (amountForm.test(amount) && amount !== '0.00')) &&
    (isEmpty(group(21, 7)) || isAddress(group(21, 7))) &&
    isReference(reference, iban) &&
    at(30).length + at(32).length <= 140 &&
    group(33, 2).every((line) => line.length <= 100);
  if (!isPayload || (currency !== 'CHF' && currency !== 'EUR')) return null;
  return {
    iban,
    creditor: at(6).trim(),
    currency,
    rappen: amount === '' ? null : Number(amount.replace('.', '')),
    referenceType: referenceTypes.find((type) => type === reference.type) ?? 'NON',
    reference: reference.value,
  };
}

const isEmpty = (group: readonly string[]): boolean => group.every((line) => line === '');

/** A structured address (S), or one of two combined lines (K), which version 2.2 still has. */
function isAddress(group: readonly string[]): boolean {
  const [type, name = '', street = '', house = '', zip = '', town = '', country = ''] = group;
  const isKnown =
    type === 'S'
      ? house.length <= 16 && zip !== '' && zip.length <= 16 && town.trim() !== ''
      : type === 'K' && house !== '' && house.length <= 70 && zip === '' && town === '';
  return (
    isKnown &&
    name.trim() !== '' &&
    name.length <= 70 &&
    street.length <= 70 &&
    town.length <= 35 &&
    /^[A-Z]{2}$/.test(country)
  );
}

const isIban = (iban: string): boolean => ibanForm.test(iban) && remainderOf97(iban) === 1;

/** Whether an IBAN is a QR-IBAN, whose institution has a number of its own. */
function isQrIban(iban: string): boolean {
  const institution = Number(iban.slice(4, 9));
  return institution >= 30_000 && institution <= 31_999;
}

function isReference(reference: { type: string; value: string }, iban: string): boolean {
  const { type, value } = reference;
  if (isQrIban(iban)) return type === 'QRR' && qrReference.test(value) && isQrReference(value);
  if (type === 'SCOR') return creditorReference.test(value) && remainderOf97(value) === 1;
  return type === 'NON' && value === '';
}

/** The check of IBAN and creditor reference (ISO 7064, MOD 97-10). */
function remainderOf97(text: string): number {
  let remainder = 0;
  for (const sign of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}

const carries = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5] as const;

/** The check of the QR reference (modulo 10, recursive). */
function isQrReference(digits: string): boolean {
  let carry = 0;
  for (const digit of digits.slice(0, -1)) carry = carries[(carry + Number(digit)) % 10] ?? 0;
  return (10 - carry) % 10 === Number(digits.at(-1)) && /[1-9]/.test(digits);
}

/** A reference in the groups in which bills print it; empty if the bill has none. */
export const printedReference = ({
  referenceType,
  reference,
}: Pick<QrBill, 'referenceType' | 'reference'>): string =>
  referenceType === 'QRR'
    ? reference.replace(/^(\d{2})/, '$1 ').replaceAll(/(\d{5})(?=\d)/g, '$1 ')
    : reference.replaceAll(/(.{4})(?=.)/g, '$1 ');
