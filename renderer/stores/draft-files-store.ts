import { defineStore } from 'pinia';
import { computed, shallowReactive } from 'vue';
import { DeskError } from '#shared/desk/desk-error.ts';
import type { Attachment, ReportDraft } from '#shared/desk/reports.ts';
import { createPhotoIntake, madePhoto } from '../composables/photos/photo-intake.ts';
import { usePhotoStudio } from '../composables/photos/photo-studio.ts';
import { type DraftWork, whileWorkedOn } from '../composables/report-check.ts';
import { createTaskQueue } from '../composables/tasks.ts';
import { thumbnails } from '../composables/thumbnails.ts';
import { useTransport } from '../transport/transport.ts';
import { useAppearanceStore } from './appearance-store.ts';
import { useFileActs } from './file-acts.ts';
import { useIncomingFiles } from './incoming-files.ts';
import { useLiveMap } from './live-data.ts';
import { useLiveStore } from './live-store.ts';
import { useUnsavedStore } from './unsaved-store.ts';

/** Drafts of 500 files are long; their changes announce themselves one by one. */
const readEveryMs = 1000;

/** Drafts that are open in this window, and the files in them. Drafts are stored by the engine. */
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
  } = useLiveMap((draftId) => client.reports.getDraft({ draftId }), {
    // While files are added the window knows what comes, and reads the draft once they are in.
    changedBy: (event, known) =>
      event.type === 'reports.changed'
        ? [...known.values()]
            .filter(({ id, caseId }) => caseId === event.caseId && !isAdding(id))
            .map(({ id }) => id)
        : [],
    everyMs: readEveryMs,
  });
  const keep = (draft: ReportDraft): ReportDraft => {
    show(draft.id, draft);
    return draft;
  };
  const filesOf = (draftId: string) => drafts.get(draftId)?.attachments ?? [];

  /** What is written to a draft, one after the other: an order must name each file once. */
  const turns = new Map<string, ReturnType<typeof createTaskQueue>>();
  function inTurn<T>(draftId: string, task: () => Promise<T>): Promise<T> {
    const take = turns.get(draftId) ?? createTaskQueue();
    turns.set(draftId, take);
    return take(task);
  }

  /** What is known already is not asked for again: with 500 files that would be 500 long lists. */
  function append(draftId: string, added: readonly Attachment[]): void {
    const draft = drafts.get(draftId);
    if (!draft) return;
    const known = new Set(draft.attachments.map(({ id }) => id));
    const attachments = [...draft.attachments, ...added.filter(({ id }) => !known.has(id))];
    keep({ ...draft, attachments });
  }
  const { incoming, dismiss, ...adding } = useIncomingFiles({ intake, inTurn, append });

  async function addFiles(draftId: string, given: readonly File[]): Promise<void> {
    await adding.add(draftId, given);
    // The engine reports how long the upload takes.
    await openDraft(draftId);
  }

  /** Files in whose place others come just now. */
  const replaced = shallowReactive(new Set<string>());
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

  /** What is being done to the files of drafts in this window. */
  const working = shallowReactive(new Map<string, DraftWork>());
  /** Whether files are on their way into a draft in this window. */
  const isAdding = (draftId: string): boolean =>
    adding.isAny(draftId) || filesOf(draftId).some(({ id }) => replaced.has(id));
  useUnsavedStore().addIntake(
    computed(() => working.size > 0 || replaced.size > 0 || [...incoming.keys()].some(isAdding)),
  );
  /** Whether no file is added to a draft or worked on in this window. */
  const isAtRest = (draftId: string): boolean => !working.has(draftId) && !isAdding(draftId);

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

  /** Forgets a draft that is not open any more. */
  function close(draftId: string): void {
    drafts.delete(draftId);
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
    ...{ drafts, problems, openDraft, keep, filesOf, inTurn, close },
    ...{ incoming, addFiles, dismiss, replace, take: intake.take },
    ...{ working, isAdding, isAtRest, during },
    ...useFileActs({ filesOf, keep, inTurn, during }),
    attachmentUrl: files.attachmentUrl,
  };
});
