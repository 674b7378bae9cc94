import { DeskError } from '#shared/desk/errors.ts';
import type { CaseDocument, CaseDocumentList } from '#shared/desk/documents.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { CaseRecord } from '../cache/case-records.ts';
import type { DocumentRecord } from '../cache/document-store.ts';
import type { ByteRange, FileStream } from '../engine.ts';
import { fetchContent, fetchList } from '../sync/fetch-documents.ts';
import { toDeskError } from '../sync/failures.ts';
import type { OpenWorkspace } from './open-workspace.ts';

function documentView({ blobId, ...document }: DocumentRecord): CaseDocument {
  return { ...document, onLaptop: blobId !== null };
}

/** A case's documents; `refresh` asks the server first and settles for the cache where it cannot. */
export async function listDocuments(
  workspace: OpenWorkspace,
  { id }: CaseRecord,
  refresh: boolean,
): Promise<CaseDocumentList> {
  if (refresh) {
    await fetchList(workspace.sync.fetchContext(), id, 'person').catch((error: unknown) => {
      if (toDeskError(error).code === 'internal') throw error;
    });
  }
  const { items, listedAt } = workspace.cache.documents.list(id);
  return { items: items.map(documentView), total: items.length, listedAt };
}

/** One fetch per document at a time, however many ask for it. */
export class DocumentFetcher {
  readonly #workspace: OpenWorkspace;
  readonly #fetching = new Map<string, Promise<void>>();

  constructor(workspace: OpenWorkspace) {
    this.#workspace = workspace;
  }

  /**
   * Brings one document onto the laptop, before any background work.
   * @throws {DeskError} document_not_found, offline and its kin
   */
  async fetch(caseId: string, documentId: string): Promise<DocumentRecord & { blobId: string }> {
    const here = this.#onLaptop(caseId, documentId);
    if (here) return here;
    const key = `${caseId} ${documentId}`;
    let fetching = this.#fetching.get(key);
    if (!fetching) {
      fetching = this.#fetch(caseId, documentId).finally(() => this.#fetching.delete(key));
      this.#fetching.set(key, fetching);
    }
    await fetching;
    const fetched = this.#onLaptop(caseId, documentId);
    if (!fetched) throw new DeskError('document_not_found');
    return fetched;
  }

  #onLaptop(caseId: string, documentId: string): (DocumentRecord & { blobId: string }) | null {
    const found = this.#workspace.cache.documents.find(caseId, documentId);
    const blobId = found?.blobId ?? null;
    if (!found || blobId === null) return null;
    return this.#workspace.cacheFiles.has(blobId) ? { ...found, blobId } : null;
  }

  async #fetch(caseId: string, documentId: string): Promise<void> {
    const context = this.#workspace.sync.fetchContext();
    const { documents } = this.#workspace.cache;
    if (!documents.find(caseId, documentId)) await fetchList(context, caseId, 'person');
    const document = documents.find(caseId, documentId);
    if (!document) throw new DeskError('document_not_found');
    await fetchContent(context, document, 'person');
  }

  /** A damaged content is no content: whoever opens the document next has it fetched again. */
  async forgetDamaged({ caseId, id, blobId }: DocumentRecord & { blobId: string }): Promise<void> {
    const { cache, cacheFiles } = this.#workspace;
    if (cache.documents.find(caseId, id)?.blobId !== blobId) return;
    cache.documents.setBlob(caseId, id, null);
    await cacheFiles.delete(blobId);
  }

  async view(caseId: string, documentId: string): Promise<CaseDocument> {
    return documentView(await this.fetch(caseId, documentId));
  }
}

/** A stored file as it is given out. */
export function fileStream(
  files: BlobStore,
  file: { blobId: string; fileName: string; contentType: string; sizeBytes: number },
  range?: ByteRange,
): FileStream {
  const { blobId, fileName, contentType, sizeBytes } = file;
  return { stream: files.open(blobId, range), fileName, contentType, sizeBytes };
}
