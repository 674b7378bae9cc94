import type { Attachment } from '#shared/desk/reports/reports.ts';
import { noEdit, type PhotoEdit, turnEdit, unitSize } from '#shared/photos/edit.ts';
import { createTaskQueue } from '../lib/tasks.ts';
import { useTransport } from '../transport/transport.ts';
import { useUndoStore } from './undo-store.ts';

/** What a turn needs of the photos of a draft. */
interface PhotoActs {
  /** Opens the original, upright. */
  readonly openOriginal: (draftId: string, photo: Attachment) => Promise<ImageBitmap>;
  /** Stores a change that goes on from a version of the photo's edit. */
  readonly saveEdit: (
    draftId: string,
    id: string,
    change: { readonly edit: PhotoEdit; readonly editVersion: number },
  ) => Promise<number>;
  /** Makes what is sent of changed photos again. */
  readonly catchUp: (draftId: string) => Promise<void>;
}

/** Returns the function that turns photos of a draft to the right. */
export function usePhotoTurns({ openOriginal, saveEdit, catchUp }: PhotoActs) {
  const { client } = useTransport();
  const undos = useUndoStore();

  /** A photo turned to the right by quarters, with its marks and its cut. */
  async function turned(draftId: string, photo: Attachment, quarters: number): Promise<PhotoEdit> {
    let edit = photo.details.edit ?? noEdit;
    const sides = { width: 0, height: 0 };
    // A photo without marks and cut need not be opened.
    if (edit.marks.length > 0 || edit.crop !== null) {
      const picture = await openOriginal(draftId, photo);
      Object.assign(sides, unitSize(picture.width, picture.height));
      picture.close();
    }
    for (let quarter = 0; quarter < quarters; quarter += 1)
      edit = turnEdit(edit, edit.turns % 2 === 1 ? sides.width : sides.height);
    return edit;
  }

  /** A turn begins with the outcome of the one before, however quickly both are asked for. */
  const turning = createTaskQueue();
  const turnEach = (
    draftId: string,
    ids: ReadonlySet<string>,
    { quarters, onTurned }: { quarters: number; onTurned: (id: string) => void },
  ): Promise<void> =>
    turning(async () => {
      const { attachments } = await client.reports.getDraft({ draftId });
      for (const photo of attachments.filter(({ id }) => ids.has(id))) {
        const edit = await turned(draftId, photo, quarters);
        await saveEdit(draftId, photo.id, { edit, editVersion: photo.details.editVersion });
        onTurned(photo.id);
      }
    });

  /**
   * Turns photos, and makes again what is sent of them. The user can take this back: the photos are
   * turned back, and keep what was changed since.
   */
  return async function turn(draftId: string, ids: readonly string[]): Promise<void> {
    /** The turned photos. A turn that failed in the middle is taken back as far as it came. */
    const done = new Set<string>();
    const undo = async () => {
      await turnEach(draftId, done, { quarters: 3, onTurned: (id) => void done.delete(id) });
      await catchUp(draftId);
    };
    undos.offer({ key: 'photos.undone.turn', params: { n: ids.length }, undo });
    await turnEach(draftId, new Set(ids), { quarters: 1, onTurned: (id) => void done.add(id) });
    await catchUp(draftId);
  };
}
