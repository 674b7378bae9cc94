import { z } from 'zod';

/**
 * The settings that IT can fix, with the policy's names. If IT fixes one, the user cannot change it
 * in the window.
 */
export const lockableSettings = [
  'language',
  'ownCases',
  'documentRetentionDays',
  'caseRetentionDays',
  'textRecognition',
  'watchedFolder',
  'visitMessage',
  'backupFolder',
  'connection',
  'connection.baseUrl',
  'connection.audience',
  'connection.clientId',
  'connection.scope',
  'connection.htuWithoutQuery',
  'connection.changedSinceParameter',
] as const;
export type LockableSetting = (typeof lockableSettings)[number];

/**
 * A value that IT set for this machine, as the user reads it: `limits.standard.capacity`, `120`.
 */
export const policyValueSchema = z.object({
  name: z.string(),
  value: z.string(),
  /** What the setting is called in the user's language. */
  title: z.string().optional(),
});
export type PolicyValue = z.infer<typeof policyValueSchema>;

/** Whether IT set this value, or a value beneath it, so that the user cannot change it. */
export function isLocked(values: readonly PolicyValue[], setting: LockableSetting): boolean {
  return values.some(({ name }) => name === setting || name.startsWith(`${setting}.`));
}
