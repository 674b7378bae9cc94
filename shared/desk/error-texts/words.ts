import type { QueueState } from '../queue.ts';

/**
 * Words that fill the sentences in place of raw parameter values. A value that is not listed is
 * shown as it came.
 */
export interface ErrorWords {
  /** Stands where a parameter is missing. */
  readonly unknown: string;
  /** `field` */
  readonly fields: Readonly<Record<string, string>>;
  /** `rule` */
  readonly rules: Readonly<Record<string, string>>;
  /** `found`: what a key file or an answer turned out to be */
  readonly found: Readonly<Record<string, string>>;
  /** `reason` */
  readonly reasons: Readonly<Record<string, string>>;
  /** `title` of a problem document */
  readonly titles: Readonly<Record<string, string>>;
  /** `status` of a case */
  readonly statuses: Readonly<Record<string, string>>;
  /** `bucket`: which requests a limit is for */
  readonly buckets: Readonly<Record<string, string>>;
  /** `state` of a queue row */
  readonly queueStates: Readonly<Record<QueueState, string>>;
}
