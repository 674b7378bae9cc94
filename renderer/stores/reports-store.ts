import { defineStore } from 'pinia';
import { computed, shallowReactive, shallowRef } from 'vue';
import type { CaseSummary } from '#shared/desk/cases.ts';
import { DeskError } from '#shared/desk/desk-error.ts';
import type { Attachment, ReportDraft, ReportList, SentReport } from '#shared/desk/reports.ts';
import type { DetailsChange } from '#shared/photos/details.ts';
import {
  assertTakeable,
  createPhotoIntake,
  inOrderOfCapture,
  madePhoto,
} from '../composables/photos/photo-intake.ts';
import { usePhotoStudio } from '../composables/photos/photo-studio.ts';
import type { IncomingFile } from '../composables/files.ts';
import { type DraftWork, unlessWorkedOn, whileWorkedOn } from '../composables/report-check.ts';
import { createTaskQueue, throttleByKey } from '../composables/tasks.ts';
import { thumbnails } from '../composables/thumbnails.ts';
import { useTransport } from '../transport/transport.ts';
import { toProblem, type Problem } from '../composables/problem.ts';
import { useAppearanceStore } from './appearance-store.ts';
import { useLiveStore } from './live-store.ts';
import { useUndoStore } from './undo-store.ts';

const showEveryMs = 250;
/** Lists and drafts of 500 files are long; changes announce themselves one by one. */
const readEveryMs = 1000;

/** Reports of cases, and drafts that are being put together. Drafts are stored by the engine. */
export const useReportsStore = defineStore('reports', () => {
  const { client, files } = useTransport();
  const live = useLiveStore();
  const undos = useUndoStore();
  const appearance = useAppearanceStore();
  const studio = usePhotoStudio();
  const intake = createPhotoIntake({ studio, files, rule: () => appearance.photos });
  const lists = shallowReactive(new Map<string, ReportList>());
  const drafts = shallowReactive(new Map<string, ReportDraft>());
  const problems = shallowReactive(new Map<string, Problem>());
  const incoming = shallowReactive(new Map<string, readonly IncomingFile[]>());
  /** What is being done to the files of drafts in this window. */
  const working = shallowReactive(new Map<string, DraftWork>());
  /** Files in whose place others come just now. */
  const replaced = shallowReactive(new Set<string>());
  /** Whether files are on their way into a draft in this window. */
  const isAdding = (draftId: string): boolean =>
    (incoming.get(draftId) ?? []).some(({ problem }) => problem === null) ||
    (drafts.get(draftId)?.attachments ?? []).some(({ id }) => replaced.has(id));
  /** Files are on their way into some draft, or worked on in it. */
  const busy = computed(
    () => working.size > 0 || replaced.size > 0 || [...incoming.keys()].some(isAdding),
  );
  /** What is written to a draft, one after the other: an order must name each file once. */
  const turns = new Map<string, ReturnType<typeof createTaskQueue>>();
  function inTurn<T>(draftId: string, task: () => Promise<T>): Promise<T> {
    const take = turns.get(draftId) ?? createTaskQueue();
    turns.set(draftId, take);
    return take(task);
  }
  let nextKey = 0;

  /** @param refresh asks the server first; without a network the laptop's knowledge is given. */
  async function load(caseId: string, refresh = false): Promise<void> {
    try {
      lists.set(caseId, await client.reports.list({ id: caseId, refresh }));
      problems.delete(caseId);
    } catch (error) {
      problems.set(caseId, toProblem(error));
    }
  }

  const keep = (draft: ReportDraft): ReportDraft => {
    drafts.set(draft.id, draft);
    return draft;
  };

  async function openDraft(draftId: string): Promise<void> {
    try {
      keep(await client.reports.getDraft({ draftId }));
      problems.delete(draftId);
    } catch (error) {
      problems.set(draftId, toProblem(error));
    }
  }

  /** Every open draft, with the case that it belongs to. */
  const openDrafts = shallowRef<readonly { draft: ReportDraft; summary: CaseSummary }[]>([]);
  async function loadDrafts(): Promise<void> {
    const { items } = await client.reports.drafts();
    openDrafts.value = await Promise.all(
      items.map(async (draft) => ({
        draft,
        summary: await client.cases.get({ id: draft.caseId }),
      })),
    );
  }

  async function createDraft(caseId: string): Promise<ReportDraft> {
    const draft = keep(await client.reports.createDraft({ id: caseId }));
    await load(caseId);
    return draft;
  }

  /** How far the files of a sent report are fetched; null if none is. */
  const fetchingReport = shallowRef<{ done: number; total: number } | null>(null);
  /**
   * Names of documents that a revision began without, by draft: no content of them was to be had.
   */
  const missing = shallowReactive(new Map<string, readonly string[]>());

  async function whileFetching<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } finally {
      fetchingReport.value = null;
    }
  }

  /** What was sent in a submission, fetched if it is not on this laptop. */
  async function readSent(caseId: string, submissionId: string): Promise<SentReport> {
    const sent = await whileFetching(() => client.reports.sent({ id: caseId, submissionId }));
    await load(caseId);
    return sent;
  }

  /** A new draft that begins with the files of a submission. */
  async function revise(caseId: string, submissionId: string): Promise<ReportDraft> {
    const begun = await whileFetching(() => client.reports.revise({ id: caseId, submissionId }));
    if (begun.missing.length > 0) missing.set(begun.draft.id, begun.missing);
    return keep(begun.draft);
  }

  /** Puts another file in the place of one; a refused file leaves the draft as it was. */
  async function replace(draftId: string, attachmentId: string, file: File): Promise<void> {
    replaced.add(attachmentId);
    try {
      await whileWorkedOn(draftId, async () => {
        const prepared = await intake.prepared(file);
        await inTurn(draftId, () => files.replaceAttachment(draftId, attachmentId, file));
        if (prepared?.jpeg) {
          const rendition = { editVersion: 0, takenAt: prepared.takenAt, page: 0 };
          const made = madePhoto(file.name, prepared.jpeg, rendition);
          await inTurn(draftId, () => files.setRendition(draftId, attachmentId, made));
        }
        await openDraft(draftId);
      });
    } finally {
      replaced.delete(attachmentId);
    }
  }

  const setIncoming = (
    draftId: string,
    change: (entries: readonly IncomingFile[]) => readonly IncomingFile[],
  ): void => void incoming.set(draftId, change(incoming.get(draftId) ?? []));

  /**
   * Adds files one after the other in the given order; a refused one stays listed with its reason.
   */
  async function addFiles(draftId: string, given: readonly File[]): Promise<void> {
    const added = await inOrderOfCapture(given);
    const entries = added.map((file) => ({
      file,
      entry: { key: nextKey++, fileName: file.name, sizeBytes: file.size, problem: null },
    }));
    setIncoming(draftId, (list) => [...list, ...entries.map(({ entry }) => entry)]);
    // Shown a few times a second, not once for each of 500 files.
    let taken = new Map<number, readonly Attachment[]>();
    let shownAt = performance.now();
    const show = (): void => {
      const keys = taken;
      setIncoming(draftId, (list) => list.filter(({ key }) => !keys.has(key)));
      append(draftId, [...keys.values()].flat());
      taken = new Map();
      shownAt = performance.now();
    };
    const add = async ({ file, entry }: (typeof entries)[number]): Promise<void> => {
      try {
        await assertTakeable(file);
        taken.set(entry.key, await inTurn(draftId, () => intake.take(draftId, file, false)));
        if (performance.now() - shownAt > showEveryMs) show();
      } catch (error) {
        const problem = toProblem(error);
        setIncoming(draftId, (list) =>
          list.map((old) => (old.key === entry.key ? { ...old, problem } : old)),
        );
      }
    };
    await whileWorkedOn(draftId, async () => {
      for (const [index, one] of entries.entries()) {
        // The next photo is made ready while this one is stored.
        for (const { file } of entries.slice(index, index + 2)) intake.prepare(file);
        await add(one);
      }
    });
    show();
    // The engine reports how long the upload takes.
    await openDraft(draftId);
  }

  /** @param key of one refused file; absent, all of them. */
  const dismiss = (draftId: string, key?: number): void =>
    setIncoming(draftId, (list) =>
      list.filter((entry) => (key === undefined ? entry.problem === null : entry.key !== key)),
    );

  /** What is known already is not asked for again: with 500 files that would be 500 long lists. */
  function append(draftId: string, added: readonly Attachment[]): void {
    const draft = drafts.get(draftId);
    if (!draft) return;
    const known = new Set(draft.attachments.map(({ id }) => id));
    const attachments = [...draft.attachments, ...added.filter(({ id }) => !known.has(id))];
    keep({ ...draft, attachments });
  }

  /** Only in turn, so that no file is added or removed between reading the order and writing it. */
  const reorder = (draftId: string, ordered: (ids: string[]) => string[]): Promise<void> =>
    inTurn(draftId, async () => {
      const { attachments } = await client.reports.getDraft({ draftId });
      const order = ordered(attachments.map(({ id }) => id));
      keep(await client.reports.updateDraft({ draftId, order }));
    });

  /** @param before the file that it comes to stand behind; null for the first place. */
  const move = (draftId: string, id: string, before: string | null): Promise<void> =>
    reorder(draftId, (ids) => {
      const order = ids.filter((one) => one !== id);
      order.splice(before === null ? 0 : order.indexOf(before) + 1 || order.length, 0, id);
      return order;
    });

  /** Puts files into a new order; those that are not named stay behind them. */
  const arrange = (draftId: string, ids: readonly string[]): Promise<void> =>
    reorder(draftId, (known) => [
      ...ids.filter((id) => known.includes(id)),
      ...known.filter((id) => !ids.includes(id)),
    ]);

  async function setComment(draftId: string, comment: string): Promise<void> {
    keep(await client.reports.updateDraft({ draftId, comment }));
  }

  async function updateAttachment(
    draftId: string,
    attachmentId: string,
    change: { fileName?: string; isSalvageSale?: boolean; details?: DetailsChange },
  ): Promise<void> {
    keep(await client.reports.updateAttachment({ draftId, attachmentId, ...change }));
  }

  /** Only in turn: an order that was read before names the file still. */
  const removeAttachment = (draftId: string, attachmentId: string): Promise<void> =>
    inTurn(draftId, async () => {
      keep(await client.reports.removeAttachment({ draftId, attachmentId }));
    });

  /** Puts a removed file back in its place. */
  const restoreAttachment = (draftId: string, attachmentId: string): Promise<void> =>
    inTurn(draftId, async () => {
      keep(await client.reports.restoreAttachment({ draftId, attachmentId }));
    });

  /**
   * Does work on a draft's files in whose middle it must not be queued: half of the originals
   * would go with what the user asked to have removed from them.
   * @throws {DeskError} draft_busy if there is such work already
   */
  async function during<T>(draftId: string, work: DraftWork, task: () => Promise<T>): Promise<T> {
    if (working.has(draftId)) throw new DeskError('draft_busy');
    working.set(draftId, work);
    try {
      return await whileWorkedOn(draftId, task);
    } finally {
      working.delete(draftId);
    }
  }

  /** Gives a file another name; can be taken back. */
  async function rename(draftId: string, attachmentId: string, fileName: string): Promise<void> {
    const before = drafts.get(draftId)?.attachments.find(({ id }) => id === attachmentId);
    await updateAttachment(draftId, attachmentId, { fileName });
    if (!before || before.fileName === fileName) return;
    const undo = () => updateAttachment(draftId, attachmentId, { fileName: before.fileName });
    undos.offer({ key: 'undo.rename', params: { name: fileName }, undo });
  }

  /** Takes a file out of the report; can be taken back. */
  async function remove(draftId: string, attachmentId: string): Promise<void> {
    const gone = drafts.get(draftId)?.attachments.find(({ id }) => id === attachmentId);
    await removeAttachment(draftId, attachmentId);
    const undo = () => restoreAttachment(draftId, attachmentId);
    undos.offer({ key: 'undo.file', params: { name: gone?.fileName ?? '' }, undo });
  }

  async function discard(draftId: string): Promise<void> {
    await client.reports.discardDraft({ draftId });
    const undo = async () => keep(await client.reports.restoreDraft({ draftId }));
    undos.offer({ key: 'undo.draft', params: {}, undo });
    drafts.delete(draftId);
    incoming.delete(draftId);
    turns.delete(draftId);
  }

  /** Whether no file is added to a draft or worked on in this window. */
  const isAtRest = (draftId: string): boolean => !working.has(draftId) && !isAdding(draftId);
  function assertAtRest(draftId: string): void {
    if (!isAtRest(draftId)) throw new DeskError('draft_busy');
  }

  /**
   * Puts the draft into the queue; from then on it no longer changes.
   * @throws {DeskError} draft_busy while files are added to it or worked on, in any window
   */
  async function submit(draftId: string): Promise<void> {
    assertAtRest(draftId);
    await inTurn(draftId, async () => {
      // Work may have begun while this waited for its turn.
      assertAtRest(draftId);
      await unlessWorkedOn(draftId, () => client.reports.submitDraft({ draftId }));
    });
    turns.delete(draftId);
    await openDraft(draftId);
  }

  const loadSoon = throttleByKey(readEveryMs, (caseId) => {
    if (lists.has(caseId)) void load(caseId);
  });
  const openSoon = throttleByKey(readEveryMs, (draftId) => {
    // While files are added the window knows what comes, and reads the draft once they are in.
    if (drafts.has(draftId) && !isAdding(draftId)) void openDraft(draftId);
  });

  live.on((event) => {
    if (event.type === 'task.progress' && event.task === 'report')
      fetchingReport.value = { done: event.done, total: event.total };
    if (event.type === 'reports.changed') {
      loadSoon(event.caseId);
      for (const draft of drafts.values()) if (draft.caseId === event.caseId) openSoon(draft.id);
    }
    if (event.type === 'workspace.changed') {
      lists.clear();
      drafts.clear();
      incoming.clear();
      turns.clear();
      thumbnails.forget();
    }
  });
  live.onResumed(() => {
    for (const id of lists.keys()) void load(id);
  });

  return {
    lists,
    drafts,
    problems,
    incoming,
    working,
    isAdding,
    isAtRest,
    busy,
    openDrafts,
    loadDrafts,
    load,
    openDraft,
    createDraft,
    addFiles,
    fetchingReport,
    missing,
    readSent,
    revise,
    replace,
    move,
    arrange,
    take: intake.take,
    dismiss,
    setComment,
    updateAttachment,
    during,
    removeAttachment,
    rename,
    remove,
    restoreAttachment,
    discard,
    submit,
    attachmentUrl: files.attachmentUrl,
  };
});
