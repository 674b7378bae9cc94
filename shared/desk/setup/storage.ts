import { z } from 'zod';
import { documentScopes } from '../delivery/sync.ts';

/**
 * The number of days after a case's last change for which the documents of a closed case stay; null
 * retains them.
 */
const closedDaysSchema = z.int().min(0).max(3650).nullable();
/** The number is not 0, because a case must not be removed while its last report is being sent. */
export const caseDaysSchema = z.int().min(1).max(3650).nullable();

/**
 * Which of the partner's documents are stored offline. The user's attachments are not affected:
 * they stay until they are delivered, and then as proof of the delivery.
 */
export const documentRuleSchema = z.object({
  /**
   * The documents that are downloaded automatically: none, those of the cases that are due, or all.
   */
  keep: z.enum(documentScopes),
  closedDays: closedDaysSchema,
  /**
   * The number of days after its last change for which an ended case stays on the laptop; null
   * retains it.
   */
  caseDays: caseDaysSchema,
});
export type DocumentRule = z.infer<typeof documentRuleSchema>;

/** The rule that applies until the user chooses one. */
export const defaultDocumentRule: DocumentRule = { keep: 'due', closedDays: 90, caseDays: null };

const usageSchema = z.object({ count: z.int(), bytes: z.int() });

export const storageSchema = documentRuleSchema.extend({
  /** The contents of the partner's documents on this laptop. */
  documents: usageSchema,
  /** The part of the documents that `storage.free` would remove. Each can be downloaded again. */
  freeable: usageSchema,
  /** The files that the user attached to reports. */
  attachments: usageSchema,
});
export type Storage = z.infer<typeof storageSchema>;

export const storageRuleInputSchema = documentRuleSchema.partial();
export type StorageRuleInput = z.infer<typeof storageRuleInputSchema>;
