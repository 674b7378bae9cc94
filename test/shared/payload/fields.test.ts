import { describe, expect, it } from 'vitest';
import { categories, type Category } from '#shared/api/case-words.ts';
import { payloadSections } from '#shared/payload/fields.ts';
import { payloadSchemas } from '#shared/payload/schemas.ts';
import type { JsonSchema } from '#shared/payload/parts.ts';

/** Every path that a category's sections show; a list's items as `insuredPersons[].name`. */
function shownPaths(category: Category): string[] {
  return payloadSections[category].flatMap((section) =>
    section.fields.flatMap((field) =>
      field.paths.map((path) => (section.list === undefined ? path : `${section.list}[].${path}`)),
    ),
  );
}

/** The schema of a field's member. */
function memberAt(category: Category, list: string | undefined, path: string) {
  const root: JsonSchema = payloadSchemas[category];
  const owner = list === undefined ? root : root.properties?.[list]?.items;
  return path
    .split('.')
    .reduce<JsonSchema | undefined>((schema, member) => schema?.properties?.[member], owner);
}

function leavesOf(schema: JsonSchema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([member, inner]) => {
    if (inner.items) return leavesOf(inner.items, `${prefix}${member}[].`);
    return inner.properties ? leavesOf(inner, `${prefix}${member}.`) : [`${prefix}${member}`];
  });
}

/**
 * Dates that the common rules check on every party, but that a category's own table does not
 * name: allowed to be there, and shown among the unknown members.
 */
const offTable: Record<Category, RegExp> = {
  vehicle: /\.birthDate$/,
  special: /\.birthDate$/,
  appraiser: /\.(birthDate|firstRegistration)$/,
  fraud: /^\w+Persons\[\]\.firstRegistration$/,
};

describe.each(categories)('payload sections: %s', (category) => {
  it('show every member of the schema', () => {
    const shown = new Set(shownPaths(category));
    const expected = leavesOf(payloadSchemas[category]).filter(
      (path) => !offTable[category].test(path),
    );
    expect(expected.filter((path) => !shown.has(path))).toEqual([]);
  });

  it('show no member twice', () => {
    const shown = shownPaths(category);
    expect(shown.filter((path, at) => shown.indexOf(path) !== at)).toEqual([]);
  });

  it('name the values of exactly the members that have a list of them', () => {
    const single = payloadSections[category].flatMap(({ list, fields }) =>
      fields.flatMap(({ kind, paths: [path = '', ...others] }) => {
        const isNamed = memberAt(category, list, path)?.enum !== undefined;
        return others.length === 0 ? [{ path, isNamed, isEnum: kind === 'enum' }] : [];
      }),
    );
    expect(single.filter(({ isNamed }) => isNamed)).not.toEqual([]);
    expect(single.filter(({ isNamed, isEnum }) => isNamed !== isEnum)).toEqual([]);
  });

  it('have one section of a kind', () => {
    const ids = payloadSections[category].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
