import { z } from 'zod';
import { deskProblemSchema } from './errors.ts';

/** A passphrase guards personal data outside of the laptop. */
export const packagePassphraseMinLength = 8;

/** The path is one of this laptop, absolute; the passphrase is stored nowhere. */
export const workPackageInputSchema = z.object({
  file: z.string().min(1).max(4096),
  passphrase: z.string().min(packagePassphraseMinLength).max(1000),
});
export type WorkPackageInput = z.infer<typeof workPackageInputSchema>;

/** The backup that the desk makes by itself once a day while work waits. */
export const automaticBackupSchema = z.object({
  /** Null if no folder is set. */
  folder: z.string().nullable(),
  /** The keychain has one. */
  hasPassphrase: z.boolean(),
  /** Of the open workspace; null until the first. */
  lastAt: z.string().nullable(),
  /** Why the last try failed, or what is missing; null after a success. */
  problem: deskProblemSchema.nullable(),
  problemAt: z.string().nullable(),
});
export type AutomaticBackup = z.infer<typeof automaticBackupSchema>;

export const automaticBackupInputSchema = z.object({
  folder: z.string().min(1).max(4096).nullable(),
  /** Absent: the one in the keychain stays. */
  passphrase: z.string().min(packagePassphraseMinLength).max(1000).optional(),
});
export type AutomaticBackupInput = z.infer<typeof automaticBackupInputSchema>;

/** Full paths of files that do not exist yet. */
export const suggestedFilesSchema = z.object({
  backup: z.string(),
  bundle: z.string(),
  /** The shell has a dialog for `choosePath`; a browser has none that gives a path. */
  canChoose: z.boolean(),
});
export type SuggestedFiles = z.infer<typeof suggestedFilesSchema>;

export const pathQuestionSchema = z.object({
  /** A file to write (backup, bundle), one to read (restore), or a folder. */
  purpose: z.enum(['backup', 'restore', 'bundle', 'folder']),
  suggested: z.string().max(4096),
});
export type PathQuestion = z.infer<typeof pathQuestionSchema>;

export const workPackageSchema = z.object({
  file: z.string(),
  sizeBytes: z.int(),
  createdAt: z.string(),
  /** Entries of the queue, drafts, and files of both in the package. */
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
  files: z.int(),
  /** What was typed into cases and not queued, and notes on cases; what is here already stays. */
  texts: z.int(),
  notes: z.int(),
  /** Entries and drafts that were on this laptop already. */
  known: z.int(),
  /** Entries that a newer one of this laptop replaces. */
  superseded: z.int(),
});
export type RestoredWork = z.infer<typeof restoredWorkSchema>;

/** Undelivered work of a damaged file that was set aside, from its last sound backup. */
export const workBackupSchema = z.object({
  id: z.string(),
  backedUpAt: z.string(),
  entries: z.int(),
  drafts: z.int(),
  /** Saved views of the case list. */
  views: z.int(),
});
export type WorkBackup = z.infer<typeof workBackupSchema>;
export const workBackupListSchema = z.object({ items: z.array(workBackupSchema), total: z.int() });
export type WorkBackupList = z.infer<typeof workBackupListSchema>;

/** `take` adds it to the work that is here; `leave` leaves its files and offers it no more. */
export const workBackupDecisionSchema = z.object({
  id: z.string().min(1).max(200),
  decision: z.enum(['take', 'leave']),
});
export type WorkBackupDecision = z.infer<typeof workBackupDecisionSchema>;
