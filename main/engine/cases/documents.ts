import type { DeskError } from '#shared/desk/contract/errors.ts';
import type { CaseDocument } from '#shared/desk/reports/documents.ts';
import { wholeList } from '#shared/lib/whole-list.ts';
import { logFault, toDeskError } from '#main/log/faults.ts';
import { BlobDamagedError } from '../blobs/file-blob-store.ts';
import { type ByteRange, type FileStream, fileStream } from '../blobs/file-stream.ts';
import type { DocumentRecord } from '../cache/document-store.ts';
import { fetchList } from '../sync/fetch-documents.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { findCase, whyUnknown } from './case-view.ts';

/**
 * The partner's documents of a case.
 * @param refresh reads the list from the partner first; if that fails and no list is known, the
 *   reason is returned
 */
export async function listDocuments(
  workspace: OpenWorkspace,
  { id: ref, refresh }: { readonly id: string; readonly refresh: boolean },
) {
  const { sync, cache, log } = workspace;
  const { id } = findCase(workspace, ref).record;
  let failure: DeskError | null = null;
  if (refresh) {
    await fetchList(sync.fetchContext(), id, 'person').catch((error: unknown) => {
      failure = toDeskError(error, 'documents.list', log);
      if (failure.code === 'internal') throw error;
      // A list that was never stored is unknown, and not empty.
      const isUnknown = cache.documents.list(id).listedAt === null;
      if (failure.code === 'disk_full' && isUnknown) throw failure;
      sync.noteUnreached(failure);
    });
  }
  const { items, listedAt } = cache.documents.list(id);
  const problem = whyUnknown(workspace, id, { listedAt, failure });
  return { ...wholeList(items.map(documentView)), listedAt, ...(problem && { problem }) };
}

/** Fetches a document if it is not on the laptop. */
export async function fetchDocument(
  workspace: OpenWorkspace,
  ref: string,
  documentId: string,
): Promise<CaseDocument> {
  const { id } = findCase(workspace, ref).record;
  return documentView(await workspace.fetcher.fetch(id, documentId));
}

function documentView({ blobId, ...document }: DocumentRecord): CaseDocument {
  return { ...document, onLaptop: blobId !== null };
}

/** The bytes of a document. If it is not on the laptop, it is fetched first. */
export async function openDocument(
  workspace: OpenWorkspace,
  ref: string,
  documentId: string,
  range?: ByteRange,
): Promise<FileStream> {
  const { fetcher, cacheFiles } = workspace;
  const document = await fetcher.fetch(findCase(workspace, ref).record.id, documentId);
  const file = fileStream(cacheFiles, document, range);
  file.stream.once('error', (error) => {
    if (!(error instanceof BlobDamagedError)) return;
    // If this fails (a full disk), the next opening finds the damage again.
    fetcher.forgetDamaged(document).catch(logFault('forget a damaged document', workspace.log));
  });
  return file;
}
