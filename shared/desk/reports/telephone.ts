import { z } from 'zod';
import { opaqueIdSchema } from '../../api/conventions.ts';

/** An address of this device in a private network, and the name of its adapter. */
export const telephoneNetworkSchema = z.object({ network: z.string(), address: z.string() });
export type TelephoneNetwork = z.infer<typeof telephoneNetworkSchema>;

/** A running session with a telephone. */
const telephoneSessionSchema = z.object({
  draftId: z.uuid(),
  caseId: opaqueIdSchema,
  ...telephoneNetworkSchema.shape,
  /** Whether this device still has the address. */
  isReachable: z.boolean(),
  /** What the QR code contains: the address with the key. Only the window gets it. */
  code: z.string(),
  /** Whether a telephone has proved that it has the code. */
  isConnected: z.boolean(),
  /** Pictures that this session has stored. */
  stored: z.int(),
  /** Pictures that are only on the telephone, as it last reported. */
  waiting: z.int(),
  /** The user has finished on the telephone. */
  isDone: z.boolean(),
  /** How often another device was refused. */
  refused: z.int(),
});

/** Why no session can begin. */
export const telephoneObstacles = ['policy', 'network', 'program'] as const;

export const telephoneStateSchema = z.object({
  session: telephoneSessionSchema.nullable(),
  /** The networks of this device that may be used now. */
  networks: z.array(telephoneNetworkSchema),
  /** Null if a session can begin. */
  obstacle: z.enum(telephoneObstacles).nullable(),
});
export type TelephoneState = z.infer<typeof telephoneStateSchema>;

export const telephoneBeginSchema = z.object({
  draftId: z.uuid(),
  /** The address to listen on; null: the one that was used last, or the first. */
  address: z.string().max(64).nullable(),
});
