import type { CaseDocument } from '#shared/desk/documents.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { logFault, toDeskError } from '#main/log/faults.ts';
import type { ScansState } from '#shared/desk/scans.ts';
import type { Storage } from '#shared/desk/storage.ts';
import { BlobDamagedError, type BlobStore } from '../blobs/file-blob-store.ts';
import type { DocumentRecord } from '../cache/document-store.ts';
import type { ByteRange, FileStream, Handlers, EngineOptions } from '../engine.ts';
import type { OpenedCopies } from '../home/opened-copies.ts';
import { fetchList } from '../sync/fetch-documents.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { findCase, whyUnknown, wholeList } from './case-view.ts';
import type { DeskParts } from '../workspace/current-workspace.ts';
import { storageFigures } from '../workspace/retention.ts';

export function documentCalls(
  opened: () => OpenWorkspace,
  { copies, handOver }: { copies: OpenedCopies; handOver: EngineOptions['handOver'] },
): Handlers['documents'] {
  /** By document: the user has one mouse. */
  const drags = new Map<string, { isOver: boolean }>();
  return {
    async list({ id: ref, refresh }) {
      const workspace = opened();
      const { id } = findCase(workspace, ref).record;
      let failure: DeskError | null = null;
      if (refresh) {
        await fetchList(workspace.sync.fetchContext(), id, 'person').catch((error: unknown) => {
          failure = toDeskError(error, 'documents.list', workspace.log);
          if (failure.code === 'internal') throw error;
          // A list that was never stored is not an empty one.
          const isUnknown = workspace.cache.documents.list(id).listedAt === null;
          if (failure.code === 'disk_full' && isUnknown) throw failure;
          workspace.sync.noteUnreached(failure);
        });
      }
      const { items, listedAt } = workspace.cache.documents.list(id);
      const problem = whyUnknown(workspace, id, { listedAt, failure });
      return { ...wholeList(items.map(documentView)), listedAt, ...(problem && { problem }) };
    },
    async fetch({ caseId: ref, documentId }) {
      const workspace = opened();
      const { id } = findCase(workspace, ref).record;
      return documentView(await workspace.fetcher.fetch(id, documentId));
    },
    totals({ id }) {
      const workspace = opened();
      return wholeList(
        workspace.cache.documents.index.totals.of(findCase(workspace, id).record.id),
      );
    },
    async handOver({ caseId, documentId, to }) {
      const drag = { isOver: false };
      if (to === 'drop') drags.set(documentId, drag);
      try {
        const document = await openDocument(opened(), caseId, documentId);
        const path = await copies.add(document);
        // The system would drop it on what is under the pointer by now.
        if (!drag.isOver && (await handOver?.(path, to))) return {};
        copies.remove(path);
        const { fileName } = document;
        throw new DeskError(drag.isOver ? 'drag_let_go' : 'no_program', { fileName });
      } finally {
        drags.delete(documentId);
      }
    },
    letGo({ documentId }) {
      const drag = drags.get(documentId);
      if (drag) drag.isOver = true;
      return {};
    },
  };
}

function documentView({ blobId, ...document }: DocumentRecord): CaseDocument {
  return { ...document, onLaptop: blobId !== null };
}

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
    // If it cannot be forgotten now (a full disk), the next opening meets the damage again.
    fetcher.forgetDamaged(document).catch(logFault('forget a damaged document', workspace.log));
  });
  return file;
}

/** A stored file as it is returned. */
export function fileStream(
  files: BlobStore,
  file: { blobId: string; fileName: string; contentType: string; sizeBytes: number },
  range?: ByteRange,
): FileStream {
  const { blobId, fileName, contentType, sizeBytes } = file;
  return { stream: files.open(blobId, range), fileName, contentType, sizeBytes };
}

/**
 * The window recognizes the text of scans page by page; the engine names the page, and stores the
 * text.
 */
export function scanCalls(
  opened: () => OpenWorkspace,
  { settings, emit }: Pick<DeskParts, 'settings' | 'emit'>,
): Handlers['scans'] {
  const scans = () => opened().cache.documents.scans;
  const state = (): ScansState => ({
    ...settings.textRecognition,
    waiting: scans().countWaiting(),
  });
  /** Every window reads the state of the document again. */
  const changed = (caseId: string, isChanged: boolean) => {
    if (isChanged) emit({ type: 'documents.changed', caseId });
    return {};
  };
  return {
    state,
    setAutomatic({ isAutomatic }) {
      settings.setTextRecognition(isAutomatic);
      emit({ type: 'desk.changed' });
      return state();
    },
    of: ({ id }) => wholeList(scans().of(findCase(opened(), id).record.id)),
    next({ document }) {
      const { isAllowed, isAutomatic } = settings.textRecognition;
      const isWanted = document === undefined ? isAutomatic : isAllowed;
      return { page: isWanted ? scans().next(document) : null };
    },
    recognized: (page) => changed(page.caseId, scans().recognize(page)),
    refused: ({ fault, ...page }) => changed(page.caseId, scans().refuse(page, fault)),
  };
}

/** Which of the partner's documents are stored, and their size. */
export function storageCalls(
  opened: () => OpenWorkspace,
  { settings, emit }: Pick<DeskParts, 'settings' | 'emit'>,
): Handlers['storage'] {
  const storage = (): Storage => {
    const rule = settings.documentRule();
    return {
      ...rule,
      ...storageFigures(opened(), rule),
    };
  };
  return {
    get: storage,
    async setRule(input) {
      settings.setDocumentRule(input);
      await opened().purge();
      emit({ type: 'desk.changed' });
      return storage();
    },
    async free() {
      await opened().freeStorage();
      return storage();
    },
  };
}
