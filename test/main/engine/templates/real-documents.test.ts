import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { DocxRefusal } from '#main/engine/templates/docx/docx-package.ts';
import { fillTemplate } from '#main/engine/templates/docx/fill-template.ts';
import { readTemplate } from '#main/engine/templates/docx/read-template.ts';
import { trialData } from '#main/engine/templates/docx/trial-data.ts';
import { verifyFilled } from '#main/engine/templates/docx/verify-docx.ts';
import { paragraph, table } from '../../../support/word-documents.ts';

/** `TEMPLATE_DOCUMENTS=FOLDER` takes the documents of a folder, such as another program's test data. */
const folder = process.env['TEMPLATE_DOCUMENTS'] ?? join(import.meta.dirname, 'inputs');

/** A condition, bullets, rows, photos in cells and a sum. */
const fields =
  paragraph('Fall {case.key} {#insured.phone}{insured.phone}{else}keine{/}') +
  ['{#checklist}', '{entry}: {answer}', '{/checklist}'].map((line) => paragraph(line)).join('') +
  table(['{#persons}{name}', '{address}{/persons}']) +
  paragraph('{#hasPhotos}') +
  table(['{#photos}{photo | width: 4cm}', '{number} {caption}{/photos}']) +
  paragraph('{/hasPhotos}') +
  paragraph('{photos | count} {amounts.approved * 8.1% | round: 0.05 | chf}');

/** At the end of the text; null if the document has none. */
function withFields(docx: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const parts = unzipSync(docx);
  const main = parts['word/document.xml'];
  if (!main) return null;
  const text = strFromU8(main);
  const end = text.lastIndexOf('</w:body>');
  const section = text.lastIndexOf('<w:sectPr', end);
  const isLast = section > 0 && !text.slice(section, end).includes('</w:p>');
  const at = isLast ? section : end;
  if (at < 0) return null;
  const document = strToU8(text.slice(0, at) + fields + text.slice(at));
  return Uint8Array.from(zipSync({ ...parts, 'word/document.xml': document }, { level: 1 }));
}

/** Null if it is refused by name before anything is filled. */
function read(bytes: Uint8Array) {
  try {
    const template = readTemplate(bytes);
    return template.findings.length === 0 ? template : null;
  } catch (error) {
    if (error instanceof DocxRefusal) return null;
    throw error;
  }
}

it('real documents with fields put in are filled with 0, 1, 2 and 40 entries, or refused', () => {
  const outcome = { filled: 0, refused: 0, flaws: [] as string[] };
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.docx'))) {
    const bytes = withFields(readFileSync(join(folder, name)));
    if (!bytes) continue;
    for (const entries of [0, 1, 2, 40]) {
      const template = read(bytes);
      if (!template) {
        outcome.refused += 1;
        continue;
      }
      const tags = new Set(template.parts.flatMap((part) => part.tags.map(({ raw }) => raw)));
      const filled = fillTemplate(template, trialData(entries));
      outcome.filled += 1;
      const flaws = verifyFilled(filled, bytes, tags);
      outcome.flaws.push(...flaws.map(({ rule, what }) => `${name} ${entries}: ${rule} ${what}`));
    }
  }
  expect(outcome.flaws).toEqual([]);
  expect(outcome.filled).toBeGreaterThan(outcome.refused);
});
