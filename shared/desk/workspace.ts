import { z } from 'zod';
import { parameterName } from '../api/conventions.ts';
import { askedSchema } from './diagnostics.ts';
import { deskProblemSchema } from './errors.ts';

export { type Language, languages } from '../i18n/language.ts';

const parameterNameSchema = z.string().regex(parameterName);

export const connectionInputSchema = z.object({
  name: z.string().min(1).max(200).optional(),
  baseUrl: z.string().min(1).max(2000),
  /** The token address that the assertion's aud names. */
  audience: z.string().min(1).max(2000),
  clientId: z.string().min(1).max(200),
  /** PKCS#8, PKCS#1, encrypted PEM or a JWK; never leaves the engine again. */
  privateKey: z.string().min(1).max(100_000),
  keyPassphrase: z.string().max(1000).optional(),
  scope: z.string().max(1000).optional(),
  htuWithoutQuery: z.boolean().default(false),
  /** What the partner calls lastChangedSince; absent if it is called that. */
  changedSinceParameter: parameterNameSchema.optional(),
  /** If the key to the data of this connection is lost: sets them aside and starts from scratch. */
  setAside: z.boolean().default(false),
});
export type ConnectionInput = z.input<typeof connectionInputSchema>;

/** Enrols this laptop at an office gateway; its key is made here. */
export const enrolInputSchema = z.object({
  /** Address of the gateway; the organization's policy wins. */
  gateway: z.string().max(2000).default(''),
  code: z.string().min(1).max(100),
  name: z.string().min(1).max(200).optional(),
});
export type EnrolInput = z.input<typeof enrolInputSchema>;

/** A workspace: one connection (or the practice service) with its own two databases. */
export const workspaceSchema = z.object({
  id: z.string(),
  kind: z.enum(['practice', 'connection']),
  name: z.string(),
  baseUrl: z.string(),
  clientId: z.string(),
  /** False without a keychain: practice then lives only as long as the desk. */
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
  /** The key of the data is missing, too: only the keychain itself could bring them back. */
  dataIsLost: z.boolean(),
});
export type LostKey = z.infer<typeof lostKeySchema>;

export const recoverKeySchema = z.object({
  /** As in a connection; none for the practice workspace. */
  privateKey: z.string().max(100_000).default(''),
  keyPassphrase: z.string().max(1000).optional(),
  /** Sets data that no key opens any more aside and starts from scratch; nothing is deleted. */
  setAside: z.boolean().default(false),
});
export type RecoverKey = z.input<typeof recoverKeySchema>;

/** Work of a connection that is on this laptop only. */
export const pendingWorkSchema = z.object({
  /** Entries of the queue that are not delivered. */
  entries: z.int(),
  /** Reports that are not submitted. */
  drafts: z.int(),
  /** Typed texts that are not queued. */
  texts: z.int(),
  /** Backups of damaged work that wait for a decision. */
  backups: z.int(),
});
export type PendingWork = z.infer<typeof pendingWorkSchema>;

/** A connection as it can be changed; its key is never returned. */
export const connectionSchema = workspaceSchema.extend({
  audience: z.string(),
  scope: z.string().nullable(),
  htuWithoutQuery: z.boolean(),
  /** Null for lastChangedSince. */
  changedSinceParameter: z.string().nullable(),
  /** Null if it cannot be read: the key of the data is lost, or they are damaged. */
  held: pendingWorkSchema.nullable(),
});
export type Connection = z.infer<typeof connectionSchema>;

export const workspaceRefSchema = z.object({ id: z.string().max(100) });

/** What the user was shown, so that nothing else is removed than what they agreed to. */
export const connectionRemovalSchema = workspaceRefSchema.extend({
  held: pendingWorkSchema.nullable(),
});
export type ConnectionRemoval = z.input<typeof connectionRemovalSchema>;

/** Absent parts stay as they are. */
export const connectionChangeSchema = connectionInputSchema
  .pick({ name: true, keyPassphrase: true })
  .extend({
    id: z.string().max(100),
    baseUrl: connectionInputSchema.shape.baseUrl.optional(),
    audience: connectionInputSchema.shape.audience.optional(),
    clientId: connectionInputSchema.shape.clientId.optional(),
    /** Empty for none. */
    scope: connectionInputSchema.shape.scope,
    htuWithoutQuery: z.boolean().optional(),
    /** Empty for lastChangedSince. */
    changedSinceParameter: parameterNameSchema.or(z.literal('')).optional(),
    privateKey: connectionInputSchema.shape.privateKey.optional(),
    /**
     * Needed for another client id, which is another organization: it starts from scratch, and the
     * data of the one before are removed if exactly this work is in them.
     */
    removed: pendingWorkSchema.nullable().optional(),
  });
export type ConnectionChange = z.input<typeof connectionChangeSchema>;

/** A connection that was tested and stored; one that the partner refused is not usable yet. */
export const connectionSetUpSchema = z.object({
  /** Null if the partner refused it. */
  workspace: workspaceSchema.nullable(),
  /** Null if it could not be tested. */
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

/** What a test of a connection found; nothing is opened. */
export const connectionTestSchema = connectionSetUpSchema.omit({ workspace: true }).extend({
  /** The partner refused it, and it is stored for `doctor`. */
  isStored: z.boolean(),
});
export type ConnectionTest = z.infer<typeof connectionTestSchema>;
