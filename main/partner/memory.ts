import { z } from 'zod';

/**
 * Stores what must outlive the process: bucket levels, the token, the clock offset. Many short runs
 * of the command line then behave as one long run. The text is small JSON and contains the access
 * token, so it belongs into encrypted storage. Losing it costs a token request.
 */
export interface ClientMemory {
  load(): string | null;
  /** Synchronous, because the draw on a bucket must be stored before the request leaves. */
  save(text: string): void;
}

const limitSchema = z.object({
  capacity: z.number().positive(),
  refillPerMinute: z.number().positive(),
});
const bucketSchema = z.object({
  level: z.number(),
  /** Wall clock at which the level was true. */
  atMs: z.number(),
  /** The server's last policy of this bucket, if it is less than published, and when it expires. */
  override: limitSchema.extend({ untilMs: z.number() }).nullable(),
  /** Wall clock at which the pause that the server asked for ends; null without one. */
  blockedUntilMs: z.number().nullable(),
});

const stateSchema = z.object({
  version: z.literal(2),
  /** Server time minus laptop wall clock; null before the first answer. */
  offsetMs: z.number().nullable(),
  token: z
    .object({
      value: z.string().min(1),
      expiresAtServerMs: z.number(),
      lifetimeMs: z.number(),
      /** Connection and key that it was given to; for another one it has no effect. */
      holder: z.string(),
    })
    .nullable(),
  /** Server times of the latest token requests. */
  tokenRequests: z.array(z.number()).max(100),
  /** As of a bucket, for the token endpoint. */
  tokenBlockedUntilMs: z.number().nullable(),
  buckets: z.object({ standard: bucketSchema.nullable(), documents: bucketSchema.nullable() }),
});
type MemoryState = z.infer<typeof stateSchema>;

const empty: MemoryState = {
  version: 2,
  offsetMs: null,
  token: null,
  tokenRequests: [],
  tokenBlockedUntilMs: null,
  buckets: { standard: null, documents: null },
};

export type OpenMemory = ReturnType<typeof openMemory>;

/**
 * The remembered state, and a way to change part of it; every change is saved at once. An unreadable
 * state is dropped: everything here can be learned again from the server.
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
