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
