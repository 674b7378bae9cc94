import { z } from 'zod';
import { parameterName } from '../../api/conventions.ts';
import { askedSchema } from './diagnostics.ts';
import { type DeskProblem, deskProblemSchema } from '../contract/errors.ts';

export { type Language, languages } from '../../i18n/language.ts';

const parameterNameSchema = z.string().regex(parameterName);

export const connectionInputSchema = z.object({
  name: z.string().min(1).max(200).optional(),
  baseUrl: z.string().min(1).max(2000),
  /** The token address that the aud claim of the assertion names. */
  audience: z.string().min(1).max(2000),
  clientId: z.string().min(1).max(200),
  /**
   * The private key as PKCS#8, PKCS#1, encrypted PEM or a JWK. It never leaves the engine again.
   */
  privateKey: z.string().min(1).max(100_000),
  keyPassphrase: z.string().max(1000).optional(),
  scope: z.string().max(1000).optional(),
  htuWithoutQuery: z.boolean().default(false),
  /** The partner's name for the parameter lastChangedSince; absent if the name is the same. */
  changedSinceParameter: parameterNameSchema.optional(),
  /**
   * If the key to the data of this connection is lost, true sets the data aside and starts with
   * empty data.
   */
  setAside: z.boolean().default(false),
});
export type ConnectionInput = z.input<typeof connectionInputSchema>;

/** Enrols this laptop at an office gateway. The laptop creates its key. */
export const enrolInputSchema = z.object({
  /** The address of the gateway; the organization's policy wins. */
  gateway: z.string().max(2000).default(''),
  code: z.string().min(1).max(100),
  name: z.string().min(1).max(200).optional(),
});
export type EnrolInput = z.input<typeof enrolInputSchema>;

/** A workspace: one connection (or the practice service) with two separate databases. */
export const workspaceSchema = z.object({
  id: z.string(),
  kind: z.enum(['practice', 'connection']),
  name: z.string(),
  baseUrl: z.string(),
  clientId: z.string(),
  /** False without a keychain: then the practice workspace is deleted when the desk quits. */
  kept: z.boolean(),
});
export type Workspace = z.infer<typeof workspaceSchema>;

export const deskInfoSchema = z.object({
  version: z.string(),
  contractVersion: z.int(),
  workspace: workspaceSchema,
  workspaces: z.array(workspaceSchema),
  /** Whether the practice workspace can be opened here. */
  practice: z.boolean(),
});
export type DeskInfo = z.infer<typeof deskInfoSchema>;

/** The workspace that is not open because its key is missing in the keychain. */
export const lostKeySchema = z.object({
  workspace: workspaceSchema,
  /** The key of the data is missing as well. Only the keychain itself could restore the data. */
  dataIsLost: z.boolean(),
});
export type LostKey = z.infer<typeof lostKeySchema>;

export const recoverKeySchema = z.object({
  /** The private key, as in a connection; empty for the practice workspace. */
  privateKey: z.string().max(100_000).default(''),
  keyPassphrase: z.string().max(1000).optional(),
  /** Sets aside data that no key opens any more, and starts with empty data. Nothing is deleted. */
  setAside: z.boolean().default(false),
});
export type RecoverKey = z.input<typeof recoverKeySchema>;

/** The work of a connection that exists on this laptop only. */
export const pendingWorkSchema = z.object({
  /** The number of entries of the queue that are not delivered. */
  entries: z.int(),
  /** The number of reports that are not submitted. */
  drafts: z.int(),
  /** The number of typed texts that are not queued. */
  texts: z.int(),
  /** The number of backups of damaged work that wait for a decision. */
  backups: z.int(),
});
export type PendingWork = z.infer<typeof pendingWorkSchema>;

/** The data of a connection that the settings do not know and that does not say whose it is. */
export const orphanedWorkspaceSchema = z.object({
  folder: z.string(),
  /** When it was opened, closed or read last. */
  usedAt: z.string(),
  /** The unsent work; null if it cannot be read. */
  held: pendingWorkSchema.nullable(),
});
export type OrphanedWorkspace = z.infer<typeof orphanedWorkspaceSchema>;

/** The notice about an orphaned workspace. @param count how many there are */
export function orphanProblem({ folder, held }: OrphanedWorkspace, count = 1) {
  const { entries, drafts, texts } = held ?? {};
  const params = { folder, count, entries, drafts, texts };
  return { code: 'workspace_orphaned', params } as const satisfies DeskProblem;
}

/** A connection with the values that the user can change. Its key is never returned. */
export const connectionSchema = workspaceSchema.extend({
  audience: z.string(),
  scope: z.string().nullable(),
  htuWithoutQuery: z.boolean(),
  /** The partner's name for the parameter; null if it is lastChangedSince. */
  changedSinceParameter: z.string().nullable(),
  /**
   * The unsent work; null if it cannot be read, because the key of the data is lost or they are
   * damaged.
   */
  held: pendingWorkSchema.nullable(),
});
export type Connection = z.infer<typeof connectionSchema>;

export const workspaceRefSchema = z.object({ id: z.string().max(100) });

/** The work that the user was shown, so that nothing else is removed than what they confirmed. */
export const connectionRemovalSchema = workspaceRefSchema.extend({
  held: pendingWorkSchema.nullable(),
});
export type ConnectionRemoval = z.input<typeof connectionRemovalSchema>;

/** A change of a connection. An absent part stays unchanged. */
export const connectionChangeSchema = connectionInputSchema
  .pick({ name: true, keyPassphrase: true })
  .extend({
    id: z.string().max(100),
    baseUrl: connectionInputSchema.shape.baseUrl.optional(),
    audience: connectionInputSchema.shape.audience.optional(),
    clientId: connectionInputSchema.shape.clientId.optional(),
    /** The scope; an empty text removes it. */
    scope: connectionInputSchema.shape.scope,
    htuWithoutQuery: z.boolean().optional(),
    /** The partner's name for the parameter; an empty text means lastChangedSince. */
    changedSinceParameter: parameterNameSchema.or(z.literal('')).optional(),
    privateKey: connectionInputSchema.shape.privateKey.optional(),
    /**
     * The confirmed work. It is needed if the client id changes, which means another organization:
     * the connection then starts with empty data, and the earlier data are removed if they contain
     * exactly this work.
     */
    removed: pendingWorkSchema.nullable().optional(),
  });
export type ConnectionChange = z.input<typeof connectionChangeSchema>;

/** A connection that was tested and stored. If the partner refused it, it is not usable yet. */
export const connectionSetUpSchema = z.object({
  /** The workspace; null if the partner refused the connection. */
  workspace: workspaceSchema.nullable(),
  /** The number of cases; null if it could not be tested. */
  caseCount: z.int().nullable(),
  problem: deskProblemSchema.nullable(),
  asked: askedSchema.nullable(),
});

/** The connection that the partner refused when it was set up. */
export const failedConnectionSchema = z.object({
  name: z.string(),
  baseUrl: z.string(),
  clientId: z.string(),
  at: z.string(),
  problem: deskProblemSchema,
  asked: askedSchema.nullable(),
});

/** The result of a connection test, which opens nothing. */
export const connectionTestSchema = connectionSetUpSchema.omit({ workspace: true }).extend({
  /** The partner refused the connection, which is stored for `doctor`. */
  isStored: z.boolean(),
});
export type ConnectionTest = z.infer<typeof connectionTestSchema>;
