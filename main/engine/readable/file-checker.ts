import type { DocumentContentType } from '#shared/api/document.ts';
import type { MailMessage } from '#shared/lib/read-message.ts';
import type { FaultLog } from '#main/log/faults.ts';
import { RetriedThread } from '../threads/retried-thread.ts';

/**
 * What a reader makes of a file. `protected` needs a password; `unknownEncryption` may be known to
 * other readers: pdf.js knows passwords alone, and no certificates, for example. `unknownPacking`:
 * an archive may be whole, but only few programs unpack it (BZIP2, LZMA). `severalMails`: programs show
 * only the first mail of a mailbox. `empty`: there is nothing in it, such as in an archive of folders.
 */
export type FileReport =
  | {
      readonly kind:
        | 'protected'
        | 'unknownEncryption'
        | 'unknownPacking'
        | 'severalMails'
        | 'empty'
        | 'tooHeavy';
    }
  | {
      readonly kind: 'readable';
      /** A picture of a PDF is likely to show wrong pixels. */
      readonly looksDamaged?: true;
      /** The form of a PDF has answers that the viewer does not show, or not for certain. */
      readonly hidesAnswers?: true;
      /** Of a mail that has one. */
      readonly subject?: string;
      /** The number of files that a mail carries. */
      readonly innerFiles?: number;
      /** The files themselves, if they were asked for. */
      readonly files?: Pick<MailMessage, 'attachments' | 'leftOut'>;
    }
  | { readonly kind: 'damaged'; readonly rule: DamageRule };

/** What of a file is missing or wrong. */
export type DamageRule =
  | 'pdf_pages'
  | 'archive_directory'
  | 'archive_member'
  | 'office_main_part'
  | 'office_content'
  | 'office_sheet'
  | 'mail_end'
  | 'text_control'
  | 'text_end';

/**
 * A file that nobody has opened is not ready. `tooHeavy`: it unpacks to more than its reader takes,
 * or takes too long. `unknown`: this machine could not have it read.
 */
export type FileFinding = FileReport | { readonly kind: 'unknown' };

/** What the thread is asked. */
export interface FileCheckOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: DocumentContentType;
  /** The files that a mail carries are wanted. */
  readonly isUnpacked?: boolean;
}

/** The largest document that is accepted has 50 MB; on a busy device 8,000 pages take 16 s. */
const limits = { memoryMb: 384, leftoverMb: 64, timeoutMs: 60_000 };

/**
 * Opens the files that are to be sent as their readers will, in a thread with limited memory and
 * time: they come from outside, and the engine has the keys. Pictures have their own thread.
 */
export class FileChecker {
  readonly #thread: RetriedThread<FileCheckOrder, FileReport>;
  readonly #closing = new AbortController();

  /** @param entry the script of the thread */
  constructor(log: FaultLog, entry = new URL('./file-check-worker.ts', import.meta.url)) {
    this.#thread = new RetriedThread({ entry, limits, name: 'check a file', log });
  }

  /** @param order its bytes are transferred to the thread, and may be empty afterwards */
  async check(order: FileCheckOrder): Promise<FileFinding> {
    const { signal } = this.#closing;
    const outcome = await this.#thread.ask(order, [order.bytes.buffer], signal);
    if (outcome.kind === 'answered') return outcome.report;
    return { kind: outcome.kind === 'spent' ? 'tooHeavy' : 'unknown' };
  }

  /** Ends what is being checked. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#thread.end();
  }
}
