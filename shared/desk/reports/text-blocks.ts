import { z } from 'zod';
import { categories, type Category } from '../../api/case-words.ts';
import { commentMaxLength } from '../../api/limits.ts';
import { DeskError } from '../contract/desk-error.ts';

/** The fields of a case that a text block can contain, in braces: `{key}`; `date` is today. */
export const blockFields = [
  'key',
  'policy',
  'party',
  'vehicle',
  'plate',
  'place',
  'insurer',
  'inspection',
  'date',
] as const;
type BlockField = (typeof blockFields)[number];

const isField = (name: string): name is BlockField =>
  (blockFields as readonly string[]).includes(name);

/** A stored text for comments. It is sent only if the user inserts it into a comment and saves. */
const blockContentSchema = z.object({
  name: z.string().trim().min(1).max(80),
  text: z.string().trim().min(1).max(commentMaxLength),
});
export const textBlockSchema = blockContentSchema.extend({ id: z.uuid() });
export type TextBlock = z.infer<typeof textBlockSchema>;

const entryTextSchema = z.string().trim().min(1).max(200);
/**
 * An entry of a checklist. If the desk came with the entry, its `id` is a name. Ticks refer to the
 * `id`.
 */
const checklistEntrySchema = z.object({ id: z.string().min(1).max(200), text: entryTextSchema });
export type ChecklistEntry = z.infer<typeof checklistEntrySchema>;
export const checklistEntriesMax = 100;
const checklistSchema = z.array(checklistEntrySchema).max(checklistEntriesMax);

/**
 * The user's checklists. A category without one here uses the checklist that the desk came with.
 */
export const textsSchema = z.object({
  blocks: z.array(textBlockSchema),
  checklists: z.partialRecord(z.enum(categories), checklistSchema),
});
export type Texts = z.infer<typeof textsSchema>;

/** The checklists that the desk comes with, as keys of the texts (`checklist.entries`). */
const defaultEntries = {
  vehicle: ['papers', 'vin', 'mileage', 'overview', 'damage', 'oldDamage', 'interior'],
  appraiser: ['overview', 'damage', 'cause', 'value', 'invoices', 'statement'],
  fraud: ['statement', 'scene', 'traces', 'matches', 'keys', 'electronics', 'oldDamage'],
  special: ['typePlate', 'hours', 'overview', 'damage', 'cause', 'maintenance'],
} as const satisfies Record<Category, readonly string[]>;
type DefaultEntry = (typeof defaultEntries)[Category][number];

/**
 * The checklist of a category: the user's, or the one that the desk came with. A category that the
 * desk does not know has none.
 */
export function checklistOf(
  { checklists }: Pick<Texts, 'checklists'>,
  category: string,
  say: (name: DefaultEntry) => string,
): ChecklistEntry[] {
  const known = categories.find((one) => one === category);
  if (!known) return [];
  return checklists[known] ?? defaultEntries[known].map((id) => ({ id, text: say(id) }));
}

const blocksMax = 1000;

/**
 * Stores all of it or nothing: blocks by their id, and checklists by category (null restores the
 * desk's).
 */
export const textsChangeSchema = z.object({
  blocks: z.array(textBlockSchema).max(blocksMax).default([]),
  checklists: z.partialRecord(z.enum(categories), checklistSchema.nullable()).default({}),
});
export type TextsChange = z.input<typeof textsChangeSchema>;

/** Ids of the entries that are ticked in a case. */
export const ticksSchema = z.object({ ids: z.array(z.string().max(200)) });

const braces = /\{([^{}]*)\}/g;

/**
 * Checks the fields in a block.
 * @throws {DeskError} text_block_invalid with the first field that no case has
 */
export function checkBlock({ name, text }: { readonly name: string; readonly text: string }): void {
  for (const [index, line] of text.split('\n').entries())
    for (const [field, inner = ''] of line.matchAll(braces))
      if (!isField(inner))
        throw new DeskError('text_block_invalid', { entry: name, line: index + 1, text: field });
}

/** The placeholder for a field that the case does not have, so that the user sees the gap. */
export const emptyField = '___';

/** The text with its fields replaced by the values of the case. */
export const fillBlock = (text: string, values: Readonly<Record<BlockField, string>>): string =>
  text.replaceAll(braces, (token, name: string) =>
    isField(name) ? values[name] || emptyField : token,
  );

/**
 * The code of a text block: a slash and its name in small letters without blanks, such as
 * `/stonechip`.
 */
export const codeOf = (name: string): string => `/${name.toLowerCase().replaceAll(/\s/g, '')}`;

/** A code begins the text or stands behind a blank, and a blank follows it. */
const typedCode = /(?<!\S)\/\S+(?=\s)/gu;
const lastCode = /(?<!\S)\/\S+(?=\s|$)/gu;

/**
 * The text with each code replaced by the text of its block. A code that no block has, or two
 * blocks have, stays.
 * @param blocks the fields of the case are already filled into them
 * @param isTyped whether the user has left the text, so that a code at its end is whole
 */
export function replaceCodes(
  text: string,
  blocks: readonly Pick<TextBlock, 'name' | 'text'>[],
  isTyped: boolean,
): string {
  return text.replaceAll(isTyped ? lastCode : typedCode, (code) => {
    const [block, another] = blocks.filter(({ name }) => codeOf(name) === code.toLowerCase());
    return block && !another ? block.text : code;
  });
}

/** The file in which colleagues exchange text blocks and checklists. */
const textsFileSchema = z.object({
  kind: z.literal('appraiser-desk-texts'),
  version: z.literal(1),
  textBlocks: z.array(blockContentSchema).max(blocksMax).default([]),
  checklists: z
    .partialRecord(z.enum(categories), z.array(entryTextSchema).max(checklistEntriesMax))
    .default({}),
});
type TextsFile = z.infer<typeof textsFileSchema>;

export function writeTextsFile({ blocks, checklists }: Texts): string {
  const file: TextsFile = {
    kind: 'appraiser-desk-texts',
    version: 1,
    textBlocks: blocks.map(({ name, text }) => ({ name, text })),
    checklists: Object.fromEntries(
      Object.entries(checklists).map(([category, entries]) => [
        category,
        entries.map(({ text }) => text),
      ]),
    ),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/**
 * Reads such a file.
 * @throws {DeskError} texts_file_invalid if the file is of another kind, texts_entry_invalid or
 *   text_block_invalid with the first entry that cannot be read
 */
export function readTextsFile(fileName: string, content: string): TextsFile {
  let json: unknown;
  try {
    json = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new DeskError('texts_file_invalid', { fileName }, { cause });
  }
  const read = textsFileSchema.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    const [list, ...path] = issue?.path ?? [];
    if (!issue || (list !== 'textBlocks' && list !== 'checklists') || path.length === 0)
      throw new DeskError('texts_file_invalid', { fileName });
    // The user counts from one.
    const place = [list, ...path].map((part) => (typeof part === 'number' ? part + 1 : part));
    throw new DeskError('texts_entry_invalid', { entry: place.join(' › '), rule: issue.code });
  }
  for (const block of read.data.textBlocks) checkBlock(block);
  return read.data;
}

/** What a file adds to the existing texts. Nothing that exists is changed or removed. */
export function addedByFile(
  texts: Texts,
  file: TextsFile,
  { newId, say }: { readonly newId: () => string; readonly say: (name: DefaultEntry) => string },
): { readonly blocks: TextBlock[]; readonly checklists: Texts['checklists'] } {
  const known = new Set(texts.blocks.map(({ name, text }) => JSON.stringify([name, text])));
  const blocks = file.textBlocks
    .filter(({ name, text }) => !known.has(JSON.stringify([name, text])))
    .map(({ name, text }) => ({ id: newId(), name, text }));
  const checklists: Texts['checklists'] = {};
  for (const category of categories) {
    const here = checklistOf(texts, category, say);
    const added = entriesOf(file.checklists[category] ?? [], here).filter(
      ({ id }) => !here.some((entry) => entry.id === id),
    );
    if (added.length > 0) checklists[category] = [...here, ...added].slice(0, checklistEntriesMax);
  }
  return { blocks, checklists };
}

/**
 * The entries of these texts. If an entry with the same text existed, it retains its id and so its
 * ticks.
 */
export function entriesOf(
  texts: readonly string[],
  before: readonly ChecklistEntry[],
): ChecklistEntry[] {
  return [...new Set(texts)].map(
    (text) => before.find((entry) => entry.text === text) ?? { id: text, text },
  );
}
