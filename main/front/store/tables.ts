import type { Generated } from 'kysely';

/*
 * The tables of the front, the same in every store. Times are milliseconds since 1970, flags are 1
 * and 0.
 */

/** The server's own keys; the newest one signs access tokens. */
interface SigningKeysTable {
  kid: string;
  /** Private P-256 key as JWK JSON. */
  private_jwk: string;
  created_at: number;
}

/** Answers stored for a repeated POST (decisions, "Idempotency"). */
interface IdempotencyAnswersTable {
  /** Hex SHA-256 over key, method, path, client and payload hash. */
  scope: string;
  status: number;
  /** Empty if the answer has no body. */
  content_type: string;
  body: Buffer;
  expires_at: number;
}

/** A used jti with its owner: a DPoP key's thumbprint or a client id. */
interface UsedJtisTable {
  owner: string;
  jti: string;
  expires_at: number;
}

/** A bucket or a window of one partition; used if several processes share the store. */
interface RateLimitsTable {
  name: string;
  /** Tokens in a bucket, or requests in a window. */
  level: number;
  /** The time of that level, or the start of the window. */
  at: number;
  /** The wait that the latest request was given; 0 if it was let through. */
  wait_ms: number;
  /** From then on the row has no effect. */
  idle_from: number;
}

/** A document's bytes: rows of `content_chunks`, or an object in a bucket. */
interface ContentsTable {
  id: string;
  /** 0 during the upload: no document refers to it, and the purge may delete it. */
  stored: number;
  created_at: number;
  /** 1 if the bytes are an object, under the content's id. */
  in_objects: Generated<number>;
}

interface ContentChunksTable {
  content_id: string;
  /** From 0. */
  position: number;
  bytes: Buffer;
}

/** Objects to be deleted from the bucket. */
interface ObjectsToDeleteTable {
  content_id: string;
}

export interface SecurityTables {
  signing_keys: SigningKeysTable;
  idempotency_answers: IdempotencyAnswersTable;
}

/** What a store needs so that a repetition gets the first answer. */
export type AnswerTables = Pick<SecurityTables, 'idempotency_answers'>;

export interface ContentTables {
  contents: ContentsTable;
  content_chunks: ContentChunksTable;
  objects_to_delete: ObjectsToDeleteTable;
}

export interface ReplayTables {
  used_jtis: UsedJtisTable;
}

export interface LimitTables {
  rate_limits: RateLimitsTable;
}
