import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { amountMaxRappen } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { QueueItem } from '#shared/desk/queue.ts';
import { parseAmount } from '#shared/lib/money.ts';
import { assertFileName, assertFileSize } from '#shared/lib/file-type.ts';
import { isStripped } from '#main/engine/work/attachment-rows.ts';
import { assertNotSpecial } from '#main/engine/disk/regular-file.ts';
import { UsageError } from '#shared/lib/usage-error.ts';
import type { ReportDraft } from '#shared/desk/reports.ts';
import type { Command } from '../command.ts';
import type { Output } from '../output.ts';

/** Of a queue row that was just made. */
export const queued = ({ id }: QueueItem) =>
  `Saved on this laptop as entry ${String(id)} of the queue.`;

/** Queues the comment. */
export function comment(id: string, text: string): Command {
  return async ({ engine, output }) => {
    const item = await engine.cases.setComment({ id, text });
    output.result(item, () => queued(item));
  };
}

/** Queues reopening a closed case. */
export function reopen(id: string, reason: string): Command {
  return async ({ engine, output }) => {
    const item = await engine.cases.reopen({ id, reason });
    output.result(item, () => queued(item));
  };
}

export interface AmountsArguments {
  /** As the user types them in Switzerland, or `none`; an absent value stays unchanged. */
  readonly estimate?: string;
  readonly approved?: string;
}

/** Queues the amounts. */
export function amounts(id: string, { estimate, approved }: AmountsArguments): Command {
  return async ({ engine, output }) => {
    if (estimate === undefined && approved === undefined)
      throw new UsageError('Needed is --estimate or --approved, with an amount or none.');
    const item = await engine.cases.setAmounts({
      id,
      costEstimateRappen: amountOf('costEstimateRappen', estimate),
      approvedRappen: amountOf('approvedRappen', approved),
    });
    output.result(item, () => queued(item));
  };
}

/** An amount as typed; null for `none`. @throws {DeskError} amount_* */
export function amountOf(field: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  const parsed = parseAmount(text, amountMaxRappen);
  if (parsed.ok && parsed.rappen !== null) return parsed.rappen;
  const problem = parsed.ok ? 'not_a_number' : parsed.problem;
  throw new DeskError(`amount_${problem}`, { field, value: text, max: amountMaxRappen });
}

export interface ReportArguments {
  readonly file: readonly string[];
  readonly salvage: readonly string[];
  readonly comment?: string;
  readonly submit?: boolean;
  /** Name or id. */
  readonly template?: string;
  readonly pdf?: boolean;
}

interface ReportFile {
  readonly path: string;
  readonly fileName: string;
  readonly isSalvageSale: boolean;
}

/**
 * Puts a report together from files, in their order with salvage sales last, and queues it with
 * `submit` or a template; otherwise it stays a draft. All files or none: one that is refused leaves nothing.
 */
export function report(id: string, args: ReportArguments): Command {
  return async ({ engine, output }) => {
    const files = [
      ...args.file.map((path) => reportFile(path, false)),
      ...args.salvage.map((path) => reportFile(path, true)),
    ];
    const { template, pdf: asPdf = false } = args;
    if (asPdf && template === undefined)
      throw new UsageError('--pdf goes with --template, which names the document.');
    for (const file of files) await assertReadable(file);
    const draft = await engine.makeReport(id, {
      ...(template !== undefined && { template: { name: template, asPdf } }),
      comment: args.comment ?? '',
      files: files.map(({ path, fileName, isSalvageSale }) => ({
        fileName,
        isSalvageSale,
        content: readLater(path),
      })),
      submit: args.submit ?? template !== undefined,
    });
    const strippedPictures = draft.attachments.filter(isStripped).map(({ fileName }) => fileName);
    if (strippedPictures.length > 0) output.remark(strippedFrom(strippedPictures.join(', ')));
    const remarks = { strippedPictures, protectedFiles: remarkOnProtected(output, draft) };
    if (draft.queueId === null) output.result({ ...draft, ...remarks }, () => draftSaved(draft.id));
    else {
      const item = await engine.queue.get({ id: draft.queueId });
      output.result({ ...item, ...remarks }, () => queued(item));
    }
  };
}

/** Printed about pictures, which are the only files that are not sent byte for byte. */
export const strippedFrom = (pictures: string) =>
  `Sent without place, device and other hidden data: ${pictures}. Pixels, orientation, colour profile and, but for a TIFF, the time of capture are unchanged, and so are your files.`;

/** Names the files that the insurer can open with a password only. */
export function remarkOnProtected(output: Output, { attachments }: ReportDraft): string[] {
  const names = attachments.filter(({ details }) => details.isProtected).map((one) => one.fileName);
  for (const name of names)
    output.remark(`${name} is protected with a password: the insurer cannot open it without.`);
  return names;
}

export const draftSaved = (draftId: string) =>
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
  assertNotSpecial(path);
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
