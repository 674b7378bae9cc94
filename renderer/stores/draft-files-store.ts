import { defineStore } from 'pinia';
import { computed, shallowReactive } from 'vue';
import { DeskError } from '#shared/desk/contract/desk-error.ts';
import type { Attachment, ReportDraft } from '#shared/desk/reports/reports.ts';
import { createPhotoIntake } from '../lib/photos/photo-intake.ts';
import { usePhotoStudio } from '../lib/photos/photo-studio.ts';
import { type DraftWork, whileWorkedOn } from '../lib/report-check.ts';
import { createTaskQueue } from '../lib/tasks.ts';
import { thumbnails } from '../lib/thumbnails.ts';
import { useTransport } from '../transport/transport.ts';
import { useAppearanceStore } from './appearance-store.ts';
import { useFileActs } from './file-acts.ts';
import { useIncomingFiles } from './incoming-files.ts';
import { useLiveMap } from './live-data.ts';
import { useLiveStore } from './live-store.ts';
import { useUnsavedStore } from './unsaved-store.ts';

/**
 * The interval between two readings. A draft may have 500 files, and each change of one causes an
 * event.
 */
const readEveryMs = 1000;

/** The drafts that are open in this window, and their files. The engine stores drafts. */
export const useDraftFilesStore = defineStore('draftFiles', () => {
  const { client, files } = useTransport();
  const appearance = useAppearanceStore();
  const studio = usePhotoStudio();
  const intake = createPhotoIntake({ studio, files, rule: () => appearance.photos });
  const {
    data: drafts,
    problems,
    load: openDraft,
    show,
    change: changeDraft,
    forget,
  } = useLiveMap((draftId) => client.reports.getDraft({ draftId }), {
    // While files are being added, the window knows what comes. It reads the draft once they are
    // added.
    // Of a draft that was not read yet the case is not known.
    changedBy: (event, known, unread) =>
      event.type === 'reports.changed'
        ? [...known.values()]
            .filter(({ id, caseId }) => caseId === event.caseId && !isAdding(id))
            .map(({ id }) => id)
            .concat(unread)
        : [],
    everyMs: readEveryMs,
  });
  const keep = (draft: ReportDraft): ReportDraft => {
    show(draft.id, draft);
    return draft;
  };
  const filesOf = (draftId: string) => drafts.get(draftId)?.attachments ?? [];

  /** Writes to a draft one after the other, because an order must name each file once. */
  const turns = new Map<string, ReturnType<typeof createTaskQueue>>();
  function inTurn<T>(draftId: string, task: () => Promise<T>): Promise<T> {
    const take = turns.get(draftId) ?? createTaskQueue();
    turns.set(draftId, take);
    return take(task);
  }

  /**
   * Adds files to the draft without reading it again. With 500 files, that would be 500 long lists.
   */
  function append(draftId: string, added: readonly Attachment[]): void {
    changeDraft(draftId, (draft) => {
      const known = new Set(draft.attachments.map(({ id }) => id));
      const attachments = [...draft.attachments, ...added.filter(({ id }) => !known.has(id))];
      return { ...draft, attachments };
    });
  }
  const { incoming, dismiss, ...adding } = useIncomingFiles({ intake, inTurn, append });

  async function addFiles(draftId: string, given: readonly File[]): Promise<void> {
    await adding.add(draftId, given);
    // The engine reports the expected time of the upload, so the draft is read again.
    await openDraft(draftId);
  }

  /** The ids of files that are being replaced. */
  const replaced = shallowReactive(new Set<string>());
  /** Replaces a file with another one. If the new file is refused, the draft stays unchanged. */
  async function replace(draftId: string, attachmentId: string, file: File): Promise<void> {
    replaced.add(attachmentId);
    try {
      await whileWorkedOn(draftId, async () => {
        await inTurn(draftId, () => intake.replace(draftId, attachmentId, file));
        await openDraft(draftId);
      });
    } finally {
      replaced.delete(attachmentId);
    }
  }

  /** The work on the files of drafts in this window, by the id of the draft. */
  const working = shallowReactive(new Map<string, DraftWork>());
  /** Whether files are being added to a draft in this window. */
  const isAdding = (draftId: string): boolean =>
    adding.isAny(draftId) || filesOf(draftId).some(({ id }) => replaced.has(id));
  useUnsavedStore().addIntake(
    computed(() => working.size > 0 || replaced.size > 0 || [...incoming.keys()].some(isAdding)),
  );
  /** Whether this window neither adds files to a draft nor works on them. */
  const isAtRest = (draftId: string): boolean => !working.has(draftId) && !isAdding(draftId);

  /**
   * Works on a draft's files, and prevents the queueing of the draft in the meantime. Without this,
   * half of the originals would be sent with what the user asked to have removed from them.
   * @throws {DeskError} draft_busy if such work is already running
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

  /** Forgets a draft that is no longer open. */
  function close(draftId: string): void {
    forget(draftId);
    incoming.delete(draftId);
    turns.delete(draftId);
  }
  useLiveStore().on(({ type }) => {
    if (type !== 'workspace.changed') return;
    incoming.clear();
    turns.clear();
    thumbnails.forget();
  });

  return {
    drafts,
    problems,
    openDraft,
    keep,
    changeDraft,
    filesOf,
    inTurn,
    close,
    incoming,
    addFiles,
    dismiss,
    replace,
    working,
    isAdding,
    isAtRest,
    during,
    ...useFileActs({ filesOf, keep, inTurn, during }),
    attachmentUrl: files.attachmentUrl,
  };
});
