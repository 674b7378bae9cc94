import { foldText, searchWords } from '#shared/lib/words.ts';
import type { Query } from '../database/sqlite.ts';

/** The identifiers of a case, which people type with and without their gaps. */
const identifiers = ['c.license_plate', 'c.external_key', 'c.policy_number'] as const;
const gaps = [' ', '-', '.', '·'] as const;

/** An identifier in lower case with one blank, or with none, for each of its gaps. */
const spelled = (column: string, gap: '' | ' '): string =>
  gaps.reduce((text, sign) => `replace(${text}, '${sign}', '${gap}')`, `lower(${column})`);
/** The first letter is compared first, because a search of one letter finds every case. */
const anyIdentifier = (condition: (column: string) => string): string =>
  `(${identifiers.map((column) => `${column} LIKE @first || '%' AND ${condition(column)}`).join(' OR ')})`;

/**
 * How well the words of a search name a case: 0 if they are one of its identifiers, 1 if an
 * identifier goes on with another part (`ZH 1 201` for `zh 1`), 2 if they are whole words of the
 * party's name, 3 if an identifier begins with them, 4 if words of the name do, 5 for all else.
 */
export function matchRank(q: string): Query {
  const words = searchWords(q).map(foldText);
  const name = `' ' || c.party_key`;
  const inName = (end: string) =>
    `(${words.map((_, at) => `${name} || ' ' LIKE '% ' || @word${at} || '${end}'`).join(' AND ')})`;
  const bare = (column: string) => spelled(column, '');
  const levels = [
    anyIdentifier((column) => `${bare(column)} = @bare`),
    anyIdentifier((column) => `${spelled(column, ' ')} LIKE @parts || ' %'`),
    inName(' %'),
    anyIdentifier((column) => `${bare(column)} LIKE @bare || '%'`),
    inName('%'),
  ];
  const cases = levels.map((condition, rank) => `WHEN ${condition} THEN ${rank}`);
  return {
    sql: `CASE ${cases.join(' ')} ELSE ${levels.length} END`,
    // Words have letters and digits only, so nothing in them is a sign of LIKE.
    params: {
      first: words.join('').slice(0, 1),
      bare: words.join(''),
      parts: words.join(' '),
      ...Object.fromEntries(words.map((word, at) => [`word${at}`, word])),
    },
  };
}
