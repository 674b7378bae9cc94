import { resolve } from 'node:path';
import { caseExportInputSchema, type CaseExportInput } from '#shared/desk/case-export.ts';
import { checked } from '../checked.ts';
import type { Command } from '../command.ts';
import { tellProgress } from '../progress.ts';
import type { CasesArguments } from './cases.ts';

export interface ExportArguments extends Omit<CasesArguments, 'limit'> {
  readonly format: CaseExportInput['format'];
  readonly to: string;
}

/** Writes the filtered case list to a file. */
export function exportCases({ to, ...args }: ExportArguments): Command {
  return async (context) => {
    const { engine, output, texts, language } = context;
    const input = checked(caseExportInputSchema, {
      ...(args as Omit<CaseExportInput, 'file' | 'language'>), // read by the schema
      file: resolve(to),
      language,
    });
    const written = await tellProgress(context, () => engine.tools.exportCases(input));
    output.result({ event: 'exported', ...written }, () => texts.exported(written));
  };
}
