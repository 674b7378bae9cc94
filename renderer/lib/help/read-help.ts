/**
 * A paragraph, numbered steps, or a table of two columns. The first column says what the user
 * wants, and the second how it is written.
 */
export type HelpBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'steps'; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly head: HelpRow; readonly rows: readonly HelpRow[] };
export type HelpRow = readonly [string, string];

/** One subject of the help. */
export interface HelpSection {
  /** The id is the same in every language. */
  readonly id: string;
  readonly title: string;
  /** Words by which a user may search for the section, in addition to the words of its text. */
  readonly words: string;
  readonly blocks: readonly HelpBlock[];
  readonly picture?: HelpPicture;
}

/** A picture of the window in the help's language. */
export interface HelpPicture {
  /** The path from the folder of the guide. */
  readonly path: string;
  readonly alt: string;
}

/** Sections under one heading, in the order of the day. */
export interface HelpPart {
  readonly title: string;
  readonly sections: readonly HelpSection[];
}

export interface HelpText {
  readonly title: string;
  readonly intro: string;
  readonly parts: readonly HelpPart[];
}

const heading = /^(#{1,3}) (.+)$/;
const anchor = /^<a id="([a-z-]+)"><\/a>$/;
const words = /^<!-- words: (.+) -->$/;
const step = /^\d+\. (.+)$/;
const picture = /^!\[([^\]]*)\]\(([^)]+)\)$/;
/** The help shows the pictures of this folder. The others are for readers outside of the window. */
const shownPictures = 'images/help/';
/** A link to another document of the project. The window shows only its words. */
const link = /\[([^[\]]+)\]\([^()]+\)/g;

/**
 * Reads the guide. `#` is its title and `##` a part. A part contains sections, each with an anchor,
 * a heading `###`, a comment with words for the search, and paragraphs, numbered steps or tables of
 * two columns, and at most one picture.
 * @throws {Error} if a paragraph stands in no section
 */
export function readHelp(markdown: string): HelpText {
  const head = { title: '', intro: '' };
  const parts: { title: string; sections: Growing[] }[] = [];
  let id = '';
  for (const chunk of markdown.split(/\n{2,}/)) {
    const text = chunk.trim();
    if (text === '') continue;
    const section = parts.at(-1)?.sections.at(-1);
    const [, alt = '', path] = picture.exec(text) ?? [];
    if (path !== undefined) {
      if (section && path.startsWith(shownPictures)) section.picture = { path, alt };
      continue;
    }
    const [, level = '', name = ''] = heading.exec(text) ?? [];
    const [, anchorId] = anchor.exec(text) ?? [];
    const [, known] = words.exec(text) ?? [];
    if (level === '#') head.title = name;
    else if (level === '##') parts.push({ title: name, sections: [] });
    else if (level === '###')
      parts.at(-1)?.sections.push({ id, title: name, words: '', blocks: [] });
    else if (anchorId !== undefined) id = anchorId;
    else if (known !== undefined && section) section.words = known;
    else if (section) section.blocks.push(blockOf(text));
    else if (parts.length === 0) head.intro = text;
    else throw new Error(`no section for: ${text}`);
  }
  return { ...head, parts };
}

/** A section while it is being read. */
interface Growing extends HelpSection {
  words: string;
  picture?: HelpPicture;
  readonly blocks: HelpBlock[];
}

function blockOf(text: string): HelpBlock {
  const plain = text.replaceAll(link, '$1').replaceAll('`', '');
  const lines = plain.split('\n');
  const items = lines.map((line) => step.exec(line)?.[1]);
  if (items.every((item) => item !== undefined)) return { kind: 'steps', items };
  const [head, , ...rows] = lines.map(cellsOf);
  if (head && rows.every((row) => row !== undefined)) return { kind: 'table', head, rows };
  return { kind: 'text', text: lines.join(' ') };
}

/** Returns the two cells of a line of a table. A bar within a cell is escaped with a backslash. */
function cellsOf(line: string): HelpRow | undefined {
  if (!line.startsWith('|')) return undefined;
  const [, first = '', second = ''] = line.split(/(?<!\\)\|/);
  return [first.trim(), second.trim().replaceAll('\\|', '|')];
}

/** All sections in their order. */
export const sectionsOf = ({ parts }: HelpText): readonly HelpSection[] =>
  parts.flatMap(({ sections }) => sections);

/** The whole text of a section. */
export const wordingOf = ({ blocks }: HelpSection): string => blocks.flatMap(textsOf).join(' ');

/** The paragraphs, steps or cells of a block. */
export function textsOf(block: HelpBlock): readonly string[] {
  if (block.kind === 'text') return [block.text];
  return block.kind === 'steps' ? block.items : [block.head, ...block.rows].flat();
}
