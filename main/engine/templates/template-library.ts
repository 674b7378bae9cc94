import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { categories } from '#shared/api/case-words.ts';
import { documentMaxBytes } from '#shared/api/limits.ts';
import { DeskError, type DeskProblem } from '#shared/desk/errors.ts';
import type { Template } from '#shared/desk/templates.ts';
import { words } from '#shared/i18n/catalogue.ts';
import { languages, type Language } from '#shared/i18n/language.ts';
import { joinBytes } from '#shared/photos/bytes.ts';
import { isSystemFile } from '#shared/lib/safe-file-name.ts';
import type { BlobStore } from '../blobs/file-blob-store.ts';
import type { StoredTemplate } from '../work/templates.ts';
import type { DocxContent } from './docx/check-docx.ts';
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

const filesMax = 200;
/** What is known of a content: a folder of templates is read again at every look. */
const knownMax = 500;

/** The templates of a workspace, of the office's folder, and those that come with the desk. */
export class TemplateLibrary {
  readonly #thread: TemplateThread;
  readonly #folder: () => string | null;
  readonly #language: () => Language;
  readonly #known = new Map<string, DocxContent | DeskError>();

  constructor(options: {
    thread: TemplateThread;
    /** That IT set. */
    folder: () => string | null;
    /** Of a template whose name does not have one. */
    language: () => Language;
  }) {
    this.#thread = options.thread;
    this.#folder = options.folder;
    this.#language = options.language;
  }

  /** Name, language and category as the name of a file has them. */
  nameOf(fileName: string): Pick<Template, 'name' | 'language' | 'category'> {
    return readTemplateName(fileName, this.#language());
  }

  async list({ work }: OwnTemplates): Promise<Template[]> {
    const own = work.templates.list().map(viewOf);
    const files = await this.#files();
    const others: Template[] = [];
    for (const file of files) others.push(await this.#listed(file));
    return [...own, ...others];
  }

  /** The organization's folder, and why none of its templates is offered. */
  async folder(): Promise<{ folder: string | null; folderProblem: DeskProblem | null }> {
    const folder = this.#folder();
    if (folder === null || (await readable(folder)) !== null)
      return { folder, folderProblem: null };
    const { problem } = new DeskError('template_folder_unreachable', { folder });
    return { folder, folderProblem: problem };
  }

  /** By its id, else by its name as the window shows it. @throws {DeskError} template_not_found */
  async idOf(own: OwnTemplates, name: string): Promise<string> {
    const templates = await this.list(own);
    const found =
      templates.find(({ id }) => id === name) ??
      templates.find((template) => template.name.toLowerCase() === name.toLowerCase());
    if (!found) throw new DeskError('template_not_found');
    return found.id;
  }

  /** @throws {DeskError} template_not_found, template_refused, template_faulty */
  async read({ work, workFiles }: OwnTemplates, templateId: string): Promise<ReadTemplate> {
    const file = (await this.#files()).find((one) => idOf(one) === templateId);
    if (file) {
      const bytes = await bytesOfFile(file.path);
      const content = await this.check(basename(file.path), bytes);
      const template = { ...folderView(file, bytes.length), findings: content.findings };
      return sound({ template, bytes, content });
    }
    const stored = work.templates.get(templateId);
    const bytes = await bytesOf(workFiles, stored.blobId);
    const content = await this.check(stored.fileName, bytes);
    return sound({ template: viewOf(stored), bytes, content });
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
    const language = this.#language();
    const office = this.#folder();
    const of = async (source: FolderFile['source'], folder: string) =>
      (await namesIn(folder)).map((name) => ({ source, path: join(folder, name), language }));
    return [
      ...(office === null ? [] : await of('office', office)),
      ...(await of('desk', suppliedFolder)),
    ];
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
const readable = (folder: string) => readdir(folder).catch(() => null);

/** Of documents of Word, in the order of their names; none if the folder is out of reach. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readable(folder);
  return (names ?? [])
    .filter((name) => /\.doc[xm]$/i.test(name) && !isSystemFile(name))
    .sort((one, other) => one.localeCompare(other))
    .slice(0, filesMax);
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
  return names[category ?? ''] ?? name;
}

const unread = { addedAt: null, findings: [], problem: null };

function folderView(file: FolderFile, sizeBytes: number): Template {
  const fileName = basename(file.path);
  const { source, language } = file;
  const shown = readTemplateName(fileName, language);
  const name = source === 'desk' ? suppliedName(shown) : shown.name;
  return { id: idOf(file), source, ...shown, name, fileName, sizeBytes, ...unread };
}

export function viewOf(stored: StoredTemplate): Template {
  const { id, name, language, category, fileName, sizeBytes, addedAt } = stored;
  const shown = { id, source: 'own', name, language, category, fileName, sizeBytes } as const;
  return { ...shown, ...unread, addedAt };
}
