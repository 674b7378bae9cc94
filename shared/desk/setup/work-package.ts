import { z } from 'zod';
import { deskProblemSchema } from '../contract/errors.ts';

/** The least length of a passphrase, which protects personal data outside the laptop. */
export const packagePassphraseMinLength = 8;

/** The path is an absolute one on this laptop. The passphrase is not stored. */
export const workPackageInputSchema = z.object({
  file: z.string().min(1).max(4096),
  passphrase: z.string().min(packagePassphraseMinLength).max(1000),
});
export type WorkPackageInput = z.infer<typeof workPackageInputSchema>;

/** The backup that the desk makes automatically once a day while work waits. */
export const automaticBackupSchema = z.object({
  /** The folder of the backups; null if none is set. */
  folder: z.string().nullable(),
  /** Whether the keychain has a passphrase. */
  hasPassphrase: z.boolean(),
  /** When the last backup of the open workspace was made; null if there is none yet. */
  lastAt: z.string().nullable(),
  /** The reason why the last attempt failed, or what is missing; null after a success. */
  problem: deskProblemSchema.nullable(),
  problemAt: z.string().nullable(),
});
export type AutomaticBackup = z.infer<typeof automaticBackupSchema>;

export const automaticBackupInputSchema = z.object({
  folder: z.string().min(1).max(4096).nullable(),
  /** The new passphrase; if absent, the one in the keychain stays. */
  passphrase: z.string().min(packagePassphraseMinLength).max(1000).optional(),
});
export type AutomaticBackupInput = z.infer<typeof automaticBackupInputSchema>;

/** The full paths of files that do not exist yet. */
export const suggestedFilesSchema = z.object({
  backup: z.string(),
  bundle: z.string(),
  /**
   * Whether the shell has a dialog for `choosePath`. A browser has no dialog that returns a path.
   */
  canChoose: z.boolean(),
});
export type SuggestedFiles = z.infer<typeof suggestedFilesSchema>;

export const pathQuestionSchema = z.object({
  /** What is chosen: a file to write (backup, bundle), a file to read (restore), or a folder. */
  purpose: z.enum(['backup', 'restore', 'bundle', 'folder']),
  suggested: z.string().max(4096),
});
export type PathQuestion = z.infer<typeof pathQuestionSchema>;

export const workPackageSchema = z.object({
  file: z.string(),
  sizeBytes: z.int(),
  createdAt: z.string(),
  /** The number of entries of the queue, of drafts, and of the files of both in the package. */
  entries: z.int(),
  drafts: z.int(),
  files: z.int(),
});
export type WorkPackage = z.infer<typeof workPackageSchema>;

export const restoredWorkSchema = z.object({
  /** When the package was made. */
  createdAt: z.string(),
  entries: z.int(),
  drafts: z.int(),
  /** The number of their files that were added. */
  files: z.int(),
  /**
   * The number of restored typed texts and notes on cases. Existing texts are not overwritten; a
   * note is appended to another one.
   */
  texts: z.int(),
  notes: z.int(),
  /**
   * The cases in which a typed text, a note or a report here differs from the package, and stays.
   */
  differing: z.array(z.object({ caseId: z.string(), externalKey: z.string() })),
  /** The number of entries and drafts that were already on this laptop. */
  known: z.int(),
  /** The number of entries that a newer entry of this laptop replaces. */
  superseded: z.int(),
});
export type RestoredWork = z.infer<typeof restoredWorkSchema>;

/** The undelivered work of a damaged file that was set aside, from its last sound backup. */
export const workBackupSchema = z.object({
  id: z.string(),
  backedUpAt: z.string(),
  entries: z.int(),
  drafts: z.int(),
  /** The number of saved views of the case list. */
  views: z.int(),
});
export type WorkBackup = z.infer<typeof workBackupSchema>;
export const workBackupListSchema = z.object({ items: z.array(workBackupSchema), total: z.int() });
export type WorkBackupList = z.infer<typeof workBackupListSchema>;

/**
 * `take` adds the backup to the present work. `leave` leaves its files untouched and stops offering
 * it.
 */
export const workBackupDecisionSchema = z.object({
  id: z.string().min(1).max(200),
  decision: z.enum(['take', 'leave']),
});
export type WorkBackupDecision = z.infer<typeof workBackupDecisionSchema>;
