import { z } from 'zod';
import { incompleteSchema, type TolerantPage } from '../answers/answers.ts';

export interface PullItem {
  readonly id: string;
  /** The LastChangedAt; empty if the partner sends none. */
  readonly lastChangedAt: string;
}

/** A reading of the list that is not finished. */
export const readingSchema = z.object({
  /** The LastChangedAt from which the reading started; null if it reads everything. */
  since: z.string().nullable(),
  nextPage: z.int().positive(),
  /** The server time in ms before its first page was requested. */
  startedMs: z.number(),
  /** The Total of the last page that was not empty. */
  total: z.int(),
  /**
   * Whether the list became shorter during the reading, so that the reading may have missed
   * something.
   */
  shrank: z.boolean(),
  /** The highest LastChangedAt so far, as the server wrote it. */
  highest: z.string().nullable(),
  /** The number of items read, and of those that are older than requested. */
  items: z.int(),
  older: z.int(),
  /** The number of items of its longest page. */
  longestPage: z.int().default(0),
});
export type Reading = Readonly<z.infer<typeof readingSchema>>;

/** What the last pull has shown about the partner's list. */
export const findingsSchema = z.object({
  /** The reason why the list could not be read completely. */
  incomplete: incompleteSchema.nullable(),
  /**
   * What the last reading of the whole list missed, and when it ended (server time, ms). Changes
   * are still read. Only a reading of the whole list that finds everything clears this value.
   */
  missing: z.object({ incomplete: incompleteSchema, atMs: z.number() }).nullable().default(null),
  /** Whether the partner ignores lastChangedSince. */
  ignoresSince: z.boolean(),
  /**
   * The number of items of the longest page of the last whole reading. The partner does not cap
   * pages below it.
   */
  longestPage: z.int().default(0),
});
export type PullFindings = Readonly<z.infer<typeof findingsSchema>>;

/** The findings before the first pull. */
export const noFindings: PullFindings = {
  incomplete: null,
  missing: null,
  ignoresSince: false,
  longestPage: 0,
};

/** What a store retains from one pull to the next. */
export interface PullState extends PullFindings {
  /** The LastChangedAt from which the next pull starts; null reads everything. */
  readonly cursor: string | null;
  /**
   * The latest LastChangedAt that was read of a single case since the last pull. The list has to
   * have it too. Absent if the store retains none.
   */
  readonly seenAlone?: string | null;
  /** An interrupted reading; null if every reading ended, or if the store retains none. */
  readonly reading: Reading | null;
}

export interface PullEnd extends Omit<PullState, 'reading' | 'seenAlone'> {
  /** When the reading began, if it read everything and is complete. */
  readonly wholeSinceMs: number | null;
  /** The latest LastChangedAt at the partner, if the partner was restored from a backup. */
  readonly restoredTo: string | null;
}

export interface ReceivedPage<Item> {
  readonly page: TolerantPage<Item>;
  /** The server time of the answer. */
  readonly serverMs: number;
  /** Whether the page starts a reading, so that nothing was seen yet. */
  readonly isFirst: boolean;
}

type MaybePromise<Value> = Value | Promise<Value>;

/** Where the cases are stored. */
export interface PullStore<Item> {
  begin(): MaybePromise<PullState>;
  /** Called before a page is requested; only once if the page is read in parts. */
  asked(): void;
  /**
   * Stores a page, marks its ids as seen, and stores the progress of the reading, all in one
   * transaction.
   */
  savePage(
    received: ReceivedPage<Item>,
    reading: Reading,
  ): MaybePromise<{
    /** The ids of the cases that are new or changed. */
    readonly changed: readonly string[];
    /**
     * The number of cases that are older than the stored ones. A second reading must confirm them.
     */
    readonly older: number;
  }>;
  /** The number of cases that this reading has seen. */
  seen(): MaybePromise<number>;
  /** Ends the reading. */
  end(end: PullEnd): MaybePromise<void>;
}
