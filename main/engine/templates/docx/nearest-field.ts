import { templateFields } from '#shared/desk/reports/template-fields.ts';

/** Words that other programs have for the same thing. */
const synonyms: Readonly<Record<string, string>> = {
  licenseplate: 'plate',
  plate: 'licenseplate',
  carmake: 'make',
  carmodel: 'model',
  make: 'carmake',
  model: 'carmodel',
  number: 'key',
  claimnumber: 'key',
  mail: 'email',
  tel: 'phone',
  telephone: 'phone',
  street: 'address',
};
const lettersMax = 2;

/**
 * The field that the author of a template probably means: of another case, with a typing error, or
 * under a word of another program; `#list` if it exists within a list alone.
 */
export function nearestField(name: string, lists: readonly string[]): string | null {
  const wanted = name.toLowerCase().slice(0, 60);
  const here = templateFields.filter(({ list }) => list === null || lists.includes(list));
  const elsewhere = templateFields.find((field) => field.name.toLowerCase() === wanted);
  const variants = [wanted, renamed(wanted)];
  const best = here
    .map((field) => {
      const distances = variants.map((one) => distance(one, field.name.toLowerCase()));
      return { name: field.name, letters: Math.min(...distances) };
    })
    .sort((one, other) => one.letters - other.letters)[0];
  if (best?.letters === 0) return best.name;
  if (elsewhere?.list !== undefined && elsewhere.list !== null) return `#${elsewhere.list}`;
  return best && best.letters <= lettersMax ? best.name : null;
}

function renamed(name: string): string {
  const parts = name.split('.');
  const last = parts.pop() ?? '';
  return [...parts, synonyms[last] ?? last].join('.');
}

/** How many letters are to be changed, added or removed; a large number if it is more than a few. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > lettersMax) return one.length;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change);
    }
    row = next;
  }
  return row[other.length] ?? one.length;
}
