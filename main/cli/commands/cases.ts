import { resolve } from 'node:path';
import { inFrancs } from '#shared/desk/cases/amounts.ts';
import type { CaseExportInput } from '#shared/desk/cases/case-export.ts';
import type { CaseFilter, CaseSummary } from '#shared/desk/cases/cases.ts';
import { wordFor } from '#shared/i18n/catalogue.ts';
import type { Command } from '../command.ts';
import { withProgress } from '../output.ts';
import { sayWhyUnknown } from './documents.ts';

export type FilterArguments = Pick<CaseFilter, 'q' | 'status' | 'category' | 'inspectionType'>;

/** The most items of a page of the engine. */
const pageSize = 1000;

/** Lists the cases in the cache; without a limit, every case. */
export function cases(args: FilterArguments & { readonly limit?: number }): Command {
  return async ({ engine, output }) => {
    const { limit = Number.POSITIVE_INFINITY, ...filter } = args;
    const items: CaseSummary[] = [];
    let total: number;
    let totalIsExact: boolean;
    for (;;) {
      const page = await engine.cases.list({
        ...filter,
        offset: items.length,
        limit: Math.min(pageSize, limit - items.length),
      });
      ({ total, totalIsExact } = page);
      items.push(...page.items);
      if (page.items.length === 0 || items.length >= Math.min(limit, total)) break;
    }
    const { notices, lastSyncedAt } = await engine.sync.status();
    for (const notice of notices) output.notice(notice);
    output.list(
      items,
      total,
      [
        { title: 'Case', of: (item) => item.externalKey },
        { title: 'Status', of: (item) => wordFor('en', 'caseStatus', item.status) },
        { title: 'Category', of: (item) => wordFor('en', 'category', item.category) },
        { title: 'Name', of: (item) => item.partyName },
        { title: 'Subject', of: (item) => wordFor('en', 'values', item.subject) },
        { title: 'Place', of: (item) => item.place },
      ],
      { totalIsExact, lastSyncedAt },
    );
    const atLeast = `At least ${String(total)} cases: more documents have these words than a search looks at.`;
    if (!totalIsExact) output.remark(atLeast);
    if (lastSyncedAt === null) output.remark(neverRead);
  };
}

/**
 * Before the first sync, and after a damaged cache was removed, an empty list says nothing about
 * the partner.
 */
const neverRead = 'The list was never read completely; sync reads it.';

/** Shows one case with its payload. */
export function showCase(id: string): Command {
  return async ({ engine, output }) => {
    const found = await engine.cases.get({ id });
    output.result(found, () => JSON.stringify(inFrancs(found), null, 2));
  };
}

/**
 * Shows the reports of a case that the server knows; with --json also its drafts on this laptop.
 */
export function reports(id: string): Command {
  return async ({ engine, output }) => {
    const found = await engine.reports.list({ id, refresh: true });
    const { items, drafts, total, listedAt } = found;
    if (listedAt === null && total + drafts.length === 0)
      await sayWhyUnknown(engine, found.problem);
    if (output.json) {
      output.result({ items, total, drafts }, () => '');
      return;
    }
    output.list(items, total, [
      { title: 'No.', of: (item) => String(item.sequenceNo) },
      { title: 'Status', of: (item) => wordFor('en', 'reportStatus', item.status) },
      { title: 'Submitted', of: (item) => item.submittedAt ?? '' },
      { title: 'Comment', of: (item) => item.comment },
    ]);
  };
}

export interface ExportArguments extends FilterArguments {
  readonly format: CaseExportInput['format'];
  readonly to: string;
}

/** Writes the filtered case list to a file. */
export function exportCases({ to, ...args }: ExportArguments): Command {
  return async (context) => {
    const { engine, output, language } = context;
    const input = { ...args, file: resolve(to), language };
    const written = await withProgress(context, () => engine.tools.exportCases(input));
    const { lastSyncedAt } = await engine.sync.status();
    output.result(
      { event: 'exported', ...written, lastSyncedAt },
      () => `${String(written.cases)} cases are in ${written.file}.`,
    );
    if (lastSyncedAt === null) output.remark(neverRead);
  };
}
