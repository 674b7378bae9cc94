import type { Limits } from './limits/limiter.ts';
import type { OrganizationCredentials } from './organizations/register-organization.ts';

export interface PracticeOptions {
  /** Folder of the practice store; made where it does not exist. */
  readonly dataDir: string;
  /** 64 hexadecimal digits; the store is encrypted with it. */
  readonly storeKey: string;
  /** The same seed makes the same cases. */
  readonly seed: number;
  /** How many cases the expert sees after the first start. */
  readonly count: number;
  readonly limits: Limits;
}

/** What is known of a practice service that listens. */
export interface PracticeListening {
  readonly baseUrl: string;
  readonly audience: string;
  readonly expert: OrganizationCredentials;
  readonly insurer: OrganizationCredentials;
  readonly backofficeToken: string;
}

export type PracticeReport =
  | { readonly event: 'listening'; readonly listening: PracticeListening }
  | { readonly event: 'failed'; readonly message: string };
