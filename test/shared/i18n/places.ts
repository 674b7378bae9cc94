import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { Language } from '#shared/i18n/language.ts';
import { allTexts } from './all-texts.ts';

/*
 * The seven places whose words follow docs/terminology.md, each with what a reader meets there: a
 * key or a file, and a text.
 */

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** A source of texts: its name, and how its content is read. */
export interface Source {
  readonly name: string;
  readonly content: string;
  readonly textsIn: (content: string) => readonly string[];
}

/** The texts of a TypeScript file that are words for a reader: literals with a space in them. */
function literalsIn(source: string): string[] {
  const file = ts.createSourceFile('x.ts', source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node)) return;
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    )
      found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.filter((text) => /\p{L} \p{L}/u.test(text));
}

/** The prose of a Markdown page: without code, addresses, comments and the rows of a table of names. */
export const proseIn = (markdown: string): string[] =>
  markdown
    .replaceAll(/^```[^]*?^```/gm, '')
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(/`[^`\n]*`/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/<[^>\n]*>/g, '')
    .split(/\n+/)
    .filter((line) => line.trim() !== '');

const sourceFiles = (folder: string): Source[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
    .map((name) => ({ name, content: read(name), textsIn: literalsIn }));
const pages = (...names: string[]): Source[] =>
  names.map((name) => ({ name, content: read(name), textsIn: proseIn }));

const guides: Readonly<Record<Language, readonly string[]>> = {
  de: ['docs/guide.de.md', 'docs/templates.de.md'],
  fr: ['docs/guide.fr.md', 'docs/templates.fr.md'],
  it: ['docs/guide.it.md', 'docs/templates.it.md'],
  en: ['docs/guide.md', 'docs/templates.md'],
};
const inPlace = {
  window: /^window\./,
  shells: /^(shellTexts|startTexts|statementTexts|policyTexts|policyHelp|dispatchTexts)\b/,
  errors: /^(errorSentences|errorWords|readRefusals|retryHints|commandLineHints|words)\b/,
};
const keyed =
  (keys: RegExp) =>
  async (language: Language): Promise<Source[]> =>
    (await allTexts(language))
      .filter(([key]) => keys.test(key))
      .map(([name, content]) => ({
        name,
        content,
        textsIn: (text) => [text.replaceAll(/\{[^}]*\}/g, ' ')],
      }));
const inEnglish =
  (sources: () => Source[]) =>
  (language: Language): Promise<Source[]> =>
    Promise.resolve(language === 'en' ? sources() : []);

export const places = {
  window: keyed(inPlace.window),
  shells: keyed(inPlace.shells),
  errors: keyed(inPlace.errors),
  'command line': inEnglish(() => sourceFiles('main/cli')),
  help: (language: Language) => Promise.resolve(pages(...guides[language])),
  docs: inEnglish(() =>
    pages(
      'README.md',
      'docs/it/README.md',
      'docs/gateway.md',
      'docs/security.md',
      'docs/template-reference.md',
    ),
  ),
  'practice data': (language: Language) =>
    Promise.resolve(
      // Who reads English has the cases of the German world.
      sourceFiles('main/service/practice/worlds').filter(({ name }) =>
        name.endsWith(`/${language}.ts`),
      ),
    ),
} as const;

export type Place = keyof typeof places;
