import { z } from 'zod';

/** What the window lets the user set and IT can set instead, by the policy's names. */
export const lockableSettings = [
  'language',
  'ownCases',
  'documentRetentionDays',
  'caseRetentionDays',
  'textRecognition',
  'watchedFolder',
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
export const policyValueSchema = z.object({ name: z.string(), value: z.string() });
export type PolicyValue = z.infer<typeof policyValueSchema>;

/** Whether IT set this value, or one beneath it, so that the user cannot. */
export function isLocked(values: readonly PolicyValue[], setting: LockableSetting): boolean {
  return values.some(({ name }) => name === setting || name.startsWith(`${setting}.`));
}
