import { caseListInputSchema, type CaseListInput, type CaseSummary } from '#shared/desk/cases.ts';
import { sayBytes } from '#shared/desk/error-text.ts';
import type { Command } from '../command.ts';
import { checked } from '../checked.ts';
import { yesNo } from '../say.ts';

export interface CasesArguments {
  readonly q?: string;
  readonly status?: string;
  readonly category?: string;
  readonly inspectionType?: string;
  /** Absent: every case. */
  readonly limit?: number;
}

/** The engine gives lists in pages; a page is never larger. */
const pageSize = 1000;

/** The case list from the cache. */
export function cases(args: CasesArguments): Command {
  return ({ engine, output, texts }) => {
    const { limit = Number.POSITIVE_INFINITY, ...filter } = args;
    const items: CaseSummary[] = [];
    let total: number;
    let totalIsExact: boolean;
    for (;;) {
      const input = checked(caseListInputSchema, {
        ...filter,
        offset: items.length,
        limit: Math.min(pageSize, limit - items.length),
      } as CaseListInput);
      const page = engine.listCases(input);
      ({ total, totalIsExact } = page);
      items.push(...page.items);
      if (page.items.length === 0 || items.length >= Math.min(limit, total)) break;
    }
    const { columns } = texts;
    output.listAtLeast({ items, total, totalIsExact, atLeast: texts.casesAtLeast(total) }, [
      { title: columns.key, of: (item) => item.externalKey },
      { title: columns.status, of: (item) => item.status },
      { title: columns.category, of: (item) => item.category },
      { title: columns.party, of: (item) => item.partyName },
      { title: columns.subject, of: (item) => item.subject },
      { title: columns.place, of: (item) => item.place },
    ]);
  };
}

/** One case with its payload. */
export function showCase(id: string): Command {
  return ({ engine, output }) => {
    const found = engine.getCase(id);
    output.result(found, () => JSON.stringify(found, null, 2));
  };
}

/** The documents of a case: the server's list where it can be reached, else the cache's. */
export function documents(id: string): Command {
  return async ({ engine, output, texts, language }) => {
    const { items, total } = await engine.listDocuments(id, { refresh: true });
    const { columns } = texts;
    output.list(items, total, [
      { title: columns.file, of: (item) => item.fileName },
      { title: columns.size, of: (item) => sayBytes(item.sizeBytes, language) },
      { title: columns.onLaptop, of: (item) => yesNo(item.onLaptop, texts) },
    ]);
  };
}

/** The reports of a case that the server knows; with --json also its drafts on this laptop. */
export function reports(id: string): Command {
  return async ({ engine, output, texts }) => {
    const { items, drafts, total } = await engine.listReports(id, { refresh: true });
    if (output.json) {
      output.result({ items, total, drafts }, () => '');
      return;
    }
    const { columns } = texts;
    output.list(items, total, [
      { title: columns.sequence, of: (item) => String(item.sequenceNo) },
      { title: columns.status, of: (item) => item.status },
      { title: columns.submitted, of: (item) => item.submittedAt ?? '' },
      { title: columns.comment, of: (item) => item.comment },
    ]);
  };
}
