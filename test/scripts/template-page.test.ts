import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { templateFields } from '#shared/desk/reports/template-fields.ts';
import { root } from '../support/processes.ts';

it('the reference of templates has every field that a template can have', () => {
  const page = readFileSync(join(root, 'docs/template-reference.md'), 'utf8');
  const missing = templateFields.filter(({ name, kind }) => {
    const token = kind === 'flag' || kind === 'list' ? `{#${name}}` : `{${name}}`;
    return !page.includes(`\`${token}\``);
  });
  expect(missing.map(({ name }) => name)).toEqual([]);
});
