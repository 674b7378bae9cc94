import type { ReportDraft } from '#shared/desk/reports/reports.ts';
import type { DetailsChange, FileKind } from '#shared/photos/details.ts';
import { type DraftWork, whileWorkedOn } from '../lib/report-check.ts';
import { useTransport } from '../transport/transport.ts';
import { useUndoStore } from './undo-store.ts';

interface NewName {
  readonly id: string;
  readonly fileName: string;
  readonly kind?: FileKind | null;
}

interface FileChange {
  fileName?: string;
  isSalvageSale?: boolean;
  details?: DetailsChange;
}

/** The acts of the user on one or many files of a draft. Most of them can be taken back. */
export function useFileActs(draftFiles: {
  readonly filesOf: (draftId: string) => ReportDraft['attachments'];
  readonly keep: (draft: ReportDraft) => void;
  readonly inTurn: <T>(draftId: string, task: () => Promise<T>) => Promise<T>;
  readonly during: <T>(draftId: string, work: DraftWork, task: () => Promise<T>) => Promise<T>;
}) {
  const { filesOf, keep, inTurn, during } = draftFiles;
  const { client } = useTransport();
  const undos = useUndoStore();

  async function update(draftId: string, attachmentId: string, change: FileChange): Promise<void> {
    keep(await client.reports.updateAttachment({ draftId, attachmentId, ...change }));
  }

  /**
   * Reorders the files. It waits for its turn, so that no file is added or removed between reading
   * the order and writing it.
   */
  const reorder = (draftId: string, ordered: (ids: string[]) => string[]): Promise<void> =>
    inTurn(draftId, async () => {
      const { attachments } = await client.reports.getDraft({ draftId });
      const order = ordered(attachments.map(({ id }) => id));
      keep(await client.reports.updateDraft({ draftId, order }));
    });

  /** @param before the file after which the moved file comes; null for the first place */
  const move = (draftId: string, id: string, before: string | null): Promise<void> =>
    reorder(draftId, (ids) => {
      const order = ids.filter((one) => one !== id);
      order.splice(before === null ? 0 : order.indexOf(before) + 1 || order.length, 0, id);
      return order;
    });

  /** Sets the order. Files that are not named come after the named ones. */
  const setOrder = (draftId: string, ids: readonly string[]): Promise<void> =>
    reorder(draftId, (known) => [
      ...ids.filter((id) => known.includes(id)),
      ...known.filter((id) => !ids.includes(id)),
    ]);

  /** Puts `n` files into a new order. */
  async function arrange(draftId: string, order: readonly string[], n: number): Promise<void> {
    const before = filesOf(draftId).map(({ id }) => id);
    const undo = () => setOrder(draftId, before);
    undos.offer({ key: 'photos.undone.move', params: { n }, undo });
    await setOrder(draftId, order);
  }

  /**
   * Renames files and sets their kinds. If there are several, the draft cannot be queued in the
   * meantime.
   */
  async function rename(draftId: string, changes: readonly NewName[]): Promise<void> {
    const former = filesOf(draftId)
      .filter(({ id }) => changes.some((change) => change.id === id))
      .map(({ id, fileName, details: { kind } }) => ({ id, fileName, kind }));
    const done: NewName[] = [];
    const writeEach = async (names: readonly NewName[]) => {
      for (const { id, fileName, kind } of names) {
        await update(draftId, id, { fileName, ...(kind !== undefined && { details: { kind } }) });
        done.push({ id, fileName });
      }
    };
    const write = (names: readonly NewName[]) =>
      names.length > 1 ? during(draftId, 'names', () => writeEach(names)) : writeEach(names);
    await undos.acting(() =>
      write(changes).finally(() => offer('rename', done, () => write(former))),
    );
  }

  /**
   * Removes files or brings them back. It waits for its turn, because an order that was read before
   * still names them, and no window queues the draft before the last of them.
   */
  const changeEach = (draftId: string, change: () => Promise<void>): Promise<void> =>
    inTurn(draftId, () => whileWorkedOn(draftId, change));

  /** Removes files from the report. */
  async function remove(draftId: string, ids: readonly string[]): Promise<void> {
    const gone = filesOf(draftId).filter(({ id }) => ids.includes(id));
    const removed: NewName[] = [];
    // The file that was removed last is restored first, so that each file returns to its place.
    const undo = () =>
      changeEach(draftId, async () => {
        for (const { id: attachmentId } of removed.toReversed())
          keep(await client.reports.restoreAttachment({ draftId, attachmentId }));
      });
    const removeEach = () =>
      changeEach(draftId, async () => {
        for (const id of ids) {
          keep(await client.reports.removeAttachment({ draftId, attachmentId: id }));
          removed.push({ id, fileName: gone.find((file) => file.id === id)?.fileName ?? '' });
        }
      });
    await undos.acting(() => removeEach().finally(() => offer('remove', removed, undo)));
  }

  /**
   * Offers to take an act back. A single file is named and several files are counted. If the act
   * failed in the middle, its finished part can be taken back.
   */
  function offer(act: 'rename' | 'remove', done: readonly NewName[], undo: () => unknown): void {
    const [first] = done;
    if (!first) return;
    const n = done.length;
    if (n > 1) undos.offer({ key: `photos.undone.${act}`, params: { n }, undo });
    else undos.offer({ key: undoOne[act], params: { name: first.fileName }, undo });
  }

  return { update, move, arrange, rename, remove };
}

const undoOne = { rename: 'undo.rename', remove: 'undo.file' } as const;
