/** Who does something to a record, and when. */
export interface Act {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The client id, or `backoffice`. */
  readonly by: string;
}
