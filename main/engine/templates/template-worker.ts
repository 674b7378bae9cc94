import { parentPort } from 'node:worker_threads';
import { readFields } from './docx/check-docx.ts';
import { fillDocx } from './docx/fill-docx.ts';
import { assertPlainDocx, DocxRefusal } from './docx/read-docx.ts';
import { trialData } from './docx/trial-data.ts';
import type { TemplateOrder, TemplateReport } from './template-thread.ts';

// Entry of the thread that reads and fills templates. They come from outside: template-thread.ts
// limits memory and time.

async function answer(order: TemplateOrder): Promise<TemplateReport> {
  try {
    assertPlainDocx(order.bytes);
    if (order.data !== null) return { filled: await fillDocx(order.bytes, order.data) };
    return await check(order.bytes);
  } catch (error) {
    if (error instanceof DocxRefusal) return { refused: error.fault };
    // The library has classes for some faults of a file, and plain errors for others.
    if (error instanceof Error) return { refused: 'template_damaged' };
    throw error;
  }
}

/** A template whose fields are all known may still lie so that it cannot be filled. */
async function check(bytes: Uint8Array<ArrayBuffer>): Promise<TemplateReport> {
  const content = await readFields(bytes);
  if (content.findings.length > 0) return { content };
  try {
    await fillDocx(bytes, trialData());
    return { content };
  } catch (error) {
    const field = error instanceof Error ? (/\{[^{}]*\}/.exec(error.message)?.[0] ?? '') : '';
    const finding = {
      fault: 'unfillable',
      field: field.slice(0, 200),
      part: 'document',
      near: '',
    } as const;
    return { content: { ...content, findings: [finding] } };
  }
}

// Only template-thread.ts starts this file.
parentPort?.on('message', (order: TemplateOrder) => {
  void answer(order).then((report) => {
    const transferred = 'filled' in report ? [report.filled.buffer] : [];
    parentPort?.postMessage(report, transferred);
  });
});
