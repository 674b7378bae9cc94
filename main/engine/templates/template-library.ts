import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { categories } from '#shared/api/case-words.ts';
import { documentMaxBytes } from '#shared/api/limits.ts';
import { DeskError, type DeskProblem } from '#shared/desk/contract/errors.ts';
import type { Template } from '#shared/desk/reports/templates.ts';
import { words } from '#shared/i18n/catalogue.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { languages, type Language } from '#shared/i18n/language.ts';
import { joinBytes } from '#shared/photos/bytes.ts';
import { isSystemFile } from '#shared/lib/safe-file-name.ts';
import type { BlobStore } from '../blobs/file-blob-store.ts';
import type { StoredTemplate } from '../work/templates.ts';
import type { DocxContent } from './docx/check-template.ts';
import type { TemplateThread } from './template-thread.ts';

/** A template with what it contains. */
export interface ReadTemplate {
  readonly template: Template;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly content: DocxContent;
}

/** Where the user's own templates are. */
interface OwnTemplates {
  readonly work: {
    readonly templates: { list(): StoredTemplate[]; get(id: string): StoredTemplate };
  };
  readonly workFiles: BlobStore;
}

interface FolderFile {
  readonly source: 'office' | 'desk';
  readonly path: string;
  readonly language: Language;
}

/** Those that come with the desk, made by scripts/templates.mjs. */
const suppliedFolder = join(import.meta.dirname, 'supplied');

/** What one waits for a folder on the network before the others are shown without it. */
const folderTimeoutMs = 3000;
const filesMax = 200;
/** What is known of a content: a folder of templates is read again at every look. */
const knownMax = 500;

/** The templates of a workspace, of the office's folder, and those that come with the desk. */
export class TemplateLibrary {
  readonly #thread: TemplateThread;
  readonly #folder: () => string | null;
  readonly #language: () => Language;
  readonly #clock: Clock;
  readonly #readFolder: (folder: string) => Promise<readonly string[] | null>;
  readonly #known = new Map<string, DocxContent | DeskError>();
  /** What was read of the office's folder last, and the reading under way. */
  #office: { folder: string; last: Template[]; reading: Promise<Template[]> | null } = {
    folder: '',
    last: [],
    reading: null,
  };

  constructor(options: {
    thread: TemplateThread;
    clock: Clock;
    /** The names in a folder; null if it is out of reach. */
    readFolder?: (folder: string) => Promise<readonly string[] | null>;
    /** That IT set. */
    folder: () => string | null;
    /** Of a template whose name does not have one. */
    language: () => Language;
  }) {
    this.#thread = options.thread;
    this.#clock = options.clock;
    this.#readFolder = options.readFolder ?? readable;
    this.#folder = options.folder;
    this.#language = options.language;
  }

  /** Name, language and category as the name of a file has them. */
  nameOf(fileName: string): Pick<Template, 'name' | 'language' | 'category'> {
    return readTemplateName(fileName, this.#language());
  }

  async list({ work }: OwnTemplates): Promise<Template[]> {
    const own = work.templates.list().map(viewOf);
    const office = this.#officeTemplates();
    return [...own, ...(await office), ...(await this.#suppliedTemplates())];
  }

  /** The organization's folder, and why none of its templates is offered. */
  async folder(): Promise<{ folder: string | null; folderProblem: DeskProblem | null }> {
    const folder = this.#folder();
    const names = folder === null ? [] : await inTime(this.#clock, this.#readFolder(folder));
    if (names !== null) return { folder, folderProblem: null };
    const { problem } = new DeskError('template_folder_unreachable', { folder: folder ?? '' });
    return { folder, folderProblem: problem };
  }

  /**
   * By its id or the name of its file, else by its name as the window shows it.
   * @param category of the cases that it is filled for; null if they are of several or not known
   * @throws {DeskError} template_not_found, template_ambiguous, template_wrong_category
   */
  async idOf(own: OwnTemplates, name: string, category: string | null): Promise<string> {
    // By names alone: to look into each template takes seconds, and only one is filled.
    const files = await this.#files();
    const templates = [
      ...own.work.templates.list().map(viewOf),
      ...files.map((file) => folderView(file, 0)),
    ];
    const { found, others } = chooseTemplate(templates, name, category);
    if (found) return found.id;
    if (others.length === 0) throw new DeskError('template_not_found');
    const fits = others.filter((one) => isFor(one, category));
    if (fits.length === 0) throw new DeskError('template_wrong_category', { fileName: name });
    const ids = fits.map(({ id }) => id).join(', ');
    throw new DeskError('template_ambiguous', { name, ids });
  }

  /** The language of a template; that of the desk if it is removed. */
  languageOf({ work }: OwnTemplates, templateId: string): Language {
    const [, fileName] = /^(?:desk|office):(.+)$/.exec(templateId) ?? [];
    if (fileName !== undefined) return readTemplateName(fileName, this.#language()).language;
    const stored = work.templates.list().find(({ id }) => id === templateId);
    return stored?.language ?? this.#language();
  }

  /** @throws {DeskError} template_not_found, template_refused, template_faulty */
  async read(own: OwnTemplates, templateId: string): Promise<ReadTemplate> {
    return sound(await this.readAny(own, templateId));
  }

  /** Also one with faults. @throws {DeskError} template_not_found, template_refused */
  async readAny({ work, workFiles }: OwnTemplates, templateId: string): Promise<ReadTemplate> {
    // One of the user's own is read without a look at the office's folder, which may be slow.
    const files = templateId.startsWith('desk:')
      ? await this.#supplied()
      : templateId.startsWith('office:')
        ? await this.#files()
        : [];
    const file = files.find((one) => idOf(one) === templateId);
    if (file) {
      const bytes = await bytesOfFile(file.path);
      const content = await this.check(basename(file.path), bytes);
      const template = { ...folderView(file, bytes.length), findings: content.findings };
      return { template, bytes, content };
    }
    const stored = work.templates.get(templateId);
    const bytes = await bytesOf(workFiles, stored.blobId);
    const content = await this.check(stored.fileName, bytes);
    return { template: viewOf(stored), bytes, content };
  }

  /** What a template contains; its bytes stay. @throws {DeskError} template_refused */
  async check(fileName: string, bytes: Uint8Array): Promise<DocxContent> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const known = this.#known.get(sha256);
    if (known instanceof DeskError) throw known;
    if (known) return known;
    try {
      const content = await this.#thread.check(fileName, Uint8Array.from(bytes));
      this.#remember(sha256, content);
      return content;
    } catch (error) {
      if (error instanceof DeskError) this.#remember(sha256, error);
      throw error;
    }
  }

  #remember(sha256: string, content: DocxContent | DeskError): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= knownMax && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(sha256, content);
  }

  async #listed(file: FolderFile): Promise<Template> {
    try {
      const bytes = await bytesOfFile(file.path);
      const view = folderView(file, bytes.length);
      return { ...view, findings: (await this.check(basename(file.path), bytes)).findings };
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      return { ...folderView(file, 0), problem: error.problem };
    }
  }

  async #files(): Promise<FolderFile[]> {
    const office = this.#folder();
    return [
      ...(office === null ? [] : await this.#of('office', office)),
      ...(await this.#supplied()),
    ];
  }

  #supplied(): Promise<FolderFile[]> {
    return this.#of('desk', suppliedFolder);
  }

  async #of(source: FolderFile['source'], folder: string): Promise<FolderFile[]> {
    const language = this.#language();
    const names = await this.#readFolder(folder);
    return wordFiles(names ?? []).map((name) => ({ source, path: join(folder, name), language }));
  }

  /** Not checked at each look, which takes seconds: a test of the desk checks them. */
  async #suppliedTemplates(): Promise<Template[]> {
    const files = await this.#supplied();
    return await Promise.all(
      files.map(async (file) => folderView(file, (await stat(file.path)).size)),
    );
  }

  /**
   * Those of the office's folder, or what was read of it last if it does not answer in time: a share
   * on a slow line holds up nobody's own templates.
   */
  async #officeTemplates(): Promise<Template[]> {
    const folder = this.#folder();
    if (folder === null) return [];
    if (this.#office.folder !== folder) this.#office = { folder, last: [], reading: null };
    const state = this.#office;
    state.reading ??= this.#readOffice(folder)
      .then((found) => (state.last = found))
      .finally(() => (state.reading = null));
    return (await inTime(this.#clock, state.reading)) ?? state.last;
  }

  async #readOffice(folder: string): Promise<Template[]> {
    const found: Template[] = [];
    for (const file of await this.#of('office', folder)) found.push(await this.#listed(file));
    return found;
  }
}

/** Null if it takes longer than one waits for a folder. */
async function inTime<Found>(clock: Clock, found: Promise<Found>): Promise<Found | null> {
  const waiting = Promise.withResolvers<null>();
  const cancel = clock.after(folderTimeoutMs, () => waiting.resolve(null));
  try {
    return await Promise.race([found, waiting.promise]);
  } finally {
    cancel();
  }
}

/** A stored file as a whole. */
export async function bytesOf(files: BlobStore, blobId: string): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  for await (const piece of files.open(blobId) as AsyncIterable<Uint8Array>) pieces.push(piece);
  return joinBytes(pieces);
}

/** @throws {DeskError} template_faulty */
function sound(read: ReadTemplate): ReadTemplate {
  const { template, content } = read;
  const count = content.findings.length;
  if (count > 0) throw new DeskError('template_faulty', { fileName: template.fileName, count });
  return read;
}

/** What lies in a folder; null if it is out of reach. */
const readable = (folder: string): Promise<string[] | null> => readdir(folder).catch(() => null);

/** Documents of Word, in the order of their names. */
function wordFiles(names: readonly string[]): string[] {
  return names
    .filter((name) => /\.doc[xm]$/i.test(name) && !isSystemFile(name))
    .sort((one, other) => one.localeCompare(other))
    .slice(0, filesMax);
}

type Category = string | null;
const isFor = ({ category }: Template, wanted: Category) =>
  category === null || wanted === null || category === wanted;

/** The template that a name means; `others` have the name, too, or are for other cases. */
function chooseTemplate(
  templates: readonly Template[],
  name: string,
  category: Category,
): { found: Template | undefined; others: readonly Template[] } {
  const is = (text: string) => text.toLowerCase() === name.toLowerCase();
  const byId = templates.find(({ id }) => id === name);
  const byFile = templates.filter(({ fileName }) => is(fileName));
  const byName = templates.filter((template) => is(template.name));
  const others = byFile.length > 0 ? byFile : byName;
  const fits = others.filter((one) => isFor(one, category));
  // One for cases of this category means more than one for all.
  const own = fits.filter((one) => one.category !== null && one.category === category);
  const alone = [own, fits].find((list) => list.length === 1)?.[0];
  return { found: byId ?? alone, others };
}

/** @throws {DeskError} template_not_found, file_not_regular, file_too_large */
async function bytesOfFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const fileName = basename(path);
  const found = await stat(path).catch(() => null);
  if (found === null) throw new DeskError('template_not_found');
  if (!found.isFile()) throw new DeskError('file_not_regular', { fileName });
  if (found.size > documentMaxBytes) {
    const sizes = { sizeBytes: found.size, maxBytes: documentMaxBytes };
    throw new DeskError('file_too_large', { fileName, ...sizes });
  }
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new DeskError('file_not_found', { fileName }, { cause });
  });
  return Uint8Array.from(bytes);
}

const idOf = ({ source, path }: FolderFile) => `${source}:${basename(path)}`;

/**
 * A name without its extension, with the language and category that it ends with, in any order:
 * `Gutachten.vehicle.fr.docx`.
 */
export function readTemplateName(
  fileName: string,
  language: Language,
): Pick<Template, 'name' | 'language' | 'category'> {
  let name = fileName.replace(/\.[^.]*$/, '');
  const found: { language?: Language; category?: Template['category'] } = {};
  for (let end = /^(.+)\.([a-z]+)$/.exec(name); end; end = /^(.+)\.([a-z]+)$/.exec(name)) {
    const [, rest = '', word] = end;
    const asLanguage = languages.find((one) => one === word);
    const asCategory = categories.find((one) => one === word);
    if (!asLanguage && !asCategory) break;
    if (asLanguage) found.language ??= asLanguage;
    if (asCategory) found.category ??= asCategory;
    name = rest;
  }
  const shown = name.trim().slice(0, 80) || fileName.slice(0, 80);
  return { name: shown, language: found.language ?? language, category: found.category ?? null };
}

/** In the language of the template, because the user chooses by it. */
function suppliedName({ name, language, category }: ReturnType<typeof readTemplateName>): string {
  const names: Readonly<Record<string, string>> = words[language].suppliedTemplates;
  return names[category ?? name] ?? name;
}

const unread = { addedAt: null, version: null, findings: [], problem: null };

function folderView(file: FolderFile, sizeBytes: number): Template {
  const fileName = basename(file.path);
  const { source, language } = file;
  const shown = readTemplateName(fileName, language);
  const name = source === 'desk' ? suppliedName(shown) : shown.name;
  return { id: idOf(file), source, ...shown, name, fileName, sizeBytes, ...unread };
}

export function viewOf(stored: StoredTemplate): Template {
  const { id, name, language, category, fileName, sizeBytes, addedAt, version } = stored;
  const shown = { id, source: 'own', name, language, category, fileName, sizeBytes } as const;
  return { ...shown, ...unread, addedAt, version };
}
