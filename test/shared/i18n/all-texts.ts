import {
  commandLineHints,
  dispatchTexts,
  errorSentences,
  errorWords,
  loadWindowTexts,
  policyHelp,
  policyTexts,
  readRefusals,
  retryHints,
  shellTexts,
  startTexts,
  statementTexts,
  words,
} from '#shared/i18n/catalogue.ts';
import type { Language } from '#shared/i18n/language.ts';

/** Every text at the leaves, with its dotted key; of a function, what it makes of a sample. */
function textsIn(tree: unknown, path: string): [string, string][] {
  if (typeof tree === 'string') return [[path, tree]];
  if (typeof tree === 'function') return [[path, String((tree as (x: string) => unknown)('1'))]];
  return Object.entries(tree as object).flatMap(([key, value]) => textsIn(value, `${path}.${key}`));
}

const tables = {
  commandLineHints,
  dispatchTexts,
  errorSentences,
  errorWords,
  policyHelp,
  policyTexts,
  readRefusals,
  retryHints,
  shellTexts,
  startTexts,
  statementTexts,
  words,
};

/** All texts of a language, with the key of each: of window, shells, errors and policy. */
export async function allTexts(language: Language): Promise<[string, string][]> {
  const shells = Object.entries(tables).flatMap(([name, table]) => textsIn(table[language], name));
  return [...shells, ...textsIn(await loadWindowTexts[language](), 'window')];
}
