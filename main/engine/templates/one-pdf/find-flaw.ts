import { toNormalForm } from '#shared/lib/normal-form.ts';
import type { BoundWords, SeenPdf } from './one-pdf-thread.ts';
import { lettersOf } from './printed-words.ts';

/** A part of the one PDF, as the viewer's reader sees it alone. */
export interface SourcePages {
  readonly title: string;
  /** The text of each page. */
  readonly pages: readonly string[];
  /** The names of the files that it embeds. */
  readonly files: readonly string[];
}

/** A part, with the page on which it begins, from 0. */
interface PlacedPart extends SourcePages {
  readonly page: number;
}

/**
 * What is wrong with a PDF that was made of these parts; null if nothing is. Each page must be
 * there, in its place and with its text, each annex in the list, and a bookmark must lead to each
 * part. The files that the parts embed must be there.
 */
export function findFlaw(
  { pages, bookmarks, files }: SeenPdf,
  report: SourcePages,
  annexes: readonly SourcePages[],
  words: Pick<BoundWords, 'report' | 'annexes'>,
): string | null {
  const ofAnnexes = annexes.reduce((sum, annex) => sum + annex.pages.length, 0);
  const listAt = report.pages.length;
  const listEnd = pages.length - ofAnnexes;
  if (listEnd < listAt || listEnd > listAt !== annexes.length > 0)
    return `${pages.length} / ${listAt + ofAnnexes}`;
  let page = listEnd;
  const placed = annexes.map((annex): PlacedPart => {
    const at = page;
    page += annex.pages.length;
    return { ...annex, page: at };
  });
  const lost = [report, ...annexes].find((part) => part.files.some((one) => !files.includes(one)));
  if (lost) return lost.title;
  const list = plainLetters(pages.slice(listAt, listEnd).join(' '));
  const unlisted = placed.find(({ title }) => !list.includes(plainLetters(title).slice(0, 20)));
  if (unlisted) return unlisted.title;
  for (const part of [{ ...report, page: 0 }, ...placed]) {
    const wrong = part.pages.findIndex((text, at) => !hasText(pages[part.page + at], text));
    if (wrong >= 0) return `${part.title}, ${wrong + 1}`;
  }
  const wanted = [
    { title: words.report, page: 0 },
    ...(annexes.length > 0 ? [{ title: words.annexes, page: listAt }] : []),
    ...placed.map(({ title, page: at }, index) => ({ title: `${index + 1}  ${title}`, page: at })),
  ];
  const isMarked = wanted.every(
    ({ title, page: at }, index) =>
      bookmarks[index]?.page === at && lettersOf(bookmarks[index].title) === lettersOf(title),
  );
  return isMarked && bookmarks.length === wanted.length ? null : words.annexes;
}

/** Without those that the fonts of the list may lack. */
const plainLetters = (text: string): string =>
  toNormalForm(lettersOf(text), 'NFD').replaceAll(/[^A-Za-z0-9]/g, '');

const hasText = (page: string | undefined, text: string): boolean =>
  page !== undefined && lettersOf(page).includes(lettersOf(text));
