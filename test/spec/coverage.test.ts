import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { headers, parameters } from '#main/service/front/openapi/shared-parts.ts';
import { openPaths } from '#main/service/front/openapi/open-paths.ts';
import * as limits from '#shared/api/limits.ts';
import { problemStatus } from '#shared/api/problem-titles.ts';
import { operationIds } from '#shared/api/routes.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/partner-api-coverage.md'), 'utf8');

interface Row {
  readonly id: string;
  readonly proofs: readonly { readonly file: string; readonly title: string }[];
  readonly served: readonly string[];
}

const rows: readonly Row[] = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| id '))
  .map((line) => {
    const [id = '', , proofs = '', served = ''] = line.slice(2, -2).split(' | ');
    return {
      id: id.replaceAll('`', ''),
      proofs: proofs.split('<br>').map((proof) => {
        const [, file = '', title = ''] = /^`([^`]+)` › (.+)$/.exec(proof) ?? [];
        return { file, title };
      }),
      served: served.split('<br>').map((file) => file.replaceAll('`', '')),
    };
  });
const ids = rows.map(({ id }) => id);

/** The headers in the OpenAPI document's parts, which are named without hyphens and X. */
const documented = Object.keys({ ...parameters, ...headers });

test('coverage: no row comes twice', () => {
  expect(rows.length).toBeGreaterThan(100);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test.each([
  ['operation', [...operationIds, ...Object.keys(openPaths)]],
  ['error title', Object.keys(problemStatus)],
  ['limit', Object.keys(limits)],
])('coverage: every %s has a row', (_name, names) => {
  expect(names.filter((name) => !ids.includes(name))).toEqual([]);
});

test('coverage: every numbered rule of a payload has a row', () => {
  const specification = readFileSync(join(root, 'docs/partner-api.md'), 'utf8');
  const [, ...sections] = specification.split('\n#### Category ');
  const rules = sections.flatMap((section) => {
    const [category = ''] = section.split('\n', 1);
    // Up to the next heading, which may be of another level.
    const [own = ''] = section.split('\n## ', 1);
    return [...own.matchAll(/^(\d+)\. /gm)].map(([, number]) => `${category} ${number}`);
  });
  expect(rules).toContain('special 14');
  expect(rules.filter((rule) => !ids.includes(rule))).toEqual([]);
});

test('coverage: every header of the OpenAPI document has a row', () => {
  const spelled = ids.map((id) => id.replace(/^X-/, '').replaceAll('-', '').toLowerCase());
  const missing = documented.filter((name) => !spelled.includes(name.toLowerCase()));
  expect(missing).toEqual([]);
});

test('coverage: every row is proved by tests that there are', () => {
  const sources = new Map<string, string>();
  const missing = rows.flatMap(({ id, proofs }) =>
    proofs.flatMap(({ file, title }) => {
      if (file === '' || !existsSync(join(root, file))) return [`${id}: the file ${file}`];
      const source = sources.get(file) ?? readFileSync(join(root, file), 'utf8');
      sources.set(file, source);
      const isThere = ["'", '"', '`'].some((quote) => source.includes(quote + title + quote));
      return isThere ? [] : [`${id}: ${file} › ${title}`];
    }),
  );
  expect(missing).toEqual([]);
});

test('coverage: every row names the files that serve it', () => {
  const missing = rows.flatMap(({ id, served }) =>
    served.flatMap((file) => (existsSync(join(root, file)) ? [] : [`${id}: ${file}`])),
  );
  expect(missing).toEqual([]);
});
