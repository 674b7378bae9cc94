import type { DeskProblem } from '#shared/desk/errors.ts';
import type { Limits } from '../front/limits/limiter.ts';
import type { OrganizationCredentials } from './organizations/organizations.ts';
import type { Insurer } from './practice/insurer.ts';

export interface PracticeOptions {
  /** Folder of the practice store; created if it does not exist. */
  readonly dataDir: string;
  /** 64 hexadecimal digits that encrypt the store. */
  readonly storeKey: string;
  /** The same seed makes the same cases. */
  readonly seed: number;
  /** Cases that the expert sees after the first start. */
  readonly count: number;
  readonly limits: Limits;
}

/** A practice service that listens. */
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

/** A call of one of the insurer's functions on the thread. */
export interface InsurerCall<Name extends keyof Insurer = keyof Insurer> {
  readonly id: number;
  readonly name: Name;
  readonly args: Parameters<Insurer[Name]>;
}

export type InsurerAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly problem: DeskProblem };
