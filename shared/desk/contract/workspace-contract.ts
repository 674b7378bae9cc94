import { z } from 'zod';
import { call } from './call.ts';
import {
  connectionChangeSchema,
  connectionInputSchema,
  connectionRemovalSchema,
  connectionSetUpSchema,
  failedConnectionSchema,
  connectionSchema,
  connectionTestSchema,
  enrolInputSchema,
  lostKeySchema,
  orphanedWorkspaceSchema,
  recoverKeySchema,
  workspaceRefSchema,
  workspaceSchema,
  deskInfoSchema,
} from '../setup/workspace.ts';

/** The connections of this device, and the workspace that is open. */
export const workspaceContract = {
  connect: call.input(connectionInputSchema).output(workspaceSchema),
  /** Creates a key on this laptop and connects with it. The code can be used once. */
  enrol: call.input(enrolInputSchema).output(workspaceSchema),
  /**
   * Tests a connection and opens it. If the partner refuses the connection, it is stored for
   * `doctor`.
   */
  setUp: call.input(connectionInputSchema).output(connectionSetUpSchema),
  /** The connection that failed last; null if a later one worked. */
  failed: call.output(failedConnectionSchema.nullable()),
  forgetFailed: call.output(z.object({})),
  /** Tests a connection. If the partner refuses it, it is stored for `doctor`. */
  test: call.input(connectionInputSchema).output(connectionTestSchema),
  use: call.input(workspaceRefSchema).output(deskInfoSchema),
  /** A connection, open or closed, with its unsent work. */
  get: call.input(workspaceRefSchema).output(connectionSchema),
  /** Renames a connection, or changes its address or key. Its data stay. */
  change: call.input(connectionChangeSchema).output(workspaceSchema),
  /** Removes a connection with its key and its data. */
  remove: call.input(connectionRemovalSchema).output(z.object({})),
  /** The data of connections that the settings do not know; see `OrphanedWorkspace`. */
  orphans: call.output(z.object({ items: z.array(orphanedWorkspaceSchema), total: z.int() })),
  /**
   * The workspace whose key is missing; null if no key is missing. Until it is recovered, every
   * call about the workspace fails.
   */
  lostKey: call.output(lostKeySchema.nullable()),
  recoverKey: call.input(recoverKeySchema).output(deskInfoSchema),
};
