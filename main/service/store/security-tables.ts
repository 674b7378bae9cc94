import type { Generated } from 'kysely';

/** An organization of the exchange: an insurer or an expert (appraiser). */
export interface OrganizationsTable {
  id: string;
  kind: 'insurer' | 'expert';
  name: string;
  responsible_name: string;
  responsible_email: string;
  responsible_phone: string;
  /** People in the organization; 0 answers org_without_members. */
  members: number;
  client_id: string;
  /** Milliseconds since 1970. */
  created_at: number;
}

/** Public keys by which an organization's client assertions are verified; several at a time. */
export interface ClientKeysTable {
  /** RFC 7638 thumbprint of the key, also its `kid`. */
  kid: string;
  organization_id: string;
  /** Public RSA key as JWK JSON. */
  public_jwk: string;
  /** Milliseconds since 1970. */
  created_at: number;
}

/** The service's own keys; the newest one signs access tokens. */
export interface SigningKeysTable {
  kid: string;
  /** Private P-256 key as JWK JSON. */
  private_jwk: string;
  /** Milliseconds since 1970. */
  created_at: number;
}

/** Answers kept for a repeated POST (decisions, "Idempotency"). */
export interface IdempotencyAnswersTable {
  /** Hex SHA-256 over key, method, path, client and payload hash. */
  scope: string;
  status: number;
  /** Empty where the answer has no body. */
  content_type: string;
  body: Buffer;
  /** Milliseconds since 1970. */
  expires_at: number;
}

/** A jti that was used, by its owner: a DPoP key's thumbprint or a client id. */
interface UsedJtisTable {
  owner: string;
  jti: string;
  /** Milliseconds since 1970. */
  expires_at: number;
}

/** A bucket or a window of one partition, where processes share them; see `shared-limits.ts`. */
interface RateLimitsTable {
  name: string;
  /** What a bucket holds, or how many requests a window has had. */
  level: number;
  /** When the bucket held it, or when the window began; milliseconds since 1970. */
  at: number;
  /** What the latest request was told; 0 where it was let through. */
  wait_ms: number;
  /** From when on the row says what no row would say too. */
  idle_from: number;
}

/** Credentials that the service was started with, where there is no file to keep them in. */
export interface PracticeSecretsTable {
  id: Generated<number>;
  credentials_json: string;
}

export interface ReplayTables {
  used_jtis: UsedJtisTable;
}

export interface LimitTables {
  rate_limits: RateLimitsTable;
}

/** The jtis here are those of client assertions. */
export interface SecurityTables extends ReplayTables {
  organizations: OrganizationsTable;
  client_keys: ClientKeysTable;
  signing_keys: SigningKeysTable;
  idempotency_answers: IdempotencyAnswersTable;
  practice_secrets: PracticeSecretsTable;
}
