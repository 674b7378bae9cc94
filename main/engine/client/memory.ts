import { z } from 'zod';

/**
 * Where a client keeps what must outlive the process: bucket levels, the token, the clock offset.
 * Many short runs of the command line then behave as one long run does. The text is small JSON and
 * holds the access token, so it belongs into encrypted storage. Losing it costs a token request.
 */
export interface ClientMemory {
  load(): string | null;
  /** Synchronous, because the draw on a bucket must be kept before the request leaves. */
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
  /** What the server last said of this bucket, where it is less than published. */
  learned: limitSchema.nullable(),
});

const stateSchema = z.object({
  version: z.literal(1),
  /** Server time minus laptop wall clock; null before the first answer. */
  offsetMs: z.number().nullable(),
  token: z
    .object({
      value: z.string().min(1),
      expiresAtServerMs: z.number(),
      lifetimeMs: z.number(),
      /** To whom and to what it was given; a token of another connection or key is no use. */
      holder: z.string(),
    })
    .nullable(),
  /** Server times of the latest token requests. */
  tokenRequests: z.array(z.number()).max(100),
  buckets: z.object({ standard: bucketSchema.nullable(), documents: bucketSchema.nullable() }),
});
type MemoryState = z.infer<typeof stateSchema>;

const empty: MemoryState = {
  version: 1,
  offsetMs: null,
  token: null,
  tokenRequests: [],
  buckets: { standard: null, documents: null },
};

/** The remembered state, and a way to change part of it; every change is saved at once. */
export interface OpenMemory {
  readonly state: MemoryState;
  update(change: Partial<MemoryState>): void;
}

/** What cannot be read is forgotten: everything here can be learned again from the server. */
export function openMemory(memory: ClientMemory): OpenMemory {
  let state = read(memory.load());
  return {
    get state() {
      return state;
    },
    update(change) {
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
