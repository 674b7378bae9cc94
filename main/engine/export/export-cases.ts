import { setImmediate as nextTurn } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import {
  type CaseExport,
  type CaseExportInput,
  exportColumns,
  headingOf,
  type SelectionExportInput,
} from '#shared/desk/cases/case-export.ts';
import { inFrancs } from '#shared/desk/cases/amounts.ts';
import type { CaseSummary } from '#shared/desk/cases/cases.ts';
import { byteOrderMark, csvLine, csvText } from '#shared/lib/csv.ts';
import { zurichDay, zurichTime } from '#shared/lib/zurich-day.ts';
import { writeNewFile } from '../disk/write-file.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { type SheetForm, xlsx } from './xlsx.ts';
import { casesOf, listCases } from '../cases/list-cases.ts';

/** The page is small, so that no call of the window has to wait for it. */
const pageSize = 200;

/**
 * Writes the case list with the filter of the screen, in the order of the external keys. Pages are
 * read while they are written, and the calls of the window are answered in between.
 * @throws {DeskError} file_exists, file_unwritable, disk_full
 */
export async function exportCases(
  workspace: OpenWorkspace,
  input: CaseExportInput,
  onCases: (done: number, total: number) => void,
): Promise<CaseExport> {
  const { file, format, language, ...filter } = input;
  let cases = 0;
  const pages = async function* (): AsyncGenerator<readonly CaseSummary[]> {
    for (;;) {
      const { items, total } = listCases(workspace, {
        ...filter,
        sort: 'externalKey',
        descending: false,
        offset: cases,
        limit: pageSize,
      });
      if (items.length === 0) return;
      cases += items.length;
      yield items;
      onCases(cases, total);
      await nextTurn();
    }
  };
  const sizeBytes = await writeNewFile(
    file,
    contentOf(pages(), { format, language, today: zurichDay(workspace.clock.now()) }),
  );
  return { file, format, cases, sizeBytes };
}

/**
 * Exports the chosen cases, which fit in memory. A case that was removed in the meantime is left
 * out.
 */
export async function exportSelection(
  workspace: OpenWorkspace,
  { ids, ...form }: SelectionExportInput,
): Promise<Buffer> {
  const pages = async function* () {
    for (let at = 0; at < ids.length; at += pageSize) {
      yield casesOf(workspace, ids.slice(at, at + pageSize));
      await nextTurn();
    }
  };
  const today = zurichDay(workspace.clock.now());
  return await buffer(contentOf(pages(), { ...form, today }));
}

/** The cases as a file in the given format. */
export function contentOf(
  pages: Pages,
  { format, ...form }: Pick<CaseExportInput, 'format'> & SheetForm,
) {
  if (format === 'csv') return csv(pages, form);
  return format === 'json' ? json(pages) : xlsx(pages, form);
}

type Pages = AsyncIterable<readonly CaseSummary[]>;

async function* csv(pages: Pages, form: SheetForm) {
  const heading = csvLine(exportColumns.map((column) => csvText(headingOf(column, form.language))));
  yield Buffer.from(byteOrderMark + heading);
  for await (const page of pages) {
    yield Buffer.from(page.map((item) => csvRow(item, form)).join(''));
  }
}

function csvRow(item: CaseSummary, { language, today }: SheetForm): string {
  const cells = exportColumns.map(({ type, of }) => {
    const value = of(item, language, today);
    if (value === null) return '';
    if (typeof value === 'number') return type === 'amount' ? value.toFixed(2) : String(value);
    return csvText(type === 'moment' ? (zurichTime(value) ?? value) : value);
  });
  return csvLine(cells);
}

/**
 * Writes `{"items":[..],"total":N}` with one case per line, like the output of the command line.
 */
async function* json(pages: Pages) {
  let written = 0;
  yield Buffer.from('{"items":[');
  for await (const page of pages) {
    const lines = page.map((item) => `\n${JSON.stringify(inFrancs(item))}`).join(',');
    yield Buffer.from(written === 0 ? lines : `,${lines}`);
    written += page.length;
  }
  yield Buffer.from(`\n],"total":${String(written)}}\n`);
}
