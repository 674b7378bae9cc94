import { z } from 'zod';
import { incompleteSchema, type TolerantPage } from './answers.ts';

export interface PullItem {
  readonly id: string;
  /** Empty if the partner gives none. */
  readonly lastChangedAt: string;
}

/** A reading of the list that is under way. */
export const readingSchema = z.object({
  /** The LastChangedAt that it started from; null if it reads everything. */
  since: z.string().nullable(),
  nextPage: z.int().positive(),
  /** Server time before its first page was asked for, milliseconds. */
  startedMs: z.number(),
  /** Total of its last page that was not empty. */
  total: z.int(),
  /** The list got shorter during the reading, which may have missed something. */
  shrank: z.boolean(),
  /** Highest LastChangedAt seen, as the server wrote it. */
  highest: z.string().nullable(),
  /** Items read, and those that are older than what was asked for. */
  items: z.int(),
  older: z.int(),
  /** Items of its longest page. */
  longestPage: z.int().default(0),
});
export type Reading = Readonly<z.infer<typeof readingSchema>>;

/** What the last pull found out about the partner's list. */
export const findingsSchema = z.object({
  /** Why not everything could be read. */
  incomplete: incompleteSchema.nullable(),
  /**
   * What the last reading of the whole list missed, and when it ended (server time, ms). Changes are
   * read all the same; only a whole reading that finds everything ends it.
   */
  missing: z.object({ incomplete: incompleteSchema, atMs: z.number() }).nullable().default(null),
  /** The partner does not filter by lastChangedSince. */
  ignoresSince: z.boolean(),
  /** Items of the longest page of the last whole reading: the partner does not cap pages below. */
  longestPage: z.int().default(0),
});
export type PullFindings = Readonly<z.infer<typeof findingsSchema>>;

/** Before the first pull. */
export const noFindings: PullFindings = {
  incomplete: null,
  missing: null,
  ignoresSince: false,
  longestPage: 0,
};

/** What a store retains between two pulls. */
export interface PullState extends PullFindings {
  /** The LastChangedAt that the next pull starts from; null reads everything. */
  readonly cursor: string | null;
  /** A reading that was broken off; null if every reading ended, or the store does not retain one. */
  readonly reading: Reading | null;
}

export interface PullEnd extends Omit<PullState, 'reading'> {
  /** When the reading began, if it read everything and is complete. */
  readonly wholeSinceMs: number | null;
  /** The partner was restored from a backup, whose latest LastChangedAt this is. */
  readonly restoredTo: string | null;
}

export interface ReceivedPage<Item> {
  readonly page: TolerantPage<Item>;
  /** Server time when it was answered. */
  readonly serverMs: number;
  /** It starts a reading: nothing was seen yet. */
  readonly isFirst: boolean;
}

type MaybePromise<Value> = Value | Promise<Value>;

/** Where the cases are stored. */
export interface PullStore<Item> {
  begin(): MaybePromise<PullState>;
  /** Called before a page is asked for: once, even if it is read in parts. */
  asked(): void;
  /** Stores a page, its ids as seen, and the place of the reading, in one transaction. */
  savePage(
    received: ReceivedPage<Item>,
    reading: Reading,
  ): MaybePromise<{
    /** Ids of the cases that are new or different now. */
    readonly changed: readonly string[];
    /** Cases that are older than the stored ones, which a second reading has to confirm. */
    readonly older: number;
  }>;
  /** How many cases this reading has seen. */
  seen(): MaybePromise<number>;
  /** Ends the reading. */
  end(end: PullEnd): MaybePromise<void>;
}
