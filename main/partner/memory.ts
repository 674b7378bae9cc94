import { z } from 'zod';

/**
 * Stores what must outlive the process: bucket levels, the token, the clock offset. So many short
 * runs of the command line behave like one long run. The text is small JSON. It contains the access
 * token and must therefore be stored encrypted. If it is lost, only one more token request is
 * needed.
 */
export interface ClientMemory {
  load(): string | null;
  /**
   * Saves the text. It is synchronous, because the draw on a bucket must be stored before the
   * request is sent.
   */
  save(text: string): void;
}

const limitSchema = z.object({
  capacity: z.number().positive(),
  refillPerMinute: z.number().positive(),
});
const bucketSchema = z.object({
  level: z.number(),
  /** The time by the wall clock at which the level was measured. */
  atMs: z.number(),
  /**
   * The server's latest policy of this bucket and its end, if the policy is below the published
   * limit.
   */
  override: limitSchema.extend({ untilMs: z.number() }).nullable(),
  /** The time by the wall clock at which the server's pause ends; null without a pause. */
  blockedUntilMs: z.number().nullable(),
});

const stateSchema = z.object({
  version: z.literal(2),
  /** The server time minus the laptop's wall clock; null before the first answer. */
  offsetMs: z.number().nullable(),
  /** The server time of the last answer; null before the first one, and in earlier versions. */
  serverMs: z.number().nullable().default(null),
  token: z
    .object({
      value: z.string().min(1),
      expiresAtServerMs: z.number(),
      lifetimeMs: z.number(),
      /**
       * The connection and key to which the token belongs. For any other the token has no effect.
       */
      holder: z.string(),
    })
    .nullable(),
  /** The server times of the latest token requests. */
  tokenRequests: z.array(z.number()).max(100),
  /** The end of the token endpoint's pause, as for a bucket. */
  tokenBlockedUntilMs: z.number().nullable(),
  buckets: z.object({ standard: bucketSchema.nullable(), documents: bucketSchema.nullable() }),
});
type MemoryState = z.infer<typeof stateSchema>;

const empty: MemoryState = {
  version: 2,
  offsetMs: null,
  serverMs: null,
  token: null,
  tokenRequests: [],
  tokenBlockedUntilMs: null,
  buckets: { standard: null, documents: null },
};

export type OpenMemory = ReturnType<typeof openMemory>;

/**
 * The remembered state, and a function that changes part of it. Every change is saved immediately.
 * An unreadable state is dropped, because the server provides all of it again.
 */
export function openMemory(memory: ClientMemory) {
  let state = read(memory.load());
  return {
    get state(): MemoryState {
      return state;
    },
    update(change: Partial<MemoryState>): void {
      state = { ...state, ...change };
      memory.save(JSON.stringify(state));
    },
  };
}

function read(text: string | null): MemoryState {
  if (text === null) return empty;
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    return empty;
  }
}
