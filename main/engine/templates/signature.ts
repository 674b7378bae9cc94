import { DeskError } from '#shared/desk/contract/errors.ts';
import { type Signature, signatureMaxBytes } from '#shared/desk/reports/templates.ts';
import { assertFileName } from '#shared/lib/file-type.ts';
import { imageSizeOf } from '#shared/photos/photo-bytes.ts';
import { isPictureType } from '#shared/photos/picture-kinds.ts';
import type { PictureReducer } from '../photos/picture-reducer.ts';
import type { StoredSignature } from '../work/templates.ts';
import { assertBare } from '../photos/picture-stripper.ts';
import { type IncomingFile, type Intake, readChecked, unseenPicture } from '../work/take-file.ts';
import type { FilledPicture } from './docx/fill-data.ts';

/** A signature is printed a few centimetres wide: these pixels are sharp on paper. */
const signatureBox = { width: 1600, height: 800 };

/**
 * Makes a signature of a picture in the same way as a photo without a window: stripped of all that
 * is not the picture, the right way up, and no larger than it is printed.
 * @throws {DeskError} file_type_not_allowed, photo_unready, file_too_large, and the errors of
 *   `readChecked`
 */
export async function readSignature(
  intake: Intake,
  reducer: PictureReducer,
  file: Pick<IncomingFile, 'fileName' | 'content'>,
): Promise<StoredSignature> {
  const { fileName } = file;
  assertFileName(fileName);
  const { contentType, bytes } = await readChecked(file, intake.checker, () => undefined);
  const isUsable = ['image/jpeg', 'image/png', 'image/heic'].includes(contentType);
  if (!bytes || !isPictureType(contentType) || !isUsable)
    throw new DeskError('file_type_not_allowed', { fileName, contentType });
  // The threads empty what they are given.
  const order = { bytes: bytes.slice(), contentType, isAlone: true };
  const report = await unseenPicture(intake, order);
  assertBare(report, fileName);
  const bare = Uint8Array.from(report.bytes ?? bytes);
  const isPng = contentType === 'image/png';
  const reduced = isPng ? bare : await reducer.reduce({ bytes: bare, box: signatureBox });
  if (!reduced || imageSizeOf(reduced) === null) throw new DeskError('photo_unready', { fileName });
  const sizeBytes = reduced.length;
  const maxBytes = signatureMaxBytes;
  if (sizeBytes > maxBytes)
    throw new DeskError('file_too_large', { fileName, sizeBytes, maxBytes });
  const format = isPng ? 'image/png' : 'image/jpeg';
  return { format, base64: Buffer.from(reduced).toString('base64') };
}

/** As the window shows it. */
export const signatureView = (stored: StoredSignature | null): Signature => ({
  picture: stored && `data:${stored.format};base64,${stored.base64}`,
});

/** As a document places it; null without one. */
export function signaturePicture(stored: StoredSignature | null): FilledPicture | null {
  if (!stored) return null;
  const bytes = Uint8Array.from(Buffer.from(stored.base64, 'base64'));
  const size = imageSizeOf(bytes);
  return size && { bytes, format: stored.format, width: size.width, height: size.height };
}
