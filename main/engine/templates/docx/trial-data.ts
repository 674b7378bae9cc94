import { templateFields } from '#shared/desk/template-fields.ts';
import type { FillData, FilledValue } from './fill-docx.ts';

/** The smallest PNG: one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A value for every field, and two entries for every list: what the filling of a template takes. */
export function trialData(): FillData {
  const valueOf = (kind: string): FilledValue => {
    if (kind === 'flag') return true;
    return kind === 'picture' ? { picture: 0, widthPx: 10, heightPx: 10, altText: '' } : 'x';
  };
  const rowOf = (list: string | null) =>
    Object.fromEntries(
      templateFields
        .filter((field) => field.list === list && field.kind !== 'list')
        .map(({ name, kind }): [string, FilledValue] => [name, valueOf(kind)]),
    );
  const lists = templateFields.filter(({ kind }) => kind === 'list').map(({ name }) => name);
  return {
    values: rowOf(null),
    lists: Object.fromEntries(lists.map((list) => [list, [rowOf(list), rowOf(list)]])),
    pictures: [{ bytes: Uint8Array.from(Buffer.from(pixel, 'base64')), format: 'image/png' }],
  };
}
