import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { amountMaxRappen } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { QueueItem } from '#shared/desk/delivery/queue.ts';
import { parseAmount } from '#shared/lib/money.ts';
import { assertFileName, assertFileSize, damageKind, typeOfName } from '#shared/lib/file-type.ts';
import { isConverted, isStripped } from '#main/engine/work/attachment-rows.ts';
import { assertNotSpecial } from '#main/engine/disk/regular-file.ts';
import { isOnlyInCloud, wholeFile } from '#main/engine/disk/whole-file.ts';
import { UsageError } from '#shared/lib/usage-error.ts';
import type { ReportDraft } from '#shared/desk/reports/reports.ts';
import type { Command } from '../command.ts';
import type { Output } from '../output.ts';

/** The message about a queue row that was just created. */
export const queued = ({ id }: QueueItem) =>
  `Saved on this device as entry ${String(id)} of the outbox.`;

/** Queues the comment. */
export function comment(id: string, text: string): Command {
  return async ({ engine, output }) => {
    const item = await engine.cases.setComment({ id, text });
    output.result(item, () => queued(item));
  };
}

/** Queues the reopening of a closed case. */
export function reopen(id: string, reason: string): Command {
  return async ({ engine, output }) => {
    const item = await engine.cases.reopen({ id, reason });
    output.result(item, () => queued(item));
  };
}

export interface AmountsArguments {
  /** The amount as typed in Switzerland, or `none`; if absent, it stays unchanged. */
  readonly estimate?: string;
  readonly approved?: string;
}

/** Queues the amounts. */
export function amounts(id: string, { estimate, approved }: AmountsArguments): Command {
  return async ({ engine, output }) => {
    if (estimate === undefined && approved === undefined)
      throw new UsageError('Give --estimate or --approved, with an amount or none.');
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
  /** The name or id of the template. */
  readonly template?: string;
  readonly pdf?: boolean;
  /** PDFs and pictures that become one PDF with the report. */
  readonly annex: readonly string[];
  /** The most megabytes of the one PDF. */
  readonly pdfSize?: number;
}

interface ReportFile {
  readonly path: string;
  readonly fileName: string;
  readonly isSalvageSale: boolean;
}

/**
 * Makes a report from files, in their order with salvage sales last. With `submit` or a template it
 * is queued; otherwise it stays a draft. If one file is refused, nothing is stored.
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
    const annexes = args.annex.map((path) => reportFile(path, false));
    if (annexes.length > 0 && !asPdf && (template !== undefined || args.file.length === 0))
      throw new UsageError('--annex goes with --pdf, or with the report as a PDF in --file.');
    if (args.pdfSize !== undefined && annexes.length === 0)
      throw new UsageError('--pdf-size goes with --annex.');
    for (const file of [...files, ...annexes]) await assertReadable(file);
    const incoming = ({ path, fileName, isSalvageSale }: ReportFile) => ({
      fileName,
      isSalvageSale,
      // The file is opened only when it is read, so that a hundred photos are not a hundred open
      // files.
      content: wholeFile(path),
    });
    const draft = await engine.makeReport(id, {
      ...(template !== undefined && { template: { name: template, asPdf } }),
      comment: args.comment ?? '',
      files: files.map(incoming),
      ...(annexes.length > 0 && {
        annexes: {
          files: annexes.map(incoming),
          ...(args.pdfSize !== undefined && { maxBytes: args.pdfSize * 1_000_000 }),
        },
      }),
      submit: args.submit ?? template !== undefined,
    });
    const strippedPictures = draft.attachments.filter(isStripped).map(({ fileName }) => fileName);
    const convertedPictures = draft.attachments.filter(isConverted).map(({ fileName }) => fileName);
    if (strippedPictures.length > 0) output.remark(strippedFrom(strippedPictures.join(', ')));
    if (convertedPictures.length > 0) output.remark(convertedTo(convertedPictures.join(', ')));
    const remarks = {
      strippedPictures,
      convertedPictures,
      protectedFiles: remarkOnProtected(output, draft),
      ...remarkOnDamage(output, draft),
      hiddenAnswers: remarkOnAnswers(output, draft),
    };
    if (draft.queueId === null) output.result({ ...draft, ...remarks }, () => draftSaved(draft.id));
    else {
      const item = await engine.queue.get({ id: draft.queueId });
      output.result({ ...item, ...remarks }, () => queued(item));
    }
  };
}

/**
 * The message about pictures whose hidden data were removed; all other files are sent byte for
 * byte.
 */
export const strippedFrom = (pictures: string) =>
  `Sent without place, device and other hidden data: ${pictures}. Pixels, orientation, colour profile and, but for a TIFF, the time of capture are unchanged, and so are your files.`;

/** The message about pictures of a kind that cannot be stripped. */
export const convertedTo = (pictures: string) =>
  `Made a JPEG of a HEIC, with the time of capture and nothing else that is hidden: ${pictures}. Your files are unchanged.`;

/** Lists the files that the insurer can open only with a password. */
export function remarkOnProtected(output: Output, { attachments }: ReportDraft): string[] {
  const names = attachments.filter(({ details }) => details.isProtected).map((one) => one.fileName);
  for (const name of names)
    output.remark(`${name} is protected with a password: the insurer cannot open it without.`);
  return names;
}

const damageWords = { looksCut: 'looks cut off', looksDamaged: 'looks damaged' } as const;
const damageAdvice = {
  looksCut: 'its end may be missing',
  looksDamaged: 'parts of it may be wrong',
};

/** What the user reads of a file that is likely not as it was written. */
export const sayDamage = (fileName: string): string =>
  damageWords[damageKind(typeOfName(fileName))];

/** Names the files that are likely not as they were written, by what they lack. */
export function remarkOnDamage(output: Output, { attachments }: ReportDraft) {
  const names = { looksCut: [] as string[], looksDamaged: [] as string[] };
  for (const { details, fileName } of attachments) {
    if (!details.looksDamaged) continue;
    const kind = damageKind(typeOfName(fileName));
    names[kind].push(fileName);
    output.remark(`${fileName} ${damageWords[kind]}: ${damageAdvice[kind]}. Open it and look.`);
  }
  return { damagedPictures: names.looksDamaged, cutMails: names.looksCut };
}

/** Names the PDFs whose forms have answers that the viewer does not show for certain. */
export function remarkOnAnswers(output: Output, { attachments }: ReportDraft): string[] {
  const names = attachments
    .filter(({ details }) => details.hidesAnswers)
    .map(({ fileName }) => fileName);
  for (const name of names)
    output.remark(`${name} is a form with answers that readers may not show. Open it and look.`);
  return names;
}

export const draftSaved = (draftId: string) => `Draft ${draftId} is saved; --submit submits it.`;

function reportFile(path: string, isSalvageSale: boolean): ReportFile {
  return { path, fileName: basename(path), isSalvageSale };
}

/** Refuses a file before anything is created, if this is possible without reading the content. */
async function assertReadable({ path, fileName }: ReportFile): Promise<void> {
  assertNotSpecial(path);
  assertFileName(fileName);
  if (await isOnlyInCloud(path)) throw new DeskError('file_in_cloud', { fileName });
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
