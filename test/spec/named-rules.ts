import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { headers, parameters } from '#main/front/openapi/shared-parts.ts';
import { openPaths } from '#main/service/open-endpoints.ts';
import * as limits from '#shared/api/limits.ts';
import { problemStatus } from '#shared/api/problem.ts';
import { operationIds } from '#shared/api/routes.ts';

const root = join(import.meta.dirname, '../..');

/** A rule's id as the titles of tests name it, and the tests that do. */
export interface NamedRule {
  readonly kind: string;
  readonly id: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
}

/** The numbered rules of the payload categories, as `special 14`. */
function payloadRules(): string[] {
  const specification = readFileSync(join(root, 'docs/partner-api.md'), 'utf8');
  const [, ...sections] = specification.split('\n#### Category ');
  return sections.flatMap((section) => {
    const [category = ''] = section.split('\n', 1);
    // Up to the next heading, which may be of another level.
    const [own = ''] = section.split('\n## ', 1);
    return [...own.matchAll(/^(\d+)\. /gm)].map(([, number]) => `${category} ${String(number)}`);
  });
}

/** The headers as HTTP spells them; */
const headerNames: Readonly<Record<string, string>> = {
  CorrelationId: 'X-Correlation-Id',
  RateLimitPolicy: 'X-RateLimit-Policy',
  WwwAuthenticate: 'WWW-Authenticate',
  DPoP: 'DPoP',
};

/** The titles in one test file, as they stand there: `%s` and `${id}` are not filled in. */
function titlesOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const titles: string[] = [];
  const isTest = (callee: ts.Node): boolean =>
    ts.isIdentifier(callee)
      ? ['test', 'it', 'describe'].includes(callee.text)
      : (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) &&
        isTest(callee.expression);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [title] = node.arguments;
      if (title !== undefined && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)))
        titles.push(title.getText().slice(1, -1));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return titles;
}

/** Each operation, error title, limit, header and payload rule, with the tests that name it. */
export function namedRules(): NamedRule[] {
  const ids: Record<string, readonly string[]> = {
    operation: [...operationIds, ...Object.keys(openPaths)],
    'error title': Object.keys(problemStatus),
    limit: Object.keys(limits),
    header: Object.keys({ ...parameters, ...headers }).map(
      (name) => headerNames[name] ?? name.replace(/(?<=[a-z])(?=[A-Z])/g, '-'),
    ),
    'payload rule': payloadRules(),
  };
  const tests = globSync('test/{spec,main/{front,gateway,service},shared,faults}/**/*.test.ts', {
    cwd: root,
  })
    .sort()
    .flatMap((file) => titlesOf(file).map((title) => ({ file, title })));
  return Object.entries(ids).flatMap(([kind, names]) =>
    names.map((id) => {
      const named = new RegExp(`(?<![\\w/])${id.replace(/\W/g, '\\$&')}(?!\\w)`);
      return { kind, id, tests: tests.filter(({ title }) => named.test(title)) };
    }),
  );
}
