/** A number of a vehicle that was read in a picture. */
export interface VehicleMark {
  readonly kind: 'vin' | 'plate';
  readonly value: string;
}

/** What a picture shows: the contents of its codes, and the words of its lines. */
export interface PictureReading {
  readonly codes: readonly string[];
  readonly lines: readonly (readonly ReadWord[])[];
}
interface ReadWord {
  readonly text: string;
  /** How sure the recognition is, in per cent. */
  readonly confidence: number;
}

/** The vehicles of a case. */
export interface KnownVehicles {
  readonly vins: readonly string[];
  readonly plates: readonly string[];
}

/** A number in a picture, and whether it is that of a vehicle of the case. */
export interface VehicleFind extends VehicleMark {
  readonly isOfCase: boolean;
}

/** 17 characters without I, O and Q, of which the last four are digits (ISO 3779, 49 CFR 565). */
const vinForm = /^(?=(?:.*[A-Z]){3})[A-HJ-NPR-Z0-9]{13}\d{4}$/;
const plain = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/**
 * The numbers in a picture that are sure.
 *
 * A code has a check of its own, so its number counts. A number in recognized text counts if it is
 * that of the case but for letters that look alike, or if it proves itself: a chassis number by its
 * check digit, where the manufacturer has to set one, and a plate by a sure recognition of a line
 * that has nothing else. What differs from the case's number in a few characters is a misreading.
 */
export function findVehicles(reading: PictureReading, known: KnownVehicles): VehicleFind[] {
  const vins = known.vins.map(plain);
  const finds: VehicleFind[] = [];
  const add = (find: VehicleFind) => {
    const isKnown = finds.some(({ kind, value }) => kind === find.kind && value === find.value);
    if (!isKnown) finds.push(find);
  };
  for (const value of reading.codes.flatMap(vinsOfCode))
    add({ kind: 'vin', value, isOfCase: vins.includes(value) });
  for (const line of reading.lines) {
    const vin = vinOfLine(line, vins);
    if (vin) add(vin);
    const plate = plateOfLine(line, known.plates);
    if (plate) add(plate);
  }
  return finds;
}

/** The chassis number of a code. An I before it says that the code is one (Code 39 of the AIAG). */
function vinsOfCode(text: string): string[] {
  const words = text.toUpperCase().split(/[^A-Z0-9]+/);
  const vins = words
    .map((word) => (word.length === 18 && word.startsWith('I') ? word.slice(1) : word))
    .filter((word) => vinForm.test(word));
  return [...new Set(vins)];
}

/** Letters and digits that recognition takes for each other. */
const alike: Readonly<Record<string, string>> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  L: '1',
  Z: '2',
  S: '5',
  G: '6',
  B: '8',
};
const folded = (text: string): string => Array.from(text, (sign) => alike[sign] ?? sign).join('');

/** In fewer characters than this, a number that was read is the case's own, read wrongly. */
const misreadMax = 4;
const differences = (one: string, other: string): number =>
  Array.from(one).filter((sign, at) => sign !== other[at]).length;

function vinOfLine(line: readonly ReadWord[], vins: readonly string[]): VehicleFind | null {
  for (const text of joinedWords(line, 17)) {
    const same = vins.find((vin) => folded(vin) === folded(text));
    if (same !== undefined) return { kind: 'vin', value: same, isOfCase: true };
    const isNear = vins.some((vin) => differences(folded(vin), folded(text)) < misreadMax);
    if (!isNear && isNorthAmerican(text)) return { kind: 'vin', value: text, isOfCase: false };
  }
  return null;
}

/** The texts of so many characters that neighbouring words of a line make. */
function joinedWords(line: readonly ReadWord[], length: number): string[] {
  const words = line.map(({ text }) => plain(text)).filter((word) => word !== '');
  return words.flatMap((_, start) => {
    let text = '';
    for (const word of words.slice(start)) {
      text += word;
      if (text.length >= length) break;
    }
    return text.length === length ? [text] : [];
  });
}

const values = '0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ';
const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];

/**
 * Whether a chassis number proves itself: it is of a manufacturer in North America (1 to 5), who
 * has to set the ninth character as a check digit (49 CFR 565.15). Others use it as they like.
 */
export function isNorthAmerican(vin: string): boolean {
  if (!/^[1-5]/.test(vin) || !vinForm.test(vin)) return false;
  const sum = weights.reduce(
    (total, weight, at) => total + (values.indexOf(vin[at] ?? '') % 10) * weight,
    0,
  );
  return vin[8] === '0123456789X'[sum % 11];
}

const cantons = new Set(
  'AG AI AR BE BL BS FR GE GL GR JU LU NE NW OW SG SH SO SZ TG TI UR VD VS ZG ZH'.split(' '),
);
/** Shorter numbers are also postal codes and years. */
const plateForm = /^[A-Z]{2}[1-9]\d{4,5}$/;
const surePercent = 90;

function plateOfLine(line: readonly ReadWord[], plates: readonly string[]): VehicleFind | null {
  const text = plain(line.map((word) => word.text).join(''));
  const own = plates.map((plate) => ({ plate, signs: plain(plate) }));
  const same = own.find(({ signs }) => signs.length >= 4 && folded(signs) === folded(text));
  if (same) return { kind: 'plate', value: same.plate, isOfCase: true };
  const isSure = line.every(({ confidence }) => confidence >= surePercent);
  const isNear = own.some(
    ({ signs }) =>
      signs.length === text.length && differences(folded(signs), folded(text)) < misreadMax / 2,
  );
  return isSure && !isNear && plateForm.test(text) && cantons.has(text.slice(0, 2))
    ? { kind: 'plate', value: printed(text), isOfCase: false }
    : null;
}

/** A plate as it is written: `ZH 123 456`. */
const printed = (plate: string): string =>
  `${plate.slice(0, 2)} ${plate.slice(2, -3)} ${plate.slice(-3)}`;
