import type { Generated } from 'kysely';

/*
 * The tables of the front, which are the same in every store. Times are milliseconds since 1970,
 * and flags are 1 and 0.
 */

/** The keys of the server. The newest one signs access tokens. */
interface SigningKeysTable {
  kid: string;
  /** The private P-256 key as JWK JSON. */
  private_jwk: string;
  created_at: number;
}

/** The answers that are stored for a repeated POST (decisions, "Idempotency"). */
interface IdempotencyAnswersTable {
  /** The SHA-256 in hex over key, method, path, client and payload hash. */
  scope: string;
  status: number;
  /** The media type; empty if the answer has no body. */
  content_type: string;
  body: Buffer;
  expires_at: number;
}

/** A used jti with its owner: the thumbprint of a DPoP key, or a client id. */
interface UsedJtisTable {
  owner: string;
  jti: string;
  expires_at: number;
}

/** The bucket or window of one partition. It is used if several processes share the store. */
interface RateLimitsTable {
  name: string;
  /** The tokens in a bucket, or the requests in a window. */
  level: number;
  /** The time of that level, or the start of the window. */
  at: number;
  /** The wait of the latest request; 0 if it was let through. */
  wait_ms: number;
  /** The time from which the row has no effect. */
  idle_from: number;
}

/** The bytes of a document: rows of `content_chunks`, or an object in a bucket. */
interface ContentsTable {
  id: string;
  /**
   * The value is 0 during the upload, when no document refers to the content and the purge may
   * delete it.
   */
  stored: number;
  created_at: number;
  /** The value is 1 if the bytes are an object, under the content's id. */
  in_objects: Generated<number>;
}

interface ContentChunksTable {
  content_id: string;
  /** The position, from 0. */
  position: number;
  bytes: Buffer;
}

/** The objects that must be deleted from the bucket. */
interface ObjectsToDeleteTable {
  content_id: string;
}

export interface SecurityTables {
  signing_keys: SigningKeysTable;
  idempotency_answers: IdempotencyAnswersTable;
}

/** The tables that a store needs so that a repetition gets the first answer. */
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
