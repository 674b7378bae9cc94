import { z } from 'zod';
import { DeskError, type DeskProblem, isDeskProblem } from './desk-error.ts';

export {
  DeskError,
  type DeskErrorCode,
  deskErrorCodes,
  type DeskProblem,
  type HostErrorCode,
  paramOf,
} from './desk-error.ts';

/** A problem that crosses the contract. */
export const deskProblemSchema = z.custom<DeskProblem>(isDeskProblem);
/**
 * A stored problem of an earlier version. If the parameters of its code have changed, the record
 * stays readable.
 */
export const storedProblemSchema = deskProblemSchema.catch({ code: 'internal', params: {} });

const fullCodes = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT', 'EFBIG'];
const exhaustedCodes = ['EMFILE', 'ENFILE'];
const readOnlyCodes = ['EROFS', 'EACCES', 'EPERM'];

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/**
 * Whether a write failed for lack of space, by the error codes of SQLite or of the operating
 * system.
 */
export function isDiskFull(error: unknown): boolean {
  return fullCodes.includes(codeOf(error));
}

/** The problem of a failed write of the desk's own files; null if the disk is not the reason. */
export function diskProblem(error: unknown): DeskError | null {
  if (isDiskFull(error)) return new DeskError('disk_full', {}, { cause: error });
  if (exhaustedCodes.includes(codeOf(error)))
    return new DeskError('files_exhausted', {}, { cause: error });
  const reason = codeOf(error);
  const isReadOnly = readOnlyCodes.includes(reason) || reason.startsWith('SQLITE_READONLY');
  return isReadOnly ? new DeskError('home_unwritable', { reason }, { cause: error }) : null;
}

/** The reason why the folder of a desk cannot be made or opened. */
export function homeProblem(error: unknown): DeskError {
  const reason = codeOf(error) || 'unknown';
  return diskProblem(error) ?? new DeskError('home_unwritable', { reason }, { cause: error });
}
