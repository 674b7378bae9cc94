import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Window } from 'happy-dom';
import { describe, expect, it } from 'vitest';
import { languages } from '#shared/desk/setup/workspace.ts';
import { policyLeaves } from '#main/engine/policy-schema.ts';
import { adml, admx, jsonSchema, withTable } from '../../scripts/lib/policy-templates.mjs';
import { policyTexts } from '#shared/i18n/catalogue.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');
const names = policyLeaves().map(({ name }) => name);
const registryNames = names.map((name) => name.replaceAll('.', '_'));

function parse(text: string) {
  const window = new Window();
  const document = new window.DOMParser().parseFromString(text, 'text/xml');
  expect(document.getElementsByTagName('parsererror')).toHaveLength(0);
  return {
    ids: (tag: string, attribute: string) =>
      [...document.getElementsByTagName(tag)].map((element) => element.getAttribute(attribute)),
  };
}

describe('the policy’s schema, templates and documentation', () => {
  it('agree: the table is made from the schema', () => {
    const page = read('docs/it/policies.md');
    expect(withTable(page)).toBe(page);
    for (const name of names) expect(page).toContain(`| \`${name}\` |`);
  });

  it.each(languages)(
    'have a title and a text for every value in %s, and for no other',
    (language) => {
      expect(Object.keys(policyTexts[language]).sort()).toEqual([...names].sort());
      for (const { title, text } of Object.values(policyTexts[language])) {
        expect(title.length).toBeGreaterThan(2);
        expect(text).toMatch(/\.$/);
        expect(title + text).not.toContain('ß');
      }
    },
  );

  it('make one policy per value in the Windows template', () => {
    const template = parse(admx());
    expect(template.ids('policy', 'name')).toEqual(registryNames);
    const written = ['text', 'decimal', 'enum', 'list'].flatMap((tag) => template.ids(tag, 'id'));
    const switches = template.ids('policy', 'valueName').filter(Boolean);
    expect(written.filter(Boolean).length + switches.length).toBe(names.length);
  });

  it.each(languages)('have every text that the template asks for in %s', (language) => {
    const texts = parse(adml(language));
    const asked = (kind: string) =>
      [...admx().matchAll(new RegExp(`\\$\\(${kind}\\.(\\w+)\\)`, 'g'))].map(([, id]) => id);
    expect([...new Set(texts.ids('string', 'id'))].sort()).toEqual(
      [...new Set(asked('string'))].sort(),
    );
    expect(texts.ids('presentation', 'id').sort()).toEqual(asked('presentation').sort());
  });

  it('describe every value for macOS', () => {
    const text = jsonSchema();
    for (const name of names) expect(text).toContain(name.split('.').at(-1));
    for (const { title } of Object.values(policyTexts.en))
      expect(text).toContain(JSON.stringify(title));
  });
});
