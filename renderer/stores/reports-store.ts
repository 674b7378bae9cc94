import { defineStore } from 'pinia';
import { shallowReactive, shallowRef } from 'vue';
import { DeskError } from '#shared/desk/contract/desk-error.ts';
import type { ReportDraft, SentReport } from '#shared/desk/reports/reports.ts';
import { unlessWorkedOn } from '../lib/report-check.ts';
import { useTransport } from '../transport/transport.ts';
import { useAutosave } from './autosave.ts';
import { useDraftFilesStore } from './draft-files-store.ts';
import { useLiveMap } from './live-data.ts';
import { useLiveStore } from './live-store.ts';
import { useUndoStore } from './undo-store.ts';

/** The interval between two readings. Lists of reports change with each file of a draft. */
const readEveryMs = 1000;

/** The reports of cases: drafts that are begun, discarded or queued, and reports that were sent. */
export const useReportsStore = defineStore('reports', () => {
  const { client } = useTransport();
  const undos = useUndoStore();
  const draftFiles = useDraftFilesStore();
  const { keep, openDraft } = draftFiles;
  const {
    data: lists,
    problems,
    load,
    change,
  } = useLiveMap((id, refresh = false) => client.reports.list({ id, refresh }), {
    changedBy: (event) => (event.type === 'reports.changed' ? [event.caseId] : []),
    everyMs: readEveryMs,
  });

  async function begin(caseId: string): Promise<ReportDraft> {
    const draft = keep(await client.reports.createDraft({ id: caseId }));
    await load(caseId);
    return draft;
  }
  /** The drafts that are being created, by the id of the case. */
  const creating = new Map<string, Promise<ReportDraft>>();
  /** Creates a draft. Whoever asks again in the meantime, as by a double click, gets the same one. */
  function createDraft(caseId: string): Promise<ReportDraft> {
    const begun = creating.get(caseId) ?? begin(caseId).finally(() => void creating.delete(caseId));
    creating.set(caseId, begun);
    return begun;
  }

  /** The progress of fetching the files of a sent report; null if no files are being fetched. */
  const fetchingReport = shallowRef<{ done: number; total: number } | null>(null);
  useLiveStore().on((event) => {
    if (event.type === 'task.progress' && event.task === 'report')
      fetchingReport.value = { done: event.done, total: event.total };
  });
  /**
   * The names of documents without which a revision began, by the id of the draft. Their content
   * was not available.
   */
  const missing = shallowReactive(new Map<string, readonly string[]>());

  async function whileFetching<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } finally {
      fetchingReport.value = null;
    }
  }

  /** Reads what was sent in a submission. It is fetched if it is not on this laptop. */
  async function readSent(caseId: string, submissionId: string): Promise<SentReport> {
    const sent = await whileFetching(() => client.reports.sent({ id: caseId, submissionId }));
    await load(caseId);
    return sent;
  }

  /** Creates a draft that begins with the files of a submission. */
  async function revise(caseId: string, submissionId: string): Promise<ReportDraft> {
    const begun = await whileFetching(() => client.reports.revise({ id: caseId, submissionId }));
    if (begun.missing.length > 0) missing.set(begun.draft.id, begun.missing);
    return keep(begun.draft);
  }

  /**
   * Stores comments as they are typed. A comment that the engine would refuse waits until it is
   * shortened.
   */
  const comments = useAutosave({
    async save(draftId, text, by) {
      const comment = text ?? '';
      const draft = keep(await client.reports.updateDraft({ draftId, comment, by }));
      return { isLate: draft.comment !== comment };
    },
    show(draftId, comment) {
      draftFiles.changeDraft(draftId, (draft) => ({ ...draft, comment: comment ?? '' }));
    },
    readAgain: (draftId) => openDraft(draftId),
    keyOf: ({ place, id }) => (place === 'report' ? id : null),
  });
  const commentOf = (draftId: string): string =>
    comments.unstored.get(draftId) ?? draftFiles.drafts.get(draftId)?.comment ?? '';

  const discard = (draftId: string): Promise<void> =>
    undos.acting(async () => {
      await client.reports.discardDraft({ draftId });
      const undo = async () => keep(await client.reports.restoreDraft({ draftId }));
      undos.offer({ key: 'undo.draft', params: {}, undo });
      draftFiles.close(draftId);
      comments.drop(draftId);
    });

  function assertAtRest(draftId: string): void {
    if (!draftFiles.isAtRest(draftId)) throw new DeskError('draft_busy');
  }

  /**
   * Queues the draft, which no longer changes from then on.
   * @throws {DeskError} draft_busy while any window adds files to the draft or works on them
   */
  async function submit(draftId: string): Promise<void> {
    assertAtRest(draftId);
    await draftFiles.inTurn(draftId, async () => {
      // Work may have begun while this call waited for its turn.
      assertAtRest(draftId);
      await unlessWorkedOn(draftId, () => client.reports.submitDraft({ draftId }));
    });
    await openDraft(draftId);
  }

  return {
    lists,
    problems,
    load,
    change,
    createDraft,
    discard,
    submit,
    commentOf,
    setComment: comments.change,
    storeComment: comments.flush,
    commentStored: comments.storedOf,
    commentProblem: comments.problem,
    fetchingReport,
    missing,
    readSent,
    revise,
  };
});
