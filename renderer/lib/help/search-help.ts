import { foldForSearch, wordsOf } from '#shared/lib/words.ts';
import { type HelpSection, wordingOf } from './read-help.ts';

/**
 * Two words are the same for the search if they share a beginning of this length, as the forms of
 * one word do.
 */
const stemMax = 6;
const stemOf = (word: string) => word.slice(0, Math.max(4, Math.min(stemMax, word.length - 1)));
const stemsOf = (text: string) => wordsOf(foldForSearch(text)).filter(isSaying).map(stemOf);
/** Words of one or two letters occur in every question, so they do not count. */
const isSaying = (word: string) => word.length > 2;

/** A word in the title or in the search words of a section counts more than one in its text. */
const weights = { title: 4, words: 3, text: 1 } as const;

/**
 * Returns the sections that answer a question, the best first. A word that few sections have counts
 * more. Words that no section has, such as most words of a typed sentence, do not matter.
 * @param most the maximum number of sections
 */
export function searchHelp(
  sections: readonly HelpSection[],
  question: string,
  most = 5,
): HelpSection[] {
  const asked = new Set(stemsOf(question));
  const fields = sections.map((section) => ({
    section,
    stems: {
      title: new Set(stemsOf(section.title)),
      words: new Set(stemsOf(section.words)),
      text: new Set(stemsOf(wordingOf(section))),
    },
  }));
  const places = Object.keys(weights) as (keyof typeof weights)[];
  const rarity = new Map(
    [...asked].map((stem) => {
      const holders = fields.filter(({ stems }) => places.some((place) => stems[place].has(stem)));
      return [stem, Math.log(1 + sections.length / Math.max(1, holders.length))];
    }),
  );
  return fields
    .map(({ section, stems }) => {
      const score = [...rarity].reduce((sum, [stem, rare]) => {
        const best = Math.max(0, ...places.map((at) => (stems[at].has(stem) ? weights[at] : 0)));
        return sum + best * rare;
      }, 0);
      return { section, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ section }) => section);
}
