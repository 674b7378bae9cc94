import { documentMaxBytes } from '../api/limits.ts';

/** The bounds of what a telephone sends. Each is checked before anything is decoded. */
export const telephoneLimits = {
  /** Of a picture without its seal. */
  chunkBytes: 1024 * 1024,
  /** Of a request: a chunk, its description and its seal. */
  requestBytes: 1024 * 1024 + 4096,
  pictureBytes: documentMaxBytes,
  /** Pictures that are stored in one session. */
  pictures: 500,
  /** Connections and requests a second of one address, and connections of all. */
  connectionsPerAddress: 4,
  connections: 24,
  requestsPerSecond: 60,
  headerBytes: 8 * 1024,
  requestMs: 30_000,
  /** A session ends after this time without a telephone. */
  idleMs: 10 * 60_000,
  /** A telephone that proved itself may sleep for this time, such as between two rooms. */
  asleepMs: 60 * 60_000,
  /** How often one telephone may begin in a session. */
  begins: 1000,
  /** The page says at this interval that it is there. */
  lookMs: 4000,
} as const;

/** The lengths of a key, of a fresh number and of a session's name, in bytes. */
export const keyBytes = 32;
export const numberBytes = 32;
export const sessionBytes = 16;
/** The seal of a message is longer than the message by this many bytes. */
export const sealBytes = 16;

/** The status of a refusal. The page shows a sentence for each. */
export const refusals = {
  /** No proof, or one of an earlier start of the page: it has to say hello again. */
  unproven: 401,
  /** Another telephone has this session. */
  otherTelephone: 409,
  /** The session has ended, or never existed. */
  ended: 410,
  malformed: 400,
} as const;
export type Refusal = keyof typeof refusals;
