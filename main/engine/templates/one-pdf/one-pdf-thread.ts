import type { PhotoSheet } from '#shared/pdf/photo-sheet.ts';
import type { FaultLog } from '#main/log/faults.ts';
import { QueuedThread } from '../../threads/queued-thread.ts';

/** A file that becomes pages of the one PDF. */
export interface BoundPart {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The name of its bookmark and in the list of annexes. */
  readonly title: string;
}

/** The words that the desk itself writes into the PDF. */
export interface BoundWords {
  readonly title: string;
  /** Of the case, beneath the heading of the list. */
  readonly about: string;
  readonly report: string;
  readonly annexes: string;
  readonly page: string;
}

export interface BindOrder {
  readonly kind: 'bind';
  readonly report: BoundPart;
  readonly annexes: readonly BoundPart[];
  readonly words: BoundWords;
  /** The longer side to which photos within the annexes are reduced, in pixels; null leaves them. */
  readonly photoEdge: number | null;
}

/** A PDF as the viewer's reader sees it. */
export interface SeenPdf {
  /** The text of each page. */
  readonly pages: readonly string[];
  /** The bookmarks of the first level, with their pages from 0; -1 if one leads nowhere. */
  readonly bookmarks: readonly { readonly title: string; readonly page: number }[];
  /** The names of the files that it embeds. */
  readonly files: readonly string[];
}

export type OnePdfOrder =
  | BindOrder
  | { readonly kind: 'sheet'; readonly sheet: PhotoSheet }
  | { readonly kind: 'look'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** The words that a document of Word prints. */
  | { readonly kind: 'words'; readonly bytes: Uint8Array<ArrayBuffer> };

/** Why a file cannot become a part of another PDF. */
export type BindRefusal = 'annex_unreadable' | 'annex_signed' | 'annex_form';

export type OnePdfReport =
  | { readonly pdf: Uint8Array<ArrayBuffer> }
  | { readonly seen: SeenPdf }
  | { readonly words: string }
  /** `at` counts from the report, which is 0. */
  | { readonly refused: BindRefusal; readonly at: number };

/** Several files of up to 50 MB, their objects, and the PDF that is made of them. */
const limits = { memoryMb: 640, leftoverMb: 64, timeoutMs: 120_000 };

/** Binds, opens and reads PDFs in a thread: they come from outside, and the engine has the keys. */
export class OnePdfThread {
  readonly #thread: QueuedThread<OnePdfOrder, OnePdfReport>;

  constructor(log: FaultLog) {
    const entry = new URL('./one-pdf-worker.ts', import.meta.url);
    this.#thread = new QueuedThread({ entry, limits, name: 'bind a PDF', log });
  }

  /** @returns null if the attempt did not finish. The bytes stay. */
  async ask(order: OnePdfOrder): Promise<OnePdfReport | null> {
    const outcome = await this.#thread.ask(order, []);
    return outcome.kind === 'answered' ? outcome.report : null;
  }

  /** Its memory is free afterwards. */
  async end(): Promise<void> {
    await this.#thread.end();
  }
}
