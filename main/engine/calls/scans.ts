import type { ScansState } from '#shared/desk/scans.ts';
import type { Handlers } from '../engine.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { findCase } from './case-view.ts';
import type { DeskParts } from './desk.ts';

/** The window recognizes the text of scans page by page; the engine says which, and keeps it. */
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
    of({ id }) {
      const items = scans().of(findCase(opened(), id).record.id);
      return { items, total: items.length };
    },
    next({ document }) {
      const { isAllowed, isAutomatic } = settings.textRecognition;
      const isWanted = document === undefined ? isAutomatic : isAllowed;
      return { page: isWanted ? scans().next(document) : null };
    },
    recognized: (page) => changed(page.caseId, scans().recognize(page)),
    refused: ({ fault, ...page }) => changed(page.caseId, scans().refuse(page, fault)),
  };
}
