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
  recoverKeySchema,
  workspaceRefSchema,
  workspaceSchema,
  deskInfoSchema,
} from './workspace.ts';

/** Connections of this device, and the workspace that is open. */
export const workspaceContract = {
  connect: call.input(connectionInputSchema).output(workspaceSchema),
  /** Makes a key on this laptop and connects with it; the code works once. */
  enrol: call.input(enrolInputSchema).output(workspaceSchema),
  /** Tests a connection and opens it; one that the partner refuses is stored for `doctor`. */
  setUp: call.input(connectionInputSchema).output(connectionSetUpSchema),
  /** Null if none failed since the last one that worked. */
  failed: call.output(failedConnectionSchema.nullable()),
  forgetFailed: call.output(z.object({})),
  /** Tests a connection; one that the partner refuses is stored for `doctor`. */
  test: call.input(connectionInputSchema).output(connectionTestSchema),
  use: call.input(workspaceRefSchema).output(deskInfoSchema),
  /** A connection, open or not, with what it contains that was not sent. */
  get: call.input(workspaceRefSchema).output(connectionSchema),
  /** Renames a connection, gives it another address or key; its data stay. */
  change: call.input(connectionChangeSchema).output(workspaceSchema),
  /** Removes a connection with its key and its data. */
  remove: call.input(connectionRemovalSchema).output(z.object({})),
  /** Null if no key is missing. Every call about the workspace fails until it is recovered. */
  lostKey: call.output(lostKeySchema.nullable()),
  recoverKey: call.input(recoverKeySchema).output(deskInfoSchema),
};
