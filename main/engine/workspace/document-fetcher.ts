import { DeskError } from '#shared/desk/contract/errors.ts';
import type { BlobStore } from '../blobs/file-blob-store.ts';
import type { DocumentRecord } from '../cache/document-store.ts';
import type { Cache } from '../cache/open-cache.ts';
import { fetchContent, fetchList } from '../sync/fetch-documents.ts';
import type { Sync } from '../sync/sync.ts';

/** A document whose content is on the laptop. */
export type StoredDocument = DocumentRecord & { readonly blobId: string };

/**
 * Fetches documents that the user requests. If several callers request the same document, it is
 * fetched once.
 */
export class DocumentFetcher {
  readonly #cache: Cache;
  readonly #files: BlobStore;
  readonly #sync: Sync;
  readonly #fetching = new Map<string, Promise<void>>();

  constructor(parts: { cache: Cache; cacheFiles: BlobStore; sync: Sync }) {
    this.#cache = parts.cache;
    this.#files = parts.cacheFiles;
    this.#sync = parts.sync;
  }

  /**
   * Downloads one document before any background work.
   * @throws {DeskError} document_not_found, offline and similar errors
   */
  async fetch(caseId: string, documentId: string): Promise<StoredDocument> {
    const stored = this.#stored(caseId, documentId);
    if (stored) return stored;
    const key = `${caseId} ${documentId}`;
    let fetching = this.#fetching.get(key);
    if (!fetching) {
      fetching = this.#fetch(caseId, documentId).finally(() => this.#fetching.delete(key));
      this.#fetching.set(key, fetching);
    }
    await fetching;
    const fetched = this.#stored(caseId, documentId);
    if (!fetched) throw new DeskError('document_not_found');
    return fetched;
  }

  #stored(caseId: string, documentId: string): StoredDocument | null {
    const found = this.#cache.documents.find(caseId, documentId);
    const blobId = found?.blobId ?? null;
    if (!found || blobId === null) return null;
    return this.#files.has(blobId) ? { ...found, blobId } : null;
  }

  async #fetch(caseId: string, documentId: string): Promise<void> {
    const context = this.#sync.fetchContext();
    const { documents } = this.#cache;
    if (!documents.find(caseId, documentId)) await fetchList(context, caseId, 'person');
    const document = documents.find(caseId, documentId);
    if (!document) throw new DeskError('document_not_found');
    await fetchContent(context, document, 'person');
  }

  /** Removes a damaged content, so that the next opening of the document fetches it again. */
  async forgetDamaged({ caseId, id, blobId }: StoredDocument): Promise<void> {
    if (this.#cache.documents.find(caseId, id)?.blobId !== blobId) return;
    this.#cache.documents.setBlob(caseId, id, null);
    await this.#files.delete(blobId);
  }
}
