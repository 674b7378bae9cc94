import { parentPort } from 'node:worker_threads';
import { checkTemplate } from './docx/check-template.ts';
import { DocxRefusal } from './docx/docx-package.ts';
import { FieldFault } from './docx/expression.ts';
import { type FillData, printedText } from './docx/fill-data.ts';
import { fillTemplate } from './docx/fill-template.ts';
import { markFaults } from './docx/mark-faults.ts';
import { readTemplate } from './docx/read-template.ts';
import { showTemplate } from './docx/show-template.ts';
import { verifyFilled } from './docx/verify-docx.ts';
import type { TemplateOrder, TemplateReport } from './template-thread.ts';

// Entry of the thread that reads and fills templates. They come from outside: template-thread.ts
// limits memory and time.

function answer(order: TemplateOrder): TemplateReport {
  try {
    return carryOut(order);
  } catch (error) {
    if (error instanceof DocxRefusal) return { refused: error.fault, thing: error.thing };
    if (error instanceof FieldFault) return { refused: 'template_too_large', thing: error.word };
    // Of the libraries that read the archive and its parts.
    if (error instanceof Error) return { refused: 'template_damaged', thing: '' };
    throw error;
  }
}

function carryOut(order: TemplateOrder): TemplateReport {
  const { bytes } = order;
  switch (order.kind) {
    case 'check':
      return { content: checkTemplate(bytes) };
    case 'show':
      return { shown: showTemplate(bytes, order.data) };
    case 'mark':
      return { made: markFaults(bytes, order) };
    case 'clean':
      return { made: readTemplate(bytes).pack.save() };
    case 'fill':
      return fill(bytes, order.data);
  }
}

function fill(bytes: Uint8Array, data: FillData): TemplateReport {
  const template = readTemplate(bytes);
  const tags = template.parts.flatMap((part) => part.tags.map(({ raw }) => raw));
  const filled = fillTemplate(template, data);
  const texts = textsOf(data);
  // A text of the case may look like a field.
  const ours = new Set(tags.filter((tag) => !texts.some((text) => text.includes(tag))));
  const [flaw] = verifyFilled(filled, bytes, ours);
  if (!flaw) return { made: filled };
  return { refused: 'template_unverified', thing: `${flaw.part}: ${flaw.what}` };
}

function textsOf({ values, lists }: FillData): string[] {
  const rows = [values, ...Object.values(lists).flat()];
  return rows.flatMap((row) =>
    Object.values(row).map((value) =>
      typeof value === 'object' && 'altText' in value ? value.altText : printedText(value),
    ),
  );
}

// Only template-thread.ts starts this file.
parentPort?.on('message', (order: TemplateOrder) => {
  const report = answer(order);
  const made =
    'made' in report ? report.made : 'shown' in report ? report.shown.document : undefined;
  const transferred = made ? [made.buffer] : [];
  parentPort?.postMessage(report, transferred);
});
