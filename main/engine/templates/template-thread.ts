import type { FaultLog } from '#main/log/faults.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { QueuedThread } from '../threads/queued-thread.ts';
import type { DocxContent } from './docx/check-template.ts';
import type { DocxFault } from './docx/docx-package.ts';
import type { FillData } from './docx/fill-data.ts';
import type { Marking } from './docx/mark-faults.ts';
import type { ShownTemplate } from './docx/show-template.ts';

/** What the thread is asked about a file. */
export type TemplateOrder = { readonly bytes: Uint8Array<ArrayBuffer> } & (
  | { readonly kind: 'check' }
  /** As it is sent, or as its author sees it. */
  | { readonly kind: 'fill' | 'show'; readonly data: FillData }
  | ({ readonly kind: 'mark' } & Marking)
  /** Written anew without what no report shows. */
  | { readonly kind: 'clean' }
);

export type TemplateReport =
  | { readonly refused: DocxFault | 'template_unverified'; readonly thing: string }
  | { readonly content: DocxContent }
  | { readonly shown: ShownTemplate }
  | { readonly made: Uint8Array<ArrayBuffer> };

/** A document has up to 50 MB, twice while its archive is written. */
const limits = { memoryMb: 320, leftoverMb: 64, timeoutMs: 60_000 };

/** Reads, fills and verifies templates in a thread: they come from outside, and the engine has the keys. */
export class TemplateThread {
  readonly #thread: QueuedThread<TemplateOrder, TemplateReport>;

  /** @param entry the script of the thread */
  constructor(log: FaultLog, entry = new URL('./template-worker.ts', import.meta.url)) {
    this.#thread = new QueuedThread({ entry, limits, name: 'read a template', log });
  }

  /** @throws {DeskError} template_refused, file_unchecked */
  async check(fileName: string, bytes: Uint8Array<ArrayBuffer>): Promise<DocxContent> {
    const report = await this.#ask(fileName, { kind: 'check', bytes });
    if ('content' in report) return report.content;
    throw refusal(fileName, report);
  }

  /** A template filled for its author. @throws {DeskError} template_refused, file_unchecked */
  async show(
    fileName: string,
    bytes: Uint8Array<ArrayBuffer>,
    data: FillData,
  ): Promise<ShownTemplate> {
    const report = await this.#ask(fileName, { kind: 'show', bytes, data });
    if ('shown' in report) return report.shown;
    throw refusal(fileName, report);
  }

  /** @throws {DeskError} template_refused, file_unchecked */
  fill(
    fileName: string,
    bytes: Uint8Array<ArrayBuffer>,
    data: FillData,
  ): Promise<Uint8Array<ArrayBuffer>> {
    return this.make(fileName, { kind: 'fill', bytes, data });
  }

  /** A new document of it. @throws {DeskError} template_refused, file_unchecked */
  async make(fileName: string, order: TemplateOrder): Promise<Uint8Array<ArrayBuffer>> {
    const report = await this.#ask(fileName, order);
    if ('made' in report) return report.made;
    throw refusal(fileName, report);
  }

  /** Resolves when the orders until now have ended. */
  async end(): Promise<void> {
    await this.#thread.end();
  }

  /** One after the other; the bytes are empty afterwards. */
  async #ask(fileName: string, order: TemplateOrder): Promise<TemplateReport> {
    const pictures = 'data' in order ? order.data.pictures.map(({ bytes }) => bytes.buffer) : [];
    const transferred = [...new Set([order.bytes.buffer, ...pictures])];
    const outcome = await this.#thread.ask(order, transferred);
    if (outcome.kind === 'answered') return outcome.report;
    if (outcome.kind === 'failed') throw new DeskError('file_unchecked', { fileName });
    throw new DeskError('template_refused', { fileName, rule: 'template_too_large', thing: '' });
  }
}

function refusal(fileName: string, report: TemplateReport): DeskError {
  const found = 'refused' in report ? report : { refused: 'template_damaged', thing: '' };
  const thing = found.thing === '' ? '' : `: ${found.thing}`;
  return new DeskError('template_refused', { fileName, rule: found.refused, thing });
}
