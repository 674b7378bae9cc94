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
/** A problem that an earlier version stored: one that has other parameters now costs no record. */
export const storedProblemSchema = deskProblemSchema.catch({ code: 'internal', params: {} });

const fullCodes = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT', 'EFBIG'];
const readOnlyCodes = ['EROFS', 'EACCES', 'EPERM'];

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Whether a write failed for lack of space, by SQLite's codes or the operating system's. */
export function isDiskFull(error: unknown): boolean {
  return fullCodes.includes(codeOf(error));
}

/** The problem of a failed write of the desk's own files; null if the disk is not the reason. */
export function diskProblem(error: unknown): DeskError | null {
  if (isDiskFull(error)) return new DeskError('disk_full', {}, { cause: error });
  const reason = codeOf(error);
  const isReadOnly = readOnlyCodes.includes(reason) || reason.startsWith('SQLITE_READONLY');
  return isReadOnly ? new DeskError('home_unwritable', { reason }, { cause: error }) : null;
}

/** Why the folder of a desk cannot be made or opened. */
export function homeProblem(error: unknown): DeskError {
  const reason = codeOf(error) || 'unknown';
  return diskProblem(error) ?? new DeskError('home_unwritable', { reason }, { cause: error });
}
