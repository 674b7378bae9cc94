import type { Category } from '#shared/api/case.ts';
import type { DocumentTaker } from '#shared/desk/documents.ts';
import type { PracticeInsurer } from '#shared/desk/practice.ts';
import type { PathQuestion } from '#shared/desk/work-package.ts';
import type { Language } from '#shared/desk/workspace.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { Random } from '#shared/lib/random.ts';
import type { PartnerClientOptions } from './client/partner-client.ts';
import type { ClientLogEntry } from './client/signed-request.ts';
import type { Vault } from './keys/vault.ts';

/** A practice service, running. */
export interface Practice {
  readonly baseUrl: string;
  readonly audience: string;
  readonly expert: {
    readonly clientId: string;
    readonly privateKeyPem: string;
    readonly organizationId: string;
  };
  readonly partner: PracticeInsurer;
  /** The limits of this service. */
  readonly limits: PartnerClientOptions['limits'];
  stop(): Promise<void>;
}

/**
 * Starts the practice service; given by shells that have one, because the engine knows no service.
 * `storeKey` (64 hex digits) encrypts what it keeps in `dataDir`.
 */
export type PracticeStarter = (options: { dataDir: string; storeKey: string }) => Promise<Practice>;

/** What IT has set about the partner. */
export interface PolicyConnection {
  /** Address of the office gateway: then only a code is asked. */
  readonly gateway?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly audience?: string | undefined;
  readonly clientId?: string | undefined;
  readonly scope?: string | undefined;
  readonly htuWithoutQuery?: boolean | undefined;
}

/** A rule of own cases as IT writes it: a list for each kind. */
export interface PolicyOwnCases {
  readonly postalCodes?: readonly string[] | undefined;
  readonly categories?: readonly Category[] | undefined;
  readonly responsibles?: readonly string[] | undefined;
}

/** What IT has set for this machine; a value that is set wins over a person's. */
export type EnginePolicy = Pick<PartnerClientOptions, 'limits' | 'paths' | 'proxy'> & {
  /** Days in which a closed case keeps its documents on the laptop. */
  readonly documentRetentionDays?: number | undefined;
  /** A file with client id and key for one use; a relative path is within the home. */
  readonly provisioningFile?: string | undefined;
  /** Days in which an ended case stays on the laptop. */
  readonly caseRetentionDays?: number | undefined;
  /** Whether the text of scans is recognized: false forbids it, true lets no person stop it. */
  readonly textRecognition?: boolean | undefined;
  /** Folder whose new photos are offered to reports. */
  readonly watchedFolder?: string | undefined;
  /** Folder of the automatic backups. */
  readonly backupFolder?: string | undefined;
  /** Which cases are a person's own; wins over the rule that a person sets. */
  readonly ownCases?: PolicyOwnCases | undefined;
  readonly connection?: PolicyConnection | undefined;
  readonly language?: Language | undefined;
};

export interface EngineOptions {
  /** Folder of everything that this desk keeps; made if missing. */
  readonly home: string;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
  readonly policy?: EnginePolicy;
  /** Certificate authorities that IT has added, and the shell's network stack. */
  readonly network?: Pick<PartnerClientOptions, 'certificateAuthorities' | 'createTransport'>;
  /**
   * Gives the file at a path to another program; resolves with whether there was one. Absent without
   * a window.
   */
  readonly handOver?: (path: string, to: DocumentTaker) => Promise<boolean>;
  /** Asks the person for a file or folder; null if none was chosen. Absent without a dialog. */
  readonly choosePath?: (question: PathQuestion) => Promise<string | null>;
  /** Absent on the command line: there is then no workspace without a connection. */
  readonly practice?: PracticeStarter;
  /** Requests by operation, status, duration and correlation id; never a body or a token. */
  readonly log?: (entry: ClientLogEntry) => void;
}
