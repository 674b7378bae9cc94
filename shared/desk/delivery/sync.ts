import { z } from 'zod';
import type { ClockDifference } from './clock.ts';
import { deskProblemSchema } from '../contract/errors.ts';
import { ledgerCountsSchema } from './ledger.ts';

export const documentScopes = ['none', 'due', 'all'] as const;
export type DocumentScope = (typeof documentScopes)[number];

const clockDifferenceSchema = z.object({
  offsetMs: z.int(),
  source: z.enum(['answer', 'before', 'least']),
}) satisfies z.ZodType<ClockDifference>;

/**
 * What is being delivered, computed once by the engine (`delivery-facts.ts`): window, tray and command
 * line only put it into words.
 */
export const deliveryFactsSchema = z.object({
  /** The number of acts that have arrived since the outbox was last empty, and of all acts. */
  done: z.int(),
  total: z.int(),
  /** How much has arrived, from 0 to 1; the files of an act count one by one. */
  share: z.number(),
  /**
   * The number of acts that are sent without an action of the user, now or as soon as there is a
   * network.
   */
  goesOut: z.int(),
  /** The number of acts that wait until the insurer has accepted their case. */
  awaits: z.int(),
  /** The number of delivered acts that were not compared with the partner's answers yet. */
  unseen: z.int(),
  /** When the next request is sent; null if a request is running, or if the time is unknown. */
  nextAt: z.string().nullable(),
  /** The earliest time at which everything is delivered; null if it is unknown. */
  doneAt: z.string().nullable(),
});
export type DeliveryFacts = z.infer<typeof deliveryFactsSchema>;

const fetchFigures = {
  /**
   * The number of cases that the fetch has finished, and the number of all its cases; both are 0
   * between two fetches.
   */
  fetched: z.int(),
  fetchTotal: z.int(),
  /** While all lists are read before the first document: how many of how many; otherwise 0. */
  listsRead: z.int(),
  listTotal: z.int(),
  /** How much of the requests is done, from 0 to 1. */
  fetchShare: z.number(),
  /** When the fetch will be done; null if the time cannot be computed. */
  fetchDoneAt: z.string().nullable(),
  /** Whether that counts documents that no list has shown yet. */
  fetchIsEstimate: z.boolean(),
};
export type FetchFigures = Pick<SyncStatus, keyof typeof fetchFigures>;

export const syncStatusSchema = z.object({
  phase: z.enum(['idle', 'pulling', 'delivering', 'fetching']),
  /**
   * The state of the connection. It is `unknown` until the first request of this run was answered
   * or failed.
   */
  network: z.enum(['unknown', 'online', 'offline']),
  /** When the partner became unreachable; null if it can be reached. */
  offlineSince: z.string().nullable(),
  /** The reason why the last attempt failed; null if it did not fail. */
  problem: deskProblemSchema.nullable(),
  /** The notices for the user, although nothing failed. */
  notices: z.array(deskProblemSchema),
  paused: z.boolean(),
  lastSyncedAt: z.string().nullable(),
  nextSyncAt: z.string().nullable(),
  /** The number of outbox rows, by what they require of the user. */
  waiting: z.int(),
  attention: z.int(),
  /** The number of entries of the ledger, by kind. */
  unfinished: ledgerCountsSchema,
  /**
   * The number of cases that the current pull has read, and the number that the server announced.
   */
  pulled: z.int(),
  pullTotal: z.int().nullable(),
  ...fetchFigures,
  /** The least time until the phase ends, computed from the limits; null if it is unknown. */
  remainingMs: z.int().nullable(),
  delivery: deliveryFactsSchema,
  casesOnLaptop: z.int(),
  /** How far the device's clock is from the insurer's time; null if it is believed. */
  clock: clockDifferenceSchema.nullable(),
});
export type SyncStatus = z.infer<typeof syncStatusSchema>;

/** The work that is open when the desk quits, and whom it waits for. */
export type OpenAtEnd = Pick<SyncStatus, 'unfinished' | 'paused'> &
  Pick<DeliveryFacts, 'goesOut' | 'awaits'>;

/**
 * The last line of `desk sync --json` without its `event` member. `fault` is present only if there
 * is one.
 */
export const syncResultSchema = z.object({
  pulled: z.int(),
  delivered: z.int(),
  waiting: z.int(),
  attention: z.int(),
  documents: z.int(),
  requests: z.int(),
  /** The number of 429 answers. */
  throttled: z.int(),
  /**
   * The reason why not all cases of the partner, or not all requested documents, could be read;
   * null if everything is here.
   */
  incomplete: deskProblemSchema.nullable(),
  /**
   * The fault of the program that stopped an entry of the queue, or the reason why the delivery
   * ended before all of it was tried; null if there was neither.
   */
  fault: deskProblemSchema.nullable(),
});
export type SyncResult = z.infer<typeof syncResultSchema>;
