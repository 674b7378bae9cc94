import { templateFields } from '#shared/desk/reports/template-fields.ts';
import type { FillData, FilledPicture, FilledValue } from './fill-data.ts';

/** The smallest PNG: one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** One landscape and one portrait photo, as large as cameras make them. */
const pictures = (): FilledPicture[] =>
  [
    { width: 4032, height: 3024 },
    { width: 3024, height: 4032 },
  ].map((size) => ({
    ...size,
    bytes: Uint8Array.from(Buffer.from(pixel, 'base64')),
    format: 'image/png',
  }));

/** Lists of no, one and two entries: what a template has to stand. */
export const trialEntries = [0, 1, 2] as const;

/** Every list with so many entries; without any, no field has a value and no condition is met. */
export function trialData(entries: number): FillData {
  const valueOf = (kind: string, at: number): FilledValue => {
    if (kind === 'flag') return entries > 0;
    // A signature may be missing; what has entries has their pictures.
    if (kind === 'picture') return entries > 0 ? { picture: at % 2, altText: '' } : '';
    return entries > 0 ? 'x' : '';
  };
  const rowOf = (list: string | null, at: number) =>
    Object.fromEntries(
      templateFields
        .filter((field) => field.list === list && field.kind !== 'list')
        .map(({ name, kind }): [string, FilledValue] => [name, valueOf(kind, at)]),
    );
  const lists = templateFields.filter(({ kind }) => kind === 'list').map(({ name }) => name);
  return {
    language: 'de',
    values: rowOf(null, 0),
    lists: Object.fromEntries(
      lists.map((list) => [list, Array.from({ length: entries }, (_, at) => rowOf(list, at))]),
    ),
    pictures: pictures(),
  };
}
