import { Readable } from 'node:stream';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { sayComment } from '#shared/desk/reports/finding-text.ts';
import type { AddedTemplate, Template } from '#shared/desk/reports/templates.ts';
import type { TemplatePage, TemplateVersion } from '#shared/desk/reports/template-workshop.ts';
import { loadWindowTexts } from '#shared/i18n/catalogue.ts';
import type { Language } from '#shared/i18n/language.ts';
import { sayTextOf } from '#shared/i18n/say-text.ts';
import { safeFileName } from '#shared/lib/safe-file-name.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import type { FileStream } from '../blobs/file-stream.ts';
import type { TakenFile } from '../work/attachment-rows.ts';
import { takeFile } from '../work/take-file.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import type { TemplateTools } from './fill-report.ts';
import { sampleData } from './sample-data.ts';
import { bytesOf, viewOf } from './template-library.ts';

/** A file that somebody looks at as a template. */
interface Looked {
  readonly workspace: OpenWorkspace;
  readonly fileName: string;
  /** The language of its values. */
  readonly language: Language;
  readonly read: () => Promise<Uint8Array<ArrayBuffer>>;
  pages: TakenFile | null;
  /** Copies with the faults marked, by the language of their comments. */
  readonly marked: Map<Language, TakenFile>;
}
type Tools = Pick<TemplateTools, 'thread' | 'library' | 'makePdf' | 'makesPdf'>;

const lookedMax = 20;

/** Shows the author of a template what becomes of it: filled with samples, and its faults in Word. */
export class TemplateWorkshop {
  readonly #tools: Tools;
  /** The language of the user. */
  readonly #language: () => Language;
  readonly #newId: () => string;
  readonly #looked = new Map<string, Looked>();

  constructor(tools: Tools, options: { language: () => Language; newId: () => string }) {
    this.#tools = tools;
    this.#language = options.language;
    this.#newId = options.newId;
  }

  /** A file that was taken in, with what is wrong in it. @throws {DeskError} template_refused */
  async look(
    workspace: OpenWorkspace,
    { fileName, blobId }: Pick<TakenFile, 'fileName' | 'blobId'>,
    template: Template | null,
  ): Promise<AddedTemplate> {
    const read = () => bytesOf(workspace.workFiles, blobId);
    return await this.#open(workspace, { fileName, read, template });
  }

  /** A template of the list. @throws {DeskError} template_not_found, template_refused */
  async lookAt(workspace: OpenWorkspace, templateId: string): Promise<AddedTemplate> {
    const { template, bytes } = await this.#tools.library.readAny(workspace, templateId);
    const read = () => Promise.resolve(bytes.slice());
    return await this.#open(workspace, { fileName: template.fileName, read, template });
  }

  async #open(
    workspace: OpenWorkspace,
    file: Pick<Looked, 'fileName' | 'read'> & { readonly template: Template | null },
  ): Promise<AddedTemplate> {
    const { fileName, read, template } = file;
    const { library } = this.#tools;
    const { findings, removed } = await library.check(fileName, await read());
    const lookId = this.#newId();
    const [oldest] = this.#looked.keys();
    if (this.#looked.size >= lookedMax && oldest !== undefined) this.#looked.delete(oldest);
    const language = template?.language ?? library.nameOf(fileName).language;
    const marked = new Map<Language, TakenFile>();
    this.#looked.set(lookId, { workspace, fileName, read, language, pages: null, marked });
    return { lookId, template, findings, removed: [...removed] };
  }

  #get(workspace: OpenWorkspace, lookId: string): Looked {
    const found = this.#looked.get(lookId);
    if (found?.workspace !== workspace) throw new DeskError('template_not_found');
    return found;
  }

  /** Filled with samples. @throws {DeskError} template_not_found, template_refused, disk_full */
  async page(workspace: OpenWorkspace, lookId: string): Promise<TemplatePage> {
    const looked = this.#get(workspace, lookId);
    const { fileName, language, read } = looked;
    const { thread, makesPdf, makePdf } = this.#tools;
    const today = zurichDay(workspace.clock.now());
    const samples = sampleData(language, sayTextOf(await loadWindowTexts[language]()), today);
    const { document, blocks } = await thread.show(fileName, await read(), samples);
    const shown = { hasPages: false, problem: null, blocks: [...blocks] };
    if (!makesPdf()) return shown;
    try {
      const content = Readable.from([document]);
      const taken = await takeFile(workspace, { fileName: nameOf(fileName, 'docx'), content });
      looked.pages = await makePdf(workspace, taken);
      return { ...shown, hasPages: true };
    } catch (error) {
      // The desk's own view is there; why LibreOffice has none stands next to it.
      if (!(error instanceof DeskError)) throw error;
      return { ...shown, problem: error.problem };
    }
  }

  /** The pages that LibreOffice made. @throws {DeskError} template_not_found */
  pages(workspace: OpenWorkspace, lookId: string): TakenFile {
    const { pages } = this.#get(workspace, lookId);
    if (!pages) throw new DeskError('template_not_found');
    return pages;
  }

  /** The file as it was added. @throws {DeskError} template_not_found */
  async file(workspace: OpenWorkspace, lookId: string): Promise<FileStream> {
    const { fileName, read } = this.#get(workspace, lookId);
    const bytes = await read();
    const contentType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    return { stream: Readable.from([bytes]), fileName, contentType, sizeBytes: bytes.length };
  }

  /** A copy with a comment of Word at each fault. @throws {DeskError} template_refused, disk_full */
  async marked(workspace: OpenWorkspace, lookId: string): Promise<TakenFile> {
    const { fileName, read, marked } = this.#get(workspace, lookId);
    const { thread, library } = this.#tools;
    const language = this.#language();
    const known = marked.get(language);
    if (known) return known;
    const { findings } = await library.check(fileName, await read());
    const say = sayTextOf(await loadWindowTexts[language]());
    const made = await thread.make(fileName, {
      kind: 'mark',
      bytes: await read(),
      at: new Date(workspace.clock.now()).toISOString(),
      sentences: findings.map((finding) => sayComment(finding, say)),
    });
    const name = nameOf(fileName, say('templates.workshop.markedName'));
    const taken = await takeFile(workspace, { fileName: name, content: Readable.from([made]) });
    marked.set(language, taken);
    return taken;
  }

  /**
   * Stores the next version of the user's own template, without what no report shows.
   * @throws {DeskError} template_not_found, template_refused, template_faulty, disk_full
   */
  async removeUnseen(workspace: OpenWorkspace, templateId: string): Promise<AddedTemplate> {
    const { templates } = workspace.work;
    const { fileName, blobId } = templates.get(templateId);
    const { thread, library } = this.#tools;
    const bytes = await bytesOf(workspace.workFiles, blobId);
    const made = await thread.make(fileName, { kind: 'clean', bytes });
    const { findings, removed } = await library.check(fileName, made);
    if (removed.length > 0 || findings.length > 0)
      throw new DeskError('template_faulty', { fileName, count: findings.length });
    const taken = await takeFile(workspace, { fileName, content: Readable.from([made]) });
    return await this.look(workspace, taken, viewOf(templates.setFile(templateId, taken)));
  }

  /** The files of a template, the newest first. @throws {DeskError} template_not_found */
  versions({ work: { templates } }: OpenWorkspace, templateId: string): TemplateVersion[] {
    const current = templates.get(templateId);
    return [current, ...templates.earlier(templateId)].map((file) => {
      const { version, fileName, sizeBytes, addedAt } = file;
      return { version, fileName, sizeBytes, addedAt, isCurrent: file === current };
    });
  }

  /**
   * Makes an earlier file the next version: what was filled since names the version that it had.
   * @throws {DeskError} template_not_found, template_refused, template_faulty
   */
  async takeVersion(
    { work: { templates }, workFiles }: OpenWorkspace,
    templateId: string,
    version: number,
  ): Promise<Template> {
    const file = templates.earlier(templateId).find((one) => one.version === version);
    if (!file) throw new DeskError('template_not_found');
    const { fileName, blobId } = file;
    // The desk may know more faults today than when the file was added.
    const { findings } = await this.#tools.library.check(
      fileName,
      await bytesOf(workFiles, blobId),
    );
    const count = findings.length;
    if (count > 0) throw new DeskError('template_faulty', { fileName, count });
    return viewOf(templates.setFile(templateId, file));
  }
}

function nameOf(fileName: string, mark = ''): string {
  const stem = fileName.replace(/\.[^.]*$/, '');
  return safeFileName(`${mark === '' ? stem : `${stem} ${mark}`}.docx`);
}
