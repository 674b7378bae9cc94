import { z } from 'zod';

/** A passphrase guards personal data outside of the laptop. */
export const packagePassphraseMinLength = 8;

/** The path is one of this laptop, absolute; the passphrase is kept nowhere. */
export const workPackageInputSchema = z.object({
  file: z.string().min(1).max(4096),
  passphrase: z.string().min(packagePassphraseMinLength).max(1000),
});
export type WorkPackageInput = z.infer<typeof workPackageInputSchema>;

/** Full paths of files that do not exist yet. */
export const suggestedFilesSchema = z.object({ backup: z.string(), bundle: z.string() });
export type SuggestedFiles = z.infer<typeof suggestedFilesSchema>;

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

/** `take` adds it to the work that is here; `leave` keeps its files and offers it no more. */
export const workBackupDecisionSchema = z.object({
  id: z.string().min(1).max(200),
  decision: z.enum(['take', 'leave']),
});
export type WorkBackupDecision = z.infer<typeof workBackupDecisionSchema>;
