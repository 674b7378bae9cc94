/** The published limits of the partner API (specification, "Limits"; decisions, "Limits"). */

export interface TokenBucketLimit {
  readonly capacity: number;
  readonly refillPerMinute: number;
}

export interface FixedWindowLimit {
  readonly requests: number;
  readonly windowMs: number;
}

export const standardBucket: TokenBucketLimit = { capacity: 20, refillPerMinute: 60 };
export const documentsBucket: TokenBucketLimit = { capacity: 10, refillPerMinute: 20 };
export const tokenWindow: FixedWindowLimit = { requests: 10, windowMs: 60_000 };
export const validateWindow: FixedWindowLimit = { requests: 10, windowMs: 60_000 };

export const assertionLifetimeS = 600;
/** The leeway on iat, nbf and exp of a client assertion. */
export const assertionLeewayS = 60;
export const accessTokenLifetimeS = 300;
export const proofMaxAgeS = 60;
export const proofMaxAheadS = 10;
export const jtiMaxLength = 128;
export const rsaMinBits = 2048;

export const correlationIdMaxLength = 80;

export const idempotencyRetentionMs = 24 * 60 * 60 * 1000;
export const idempotencyKeyMaxLength = 255;
/** A request or an answer over this size is not stored for idempotency. */
export const idempotencyMaxBytes = 16 * 1024 * 1024;

export const pageSizeDefault = 50;
export const pageSizeMax = 200;

export const documentMaxBytes = 50 * 1024 * 1024;
export const fileNameMaxLength = 255;
export const commentMaxLength = 4000;
export const reasonMaxLength = 4000;
/** The limit is 999 999 999.99 CHF. */
export const amountMaxRappen = 99_999_999_999;
