import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { DeskError } from '#shared/desk/errors.ts';
import { assertFileName, assertFileSize } from '#shared/lib/file-type.ts';
import type { Command } from '../command.ts';
import { queued } from './acts.ts';

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
  return async ({ engine, output }) => {
    const files = [
      ...args.file.map((path) => reportFile(path, false)),
      ...args.salvage.map((path) => reportFile(path, true)),
    ];
    for (const file of files) await assertReadable(file);
    const draft = await engine.makeReport(id, {
      comment: args.comment ?? '',
      files: files.map(({ path, fileName, isSalvageSale }) => ({
        fileName,
        isSalvageSale,
        content: readLater(path),
      })),
      submit: args.submit ?? false,
    });
    if (draft.queueId === null) output.result(draft, () => draftKept(draft.id));
    else {
      const item = await engine.queue.get({ id: draft.queueId });
      output.result(item, () => queued(item));
    }
  };
}

export const draftKept = (draftId: string) =>
  `Draft ${draftId} is saved; with --submit it goes into the queue.`;

/** Opened when it is read: a hundred photos are not a hundred open files. */
async function* readLater(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path) as AsyncIterable<Buffer>;
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
    const stat = await handle.stat();
    if (!stat.isFile()) throw new DeskError('file_not_found', { fileName });
    assertFileSize(fileName, stat.size);
  } finally {
    await handle.close();
  }
}
