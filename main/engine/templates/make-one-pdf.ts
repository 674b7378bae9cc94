import { Readable } from 'node:stream';
import { documentMaxBytes } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { loadWindowTexts } from '#shared/i18n/catalogue.ts';
import type { Language } from '#shared/i18n/language.ts';
import { safeFileName } from '#shared/lib/safe-file-name.ts';
import type { SheetPhoto } from '#shared/pdf/photo-sheet.ts';
import { imageSizeOf } from '#shared/photos/photo-bytes.ts';
import { isPictureType } from '#shared/photos/picture-kinds.ts';
import { findCase } from '../cases/case-view.ts';
import type { PictureReducer } from '../photos/picture-reducer.ts';
import type { StoredAttachment, TakenFile } from '../work/attachment-rows.ts';
import { takeFile } from '../work/take-file.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { findFlaw, type SourcePages } from './one-pdf/find-flaw.ts';
import type {
  BindRefusal,
  BoundPart,
  OnePdfOrder,
  OnePdfReport,
  OnePdfThread,
  SeenPdf,
} from './one-pdf/one-pdf-thread.ts';
import { isPlaceable } from './photo-rows.ts';
import { bytesOf } from './template-library.ts';

/** What makes a PDF of several files. */
export interface BindingTools {
  readonly binder: OnePdfThread;
  readonly reducer: PictureReducer;
}

export interface OnePdfInput {
  readonly caseId: string;
  readonly language: Language;
  /** The report as a PDF that is stored. */
  readonly report: Pick<TakenFile, 'fileName' | 'blobId'>;
  /** PDFs and pictures, in their order. The pictures come last, as a photo sheet. */
  readonly annexes: readonly StoredAttachment[];
  readonly maxBytes?: number | undefined;
}

/** How much photos are reduced, one step after the other, until the PDF is small enough; pixels. */
const steps = [
  { sheetPhoto: 1200, photoEdge: null },
  { sheetPhoto: 900, photoEdge: 1800 },
  { sheetPhoto: 700, photoEdge: 1200 },
  { sheetPhoto: 500, photoEdge: 800 },
] as const;

/**
 * One PDF of a report and its annexes, with a list of them, page numbers and bookmarks. What was made
 * is opened and compared with its parts before it is stored.
 * @throws {DeskError} annex_not_bound, pdf_incomplete, file_too_large, disk_full
 */
export async function makeOnePdf(
  workspace: OpenWorkspace,
  { binder, reducer }: BindingTools,
  input: OnePdfInput,
): Promise<TakenFile> {
  const { caseId, language, report, annexes, maxBytes = documentMaxBytes } = input;
  const { onePdf } = (await loadWindowTexts[language]()).templates;
  const { externalKey, partyName } = findCase(workspace, caseId).record;
  const fileName = safeFileName(
    `${report.fileName.replace(/\.[^.]+$/, '')} ${onePdf.withAnnexes}.pdf`,
  );
  const files = [report, ...annexes.filter((file) => !isPicture(file))];
  const pictures = annexes.filter(isPicture);
  for (const annex of annexes) assertBindable(annex);
  const ask = asker(binder, fileName);
  const parts: BoundPart[] = [];
  const sources: SourcePages[] = [];
  for (const file of files) {
    const bytes = await readPdf(workspace, file);
    sources.push({ ...(await lookAt(ask, file.fileName, bytes)), title: file.fileName });
    parts.push({ bytes, title: file.fileName });
  }
  const words = {
    title: fileName.replace(/\.pdf$/, ''),
    about: [externalKey, partyName].filter((part) => part !== '').join(' · '),
    report: onePdf.report,
    annexes: onePdf.annexes,
    page: onePdf.page,
  };
  let sizeBytes = 0;
  for (const { sheetPhoto, photoEdge } of steps) {
    const sheet = await sheetOf(
      workspace,
      { reducer, ask, language, about: words.about },
      {
        pictures,
        edge: sheetPhoto,
      },
    );
    const [first, ...others] = parts;
    if (!first) break;
    const bound = await ask({
      kind: 'bind',
      report: first,
      annexes: [...others, ...(sheet ? [sheet] : [])],
      words,
      photoEdge,
    });
    if ('refused' in bound) throw notBound(files[bound.at]?.fileName ?? fileName, bound.refused);
    if (!('pdf' in bound)) break;
    sizeBytes = bound.pdf.length;
    if (sizeBytes > maxBytes) continue;
    const seen = await lookAt(ask, fileName, bound.pdf);
    const seenSheet = sheet && (await lookAt(ask, sheet.title, sheet.bytes));
    const [own, ...ofAnnexes] = sources;
    if (sheet && seenSheet) ofAnnexes.push({ ...seenSheet, title: sheet.title });
    const flaw = own ? findFlaw(seen, own, ofAnnexes, words) : fileName;
    if (flaw !== null) throw new DeskError('pdf_incomplete', { fileName, thing: flaw });
    await binder.end();
    return await takeFile(workspace, { fileName, content: Readable.from([bound.pdf]) });
  }
  throw new DeskError('file_too_large', { fileName, sizeBytes, maxBytes });
}

const isPicture = ({ contentType }: StoredAttachment): boolean => isPictureType(contentType);

/** Whether a file of a report can be an annex: a PDF, or a picture that is ready to be sent. */
export const isAnnex = (file: StoredAttachment): boolean =>
  isPicture(file) ? isPlaceable(file) : file.contentType === 'application/pdf';

/** @throws {DeskError} annex_not_bound */
function assertBindable(file: StoredAttachment): void {
  if (isAnnex(file)) return;
  throw notBound(file.fileName, isPicture(file) ? 'annex_unready' : 'annex_kind');
}

const notBound = (fileName: string, rule: BindRefusal | 'annex_kind' | 'annex_unready') =>
  new DeskError('annex_not_bound', { fileName, rule });

type Ask = (order: OnePdfOrder) => Promise<OnePdfReport>;

/** @throws {DeskError} pdf_not_made if an order takes too long or too much memory */
const asker =
  (binder: OnePdfThread, fileName: string): Ask =>
  async (order) => {
    const answer = await binder.ask(order);
    if (answer) return answer;
    throw new DeskError('pdf_not_made', { fileName });
  };

/** A PDF that the viewer shows. @throws {DeskError} annex_not_bound */
async function readPdf(
  { workFiles, checker }: OpenWorkspace,
  { fileName, blobId }: Pick<TakenFile, 'fileName' | 'blobId'>,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await bytesOf(workFiles, blobId);
  const { kind } = await checker.check({ bytes: bytes.slice(), contentType: 'application/pdf' });
  if (kind === 'readable') return bytes;
  throw notBound(fileName, 'annex_unreadable');
}

async function lookAt(
  ask: Ask,
  fileName: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<SeenPdf> {
  const answer = await ask({ kind: 'look', bytes });
  if ('seen' in answer) return answer.seen;
  throw new DeskError('pdf_not_made', { fileName });
}

/** The pictures as a photo sheet, with their captions; null if there are none. */
async function sheetOf(
  { workFiles }: OpenWorkspace,
  how: { reducer: PictureReducer; ask: Ask; language: Language; about: string },
  { pictures, edge }: { pictures: readonly StoredAttachment[]; edge: number },
): Promise<BoundPart | null> {
  if (pictures.length === 0) return null;
  const words = await loadWindowTexts[how.language]();
  const photos: SheetPhoto[] = [];
  for (const { blobId, fileName, details } of pictures) {
    const box = { width: edge, height: edge };
    const reduced = await how.reducer.reduce({ bytes: await bytesOf(workFiles, blobId), box });
    const bytes = reduced ?? (await bytesOf(workFiles, blobId));
    const size = imageSizeOf(bytes);
    if (!size) throw notBound(fileName, 'annex_unreadable');
    const caption = `${photos.length + 1}  ${details.caption || fileName}`;
    const group = details.group === null ? '' : words.photos.groups[details.group];
    photos.push({ bytes, ...size, caption, group });
  }
  await how.reducer.end();
  const title = words.templates.sections.photos;
  const layout = { title, about: how.about, logo: null, footer: how.about, perPage: 4 } as const;
  const made = await how.ask({ kind: 'sheet', sheet: { ...layout, photos } });
  return 'pdf' in made ? { bytes: made.pdf, title } : null;
}
