import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { leftOutNames, mailFileNames } from '#shared/lib/mail-files.ts';
import { takeWhenWritten, wholeFile } from '../disk/whole-file.ts';
import type { FileChecker } from '../readable/file-checker.ts';

/** A file without a name gets this one, as the command line speaks English. */
const unnamed = 'attachment';

/** The files of a mail by their paths, and the paths of those that were not read. */
interface MailFileList {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly leftOut: readonly string[];
}

const none: MailFileList = { files: new Map(), leftOut: [] };

/**
 * The files that the mails of a folder carry. The path of each is the mail's with the file's name
 * behind it. The bytes of one mail at a time are in memory.
 */
export class MailFiles {
  readonly #checker: FileChecker;
  readonly #folder: string;
  /** The mails by the paths of their files. */
  readonly #mails = new Map<string, string>();
  #last: { readonly mail: string; readonly found: MailFileList } | null = null;

  constructor(checker: FileChecker, folder: string) {
    this.#checker = checker;
    this.#folder = folder;
  }

  /**
   * The paths of a mail's files, and of those that were not read; none if the mail cannot be read,
   * which is named when it is taken.
   */
  async pathsIn(
    mail: string,
  ): Promise<{ readonly paths: readonly string[]; readonly leftOut: readonly string[] }> {
    const { files, leftOut } = await this.#filesOf(mail).catch(() => none);
    const paths = [...files.keys()];
    for (const path of [...paths, ...leftOut]) this.#mails.set(path, mail);
    return { paths, leftOut };
  }

  /** The path of the mail that carries a file; null for a file of the folder itself. */
  mailOf(path: string): string | null {
    return this.#mails.get(path) ?? null;
  }

  /** The bytes of a file of the folder, or of one that a mail carries. */
  contentOf(path: string): AsyncIterable<Uint8Array> {
    const mail = this.mailOf(path);
    return mail === null ? wholeFile(join(this.#folder, path)) : this.#innerContent(mail, path);
  }

  async *#innerContent(mail: string, path: string): AsyncGenerator<Uint8Array> {
    const content = (await this.#filesOf(mail)).files.get(path);
    if (content) yield content;
  }

  async #filesOf(mail: string): Promise<MailFileList> {
    if (this.#last?.mail === mail) return this.#last.found;
    const file = join(this.#folder, mail);
    const whole = await takeWhenWritten(file, () => buffer(Readable.from(wholeFile(file))));
    const order = { bytes: new Uint8Array(whole), contentType: 'message/rfc822' } as const;
    const report = await this.#checker.check({ ...order, isUnpacked: true });
    const files = report.kind === 'readable' ? report.files : undefined;
    const read = files ?? { attachments: [], leftOut: [] };
    const pathOf = (name: string) => `${mail}/${name}`;
    const names = mailFileNames(read.attachments, unnamed);
    const found: MailFileList = {
      files: new Map(
        read.attachments.map(({ content }, at) => [pathOf(names[at] ?? unnamed), content]),
      ),
      leftOut: leftOutNames(read, unnamed).map(pathOf),
    };
    this.#last = { mail, found };
    return found;
  }
}
