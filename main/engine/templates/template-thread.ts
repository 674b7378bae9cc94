import type { FaultLog } from '#main/log/faults.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { QueuedThread } from '../threads/queued-thread.ts';
import type { DocxContent } from './docx/check-docx.ts';
import type { FillData } from './docx/fill-docx.ts';
import type { DocxFault } from './docx/read-docx.ts';

/** What the thread is asked: without data the template is checked. */
export interface TemplateOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly data: FillData | null;
}

export type TemplateReport =
  | { readonly refused: DocxFault }
  | { readonly content: DocxContent }
  | { readonly filled: Uint8Array<ArrayBuffer> };

/** Forty photographs take about 20 MB in each of the archive's copies. */
const limits = { memoryMb: 320, leftoverMb: 64, timeoutMs: 60_000 };

/** Reads and fills templates in a thread: they come from outside, and the engine has the keys. */
export class TemplateThread {
  readonly #thread: QueuedThread<TemplateOrder, TemplateReport>;

  constructor(log: FaultLog) {
    const entry = new URL('./template-worker.ts', import.meta.url);
    this.#thread = new QueuedThread({ entry, limits, name: 'read a template', log });
  }

  /** @throws {DeskError} template_refused */
  async check(fileName: string, bytes: Uint8Array<ArrayBuffer>): Promise<DocxContent> {
    const report = await this.#ask(fileName, { bytes, data: null });
    if ('content' in report) return report.content;
    throw refusal(fileName, report);
  }

  /** @throws {DeskError} template_refused */
  async fill(
    fileName: string,
    bytes: Uint8Array<ArrayBuffer>,
    data: FillData,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const report = await this.#ask(fileName, { bytes, data });
    if ('filled' in report) return report.filled;
    throw refusal(fileName, report);
  }

  /** Its memory is free afterwards. */
  async end(): Promise<void> {
    await this.#thread.end();
  }

  /** One after the other; the bytes are empty afterwards. */
  async #ask(fileName: string, order: TemplateOrder): Promise<TemplateReport> {
    const pictures = order.data?.pictures.map(({ bytes }) => bytes.buffer) ?? [];
    const transferred = [...new Set([order.bytes.buffer, ...pictures])];
    const answer = await this.#thread.ask(order, transferred);
    if (answer) return answer.report;
    throw new DeskError('template_refused', { fileName, rule: 'template_too_large' });
  }
}

function refusal(fileName: string, report: TemplateReport): DeskError {
  const rule = 'refused' in report ? report.refused : 'template_damaged';
  return new DeskError('template_refused', { fileName, rule });
}
