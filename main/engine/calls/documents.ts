import { DeskError } from '#shared/desk/contract/errors.ts';
import type { ScansState } from '#shared/desk/reports/scans.ts';
import type { Storage } from '#shared/desk/setup/storage.ts';
import { wholeList } from '#shared/lib/whole-list.ts';
import { findCase } from '../cases/case-view.ts';
import { fetchDocument, listDocuments, openDocument } from '../cases/documents.ts';
import { choosePositions, readPositions } from '../cases/positions.ts';
import type { EngineOptions, Handlers } from '../engine.ts';
import type { OpenedCopies } from '../home/opened-copies.ts';
import type { DeskParts } from '../workspace/current-workspace.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { storageFigures } from '../workspace/retention.ts';

export function documentCalls(
  opened: () => OpenWorkspace,
  { copies, handOver }: { copies: OpenedCopies; handOver: EngineOptions['handOver'] },
): Handlers['documents'] {
  /** The current drag of each document. */
  const drags = new Map<string, { isOver: boolean }>();
  return {
    list: (input) => listDocuments(opened(), input),
    fetch: ({ caseId, documentId }) => fetchDocument(opened(), caseId, documentId),
    totals({ id }) {
      const workspace = opened();
      return wholeList(
        workspace.cache.documents.index.totals.of(findCase(workspace, id).record.id),
      );
    },
    positions: (input) => readPositions(opened(), input),
    choosePositions: (choice) => choosePositions(opened(), choice),
    async handOver({ caseId, documentId, to }) {
      const drag = { isOver: false };
      if (to === 'drop') drags.set(documentId, drag);
      try {
        const document = await openDocument(opened(), caseId, documentId);
        const path = await copies.add(document);
        // The button was released, so the system would drop the file on whatever is under the
        // pointer now.
        if (!drag.isOver && (await handOver?.(path, to))) return {};
        copies.remove(path);
        const { fileName } = document;
        throw new DeskError(drag.isOver ? 'drag_let_go' : 'no_program', { fileName });
      } finally {
        // The user may have begun another drag of the document meanwhile.
        if (drags.get(documentId) === drag) drags.delete(documentId);
      }
    },
    letGo({ documentId }) {
      const drag = drags.get(documentId);
      if (drag) drag.isOver = true;
      return {};
    },
  };
}

/**
 * The window recognizes the text of scans page by page. The engine chooses the page and stores the
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
  /** Every window then reads the state of the document again. */
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
    next({ document, billsOf }) {
      const { isAllowed, isAutomatic } = settings.textRecognition;
      const isByItself = document === undefined && billsOf === undefined;
      const isWanted = isByItself ? isAutomatic : isAllowed;
      return { page: isWanted ? scans().next(document, billsOf) : null };
    },
    recognized: (page) => changed(page.caseId, scans().recognize(page)),
    refused: ({ fault, ...page }) => changed(page.caseId, scans().refuse(page, fault)),
  };
}

/** The rule for the partner's documents on this laptop, and their size. */
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
