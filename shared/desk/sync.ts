import { z } from 'zod';
import { deskProblemSchema } from './errors.ts';

export const documentScopes = ['none', 'due', 'all'] as const;
export type DocumentScope = (typeof documentScopes)[number];

/**
 * What is being delivered, computed once by the engine (`delivery-facts.ts`): window, tray and command
 * line only put it into words.
 */
export const deliveryFactsSchema = z.object({
  /** Files, and acts without files, that arrived since nothing went out, of how many. */
  done: z.int(),
  total: z.int(),
  /** Acts that go out without anybody, now or as soon as there is a network. */
  goesOut: z.int(),
  /** Acts that wait until the insurer has accepted their case. */
  awaits: z.int(),
  /** When the next request leaves; null if one is on its way, or nobody knows. */
  nextAt: z.string().nullable(),
  /** When all that goes out is delivered at the earliest; null if nobody knows. */
  doneAt: z.string().nullable(),
});
export type DeliveryFacts = z.infer<typeof deliveryFactsSchema>;

export const syncStatusSchema = z.object({
  phase: z.enum(['idle', 'pulling', 'delivering', 'fetching']),
  /** `unknown` until the first request of this run was answered or failed. */
  network: z.enum(['unknown', 'online', 'offline']),
  /** When the partner was first not reached after it last was; null if it is. */
  offlineSince: z.string().nullable(),
  /** Why the last attempt failed; null when it did not. */
  problem: deskProblemSchema.nullable(),
  /** What the user should know although nothing failed. */
  notices: z.array(deskProblemSchema),
  paused: z.boolean(),
  lastSyncedAt: z.string().nullable(),
  nextSyncAt: z.string().nullable(),
  /** Outbox rows by what the user asks of them. */
  waiting: z.int(),
  attention: z.int(),
  /** Cases read by the current pull, and how many the server announced. */
  pulled: z.int(),
  pullTotal: z.int().nullable(),
  /** Cases that this fetch is done with, and how many it is for; 0 between. */
  fetched: z.int(),
  fetchTotal: z.int(),
  /** When the fetch is over; null if that cannot be reckoned. */
  fetchDoneAt: z.string().nullable(),
  /** Least time until the phase is over, by the limits; null if not known. */
  remainingMs: z.int().nullable(),
  delivery: deliveryFactsSchema,
  casesOnLaptop: z.int(),
});
export type SyncStatus = z.infer<typeof syncStatusSchema>;

/** What is open when the desk ends, and whom it waits for. */
export type OpenAtEnd = Pick<SyncStatus, 'attention' | 'paused'> &
  Pick<DeliveryFacts, 'goesOut' | 'awaits'>;

/**
 * The last line of `desk sync --json`, without its `event` member; `fault` only if there is one.
 */
export const syncResultSchema = z.object({
  pulled: z.int(),
  delivered: z.int(),
  waiting: z.int(),
  attention: z.int(),
  documents: z.int(),
  requests: z.int(),
  /** 429 answers received. */
  throttled: z.int(),
  /**
   * Why not everything that the partner lists, or not every document that was asked for, could be
   * read; null if all is here.
   */
  incomplete: deskProblemSchema.nullable(),
  /** A fault of the program that stopped an entry of the queue; null if there was none. */
  fault: deskProblemSchema.nullable(),
});
export type SyncResult = z.infer<typeof syncResultSchema>;
