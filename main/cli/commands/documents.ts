import { mkdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { CaseDocument } from '#shared/desk/reports/documents.ts';
import { DeskError, type DeskProblem, isDiskFull } from '#shared/desk/contract/errors.ts';
import { safeFileName } from '#shared/lib/safe-file-name.ts';
import { writeNewFile } from '#main/engine/disk/write-file.ts';
import type { Engine } from '#main/engine/engine.ts';
import { sayBytes } from '#shared/desk/contract/error-text.ts';
import type { Storage, StorageRuleInput } from '#shared/desk/setup/storage.ts';
import type { Command } from '../command.ts';
import { progressBar } from '../output.ts';

/**
 * Distinguishes an unknown list from an empty one. @throws {DeskError} the reason why the list
 * could not be read, or why the server cannot be reached
 */
export async function sayWhyUnknown(engine: Engine, failure?: DeskProblem): Promise<void> {
  const problem = failure ?? (await engine.sync.status()).problem;
  if (problem) throw DeskError.of(problem);
}

/** Lists the documents of a case: the server's list if it can be reached, else the cache's. */
export function documents(id: string): Command {
  return async ({ engine, output }) => {
    const { items, total, listedAt, problem } = await engine.documents.list({ id, refresh: true });
    if (listedAt === null && total === 0) await sayWhyUnknown(engine, problem);
    output.list(items, total, [
      { title: 'File', of: (item) => item.fileName },
      { title: 'Size', of: (item) => sayBytes(item.sizeBytes, 'en') },
      { title: 'On this device', of: (item) => (item.onLaptop ? 'yes' : 'no') },
    ]);
  };
}

/**
 * Writes decrypted documents of a case into a folder: all of them, or those given by id or file
 * name. An existing file is never overwritten; the new one gets a number.
 */
export function download(id: string, wanted: readonly string[], to: string): Command {
  return async ({ engine, output, signal }) => {
    const { items, listedAt, problem } = await engine.documents.list({ id, refresh: true });
    if (listedAt === null && items.length === 0) await sayWhyUnknown(engine, problem);
    const chosen = wanted.length === 0 ? items : wanted.flatMap((name) => named(items, name));
    const folder = resolve(to);
    await mkdir(folder, { recursive: true }).catch((error: unknown) => {
      throw unwritable(error, basename(folder));
    });
    const saved = [];
    for (const document of chosen) {
      signal.throwIfAborted();
      output.progress(`Downloading documents ${progressBar(saved.length, chosen.length)}`);
      const path = await save(engine, document, folder);
      const { id: documentId, caseId, fileName, contentType, sizeBytes } = document;
      saved.push({ documentId, caseId, fileName, contentType, sizeBytes, path });
    }
    output.list(saved, saved.length, [
      { title: 'File', of: (item) => item.fileName },
      { title: 'Saved as', of: (item) => item.path },
    ]);
  };
}

/** The documents of this id or name. @throws {DeskError} document_not_found */
export function named(items: readonly CaseDocument[], name: string): readonly CaseDocument[] {
  const found = items.filter((item) => item.id === name || item.fileName === name);
  if (found.length === 0) throw new DeskError('document_not_found');
  return found;
}

/** Saves a document under its name; if the name is taken, with the next number. */
async function save(engine: Engine, document: CaseDocument, folder: string): Promise<string> {
  const fileName = safeFileName(document.fileName);
  /**
   * The document is opened only when the first byte is requested, so not for a name that is taken.
   */
  async function* content(): AsyncGenerator<Uint8Array> {
    const { stream } = await engine.files.openDocument(document.caseId, document.id);
    yield* stream;
  }
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? fileName : numbered(fileName, number));
    try {
      await writeNewFile(path, content());
      return path;
    } catch (error) {
      if (!(error instanceof DeskError && error.code === 'file_exists')) throw error;
    }
  }
}

/** The error of the user's folder, which must not look like an error of the desk's home. */
function unwritable(error: unknown, fileName: string): unknown {
  const isOfFiles = error instanceof Error && 'syscall' in error && 'code' in error;
  if (!isOfFiles || isDiskFull(error)) return error;
  return new DeskError('file_unwritable', { fileName, reason: String(error.code) });
}

function numbered(fileName: string, number: number): string {
  const point = fileName.lastIndexOf('.');
  const end = point > 0 ? point : fileName.length;
  return `${fileName.slice(0, end)} (${String(number)})${fileName.slice(end)}`;
}

export interface StorageArguments {
  readonly keep?: StorageRuleInput['keep'];
  /** The number of days, or `always`. */
  readonly closedDays?: string;
  readonly free?: boolean;
}

/**
 * Shows the rule for offline documents and their size. It can change the rule and remove documents.
 */
export function storage({ keep, closedDays, free }: StorageArguments): Command {
  return async ({ engine, output }) => {
    const rule = {
      ...(keep !== undefined && { keep }),
      ...(closedDays !== undefined && {
        closedDays: closedDays === 'always' ? null : Number(closedDays),
      }),
    };
    if (Object.keys(rule).length > 0) await engine.storage.setRule(rule);
    const storage = await (free ? engine.storage.free() : engine.storage.get());
    if (rule.closedDays !== undefined && rule.closedDays !== storage.closedDays)
      output.remark(
        'The days for documents of closed cases are set by your organization; --closed-days applies once they are not.',
      );
    output.result(storage, () => summaryOf(storage));
  };
}

const ruleNames = { none: 'nothing automatically', due: 'open cases', all: 'everything' };

function summaryOf({ documents, freeable, attachments, keep, closedDays }: Storage): string {
  const size = (of: { bytes: number }) => sayBytes(of.bytes, 'en');
  const closed = closedDays === null ? 'stay' : `go after ${String(closedDays)} days`;
  return `Documents: ${size(documents)}, of which ${size(freeable)} can be freed. Attached files: ${size(attachments)}. Kept offline: ${ruleNames[keep]}; documents of closed cases ${closed}.`;
}
