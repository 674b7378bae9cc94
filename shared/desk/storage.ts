import { z } from 'zod';
import { documentScopes } from './sync.ts';

/**
 * Days after a case's last change in which the documents of a closed case stay; null retains them.
 */
const closedDaysSchema = z.int().min(0).max(3650).nullable();
/** Not 0: a case must not leave while its last report is on its way. */
export const caseDaysSchema = z.int().min(1).max(3650).nullable();

/**
 * Which of the partner's documents are stored offline. The user's own attachments are not meant:
 * they stay until they are delivered, and as their proof.
 */
export const documentRuleSchema = z.object({
  /** What is fetched without being asked for: nothing, the cases that are due, or all. */
  keep: z.enum(documentScopes),
  closedDays: closedDaysSchema,
  /** Days after its last change in which an ended case stays on the laptop; null retains it. */
  caseDays: caseDaysSchema,
});
export type DocumentRule = z.infer<typeof documentRuleSchema>;

/** Until the user chooses. */
export const defaultDocumentRule: DocumentRule = { keep: 'due', closedDays: 90, caseDays: null };

const usageSchema = z.object({ count: z.int(), bytes: z.int() });

export const storageSchema = documentRuleSchema.extend({
  /** Contents of the partner's documents on this laptop. */
  documents: usageSchema,
  /** The part of them that `storage.free` would remove; each can be fetched again. */
  freeable: usageSchema,
  /** Files that the user attached to reports. */
  attachments: usageSchema,
});
export type Storage = z.infer<typeof storageSchema>;

export const storageRuleInputSchema = documentRuleSchema.partial();
export type StorageRuleInput = z.infer<typeof storageRuleInputSchema>;
