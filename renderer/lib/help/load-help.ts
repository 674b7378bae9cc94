import type { Language } from '#shared/i18n/language.ts';
import { type HelpText, readHelp } from './read-help.ts';

/**
 * The guide of each language, and its pages about templates. These files are the documentation and
 * also the help in the window.
 */
const guides: Readonly<Record<Language, readonly (() => Promise<{ default: string }>)[]>> = {
  de: [
    () => import('../../../docs/guide.de.md?raw'),
    () => import('../../../docs/templates.de.md?raw'),
  ],
  fr: [
    () => import('../../../docs/guide.fr.md?raw'),
    () => import('../../../docs/templates.fr.md?raw'),
  ],
  it: [
    () => import('../../../docs/guide.it.md?raw'),
    () => import('../../../docs/templates.it.md?raw'),
  ],
  en: [() => import('../../../docs/guide.md?raw'), () => import('../../../docs/templates.md?raw')],
};

const read = new Map<Language, Promise<HelpText>>();

/** Returns the help in a language. Each language is read only once. */
export function loadHelp(language: Language): Promise<HelpText> {
  const known = read.get(language);
  if (known) return known;
  const loading = loadAll(language);
  read.set(language, loading);
  return loading;
}

/** Joins the pages. The guide's last part, about what to do if something is wrong, stays last. */
async function loadAll(language: Language): Promise<HelpText> {
  const pages = await Promise.all(guides[language].map((load) => load()));
  const [guide, ...others] = pages.map(({ default: markdown }) => readHelp(markdown));
  if (!guide) throw new Error(`no guide in ${language}`);
  const added = others.flatMap(({ parts }) => parts);
  return { ...guide, parts: [...guide.parts.slice(0, -1), ...added, ...guide.parts.slice(-1)] };
}
