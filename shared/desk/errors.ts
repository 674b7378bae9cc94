import { z } from 'zod';
import { DeskError, deskErrorCodes } from './desk-error.ts';

export {
  DeskError,
  type DeskErrorCode,
  deskErrorCodes,
  type DeskErrorParams,
  type DeskProblem,
} from './desk-error.ts';

export const deskErrorParamsSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
);
export const deskProblemSchema = z.object({
  code: z.enum(deskErrorCodes),
  params: deskErrorParamsSchema,
});
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
