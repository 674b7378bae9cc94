import { toDeskError } from '#main/log/faults.ts';
import type { DeskError } from '#shared/desk/contract/errors.ts';
import type { DeskFault, PictureFault } from '#shared/telephone/messages.ts';
import { takeInto, updateAttachment } from '../cases/report-drafts.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import type { PictureStore } from './session.ts';

/** The errors after which another picture may be stored, and this one may not. */
const pictureErrors: readonly string[] = [
  'file_name_invalid',
  'file_empty',
  'file_too_large',
  'file_type_not_allowed',
  'file_type_mismatch',
  'file_kind',
  'file_damaged',
  'file_too_heavy',
  'photo_unusable',
];
const closedErrors: readonly string[] = ['draft_not_found', 'queue_row_state', 'no_connection'];

function faultOf({ code }: DeskError): PictureFault | DeskFault {
  if (pictureErrors.includes(code)) return 'unusable';
  if (closedErrors.includes(code)) return 'report_closed';
  return code === 'disk_full' ? 'disk_full' : 'failed';
}

/** Puts the pictures of a telephone into a draft, through the procedure of every picture. */
export function draftPictures(workspace: OpenWorkspace, draftId: string): PictureStore {
  const { work, log } = workspace;
  const faultFrom = (error: unknown) => faultOf(toDeskError(error, 'telephone', log));
  const draftFaultFrom = (error: unknown) =>
    faultFrom(error) === 'report_closed' ? 'report_closed' : 'failed';
  return {
    closed() {
      try {
        work.drafts.editable(draftId);
        return null;
      } catch (error) {
        return draftFaultFrom(error);
      }
    },
    isStored: (id) => work.local.isPhotoDecided(storedId(draftId, id)),
    async store(picture, pieces) {
      const { id, fileName, takenAt, group, caption } = picture;
      const from = { id, takenAt, group, caption };
      try {
        await takeInto(workspace, draftId, { fileName, content: inOrder(pieces) }, (taken) =>
          work.local.takePhoto(
            storedId(draftId, id),
            () => void work.drafts.addFromTelephone(draftId, taken, from),
          ),
        );
        return null;
      } catch (error) {
        return faultFrom(error);
      }
    },
    mark({ id, group, caption }) {
      try {
        const { attachments } = work.drafts.editable(draftId);
        const file = attachments.find(({ details }) => details.telephoneId === id);
        const isSame = file?.details.group === group && file.details.caption === caption;
        // The user may have removed it on the desk.
        if (!file || isSame) return null;
        const details = { group, caption };
        updateAttachment(workspace, { draftId, attachmentId: file.id, details });
        return null;
      } catch (error) {
        return draftFaultFrom(error);
      }
    },
  };
}

/**
 * Its name among the photos that were taken from a folder or a telephone. The user can add the same
 * picture to another report.
 */
const storedId = (draftId: string, id: string) => `telephone ${draftId} ${id}`;

async function* inOrder(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* await Promise.resolve(pieces);
}
