/** A document's bytes that no document refers to yet. */
export interface StagedContent {
  readonly contentId: string;
  readonly sizeBytes: number;
  /** Whether it has its row in `contents`. */
  readonly isBegun: boolean;
  /** Whether its bytes are an object in a bucket, and not chunks in the store. */
  readonly inObjects: boolean;
  /** Chunks that are in the store already. */
  readonly writtenChunks: number;
  /** The chunks after those, still in memory. */
  readonly tail: readonly Buffer[];
}

/** Puts bytes aside as they come, holding no more than a few megabytes of them in memory. */
export interface ContentWriter {
  readonly sizeBytes: number;
  push(bytes: Uint8Array): Promise<void>;
  /**
   * What was put aside, whole, for `keepContent` or `discardContent`. Nothing may be pushed
   * after it.
   */
  finish(): Promise<StagedContent>;
  /** Forgets what was put aside; also after a failure, and instead of finishing. */
  discard(): Promise<void>;
}
