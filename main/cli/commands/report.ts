import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { DeskError } from '#shared/desk/errors.ts';
import { assertFileName, assertFileSize } from '#shared/lib/file-type.ts';
import type { Command } from '../command.ts';
import { sayQueued } from '../say.ts';

export interface ReportArguments {
  readonly file: readonly string[];
  readonly salvage: readonly string[];
  readonly comment?: string;
  readonly submit?: boolean;
}

interface ReportFile {
  readonly path: string;
  readonly fileName: string;
  readonly isSalvageSale: boolean;
}

/**
 * Puts a report together from files, in their order with salvage sales last, and queues it with
 * `submit`; without, it stays a draft. All files or none: one that is refused leaves nothing.
 */
export function report(id: string, args: ReportArguments): Command {
  return async ({ engine, output, texts }) => {
    const files = [
      ...args.file.map((path) => reportFile(path, false)),
      ...args.salvage.map((path) => reportFile(path, true)),
    ];
    for (const file of files) await assertReadable(file);
    if (args.submit && files.length === 0) throw new DeskError('draft_without_documents');
    const draft = engine.createDraft(id);
    try {
      if (args.comment !== undefined)
        engine.updateDraft({ draftId: draft.id, comment: args.comment });
      for (const { path, fileName, isSalvageSale } of files)
        await engine.addAttachment(draft.id, {
          fileName,
          isSalvageSale,
          content: createReadStream(path),
        });
      if (args.submit) {
        const item = engine.submitDraft(draft.id);
        output.result(item, sayQueued(item, texts));
        return;
      }
    } catch (error) {
      engine.discardDraft(draft.id);
      throw error;
    }
    output.result(engine.getDraft(draft.id), () => texts.draftKept(draft.id));
  };
}

function reportFile(path: string, isSalvageSale: boolean): ReportFile {
  return { path, fileName: basename(path), isSalvageSale };
}

/** Refuses before anything is made what can be refused without reading the content. */
async function assertReadable({ path, fileName }: ReportFile): Promise<void> {
  assertFileName(fileName);
  const handle = await open(path).catch((error: unknown) => {
    throw new DeskError('file_not_found', { fileName }, { cause: error });
  });
  try {
    const { size, isFile } = await handle.stat().then((stat) => ({
      size: stat.size,
      isFile: stat.isFile(),
    }));
    if (!isFile) throw new DeskError('file_not_found', { fileName });
    assertFileSize(fileName, size);
  } finally {
    await handle.close();
  }
}
