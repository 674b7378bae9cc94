import type { BatchItem, BatchMatch, IdentifierKind } from '#shared/desk/batch.ts';
import type { CaseExport } from '#shared/desk/case-export.ts';
import type { ConnectionStep } from '#shared/desk/connection-check.ts';
import type { Diagnostics } from '#shared/desk/diagnostics.ts';
import type { QueueState } from '#shared/desk/queue.ts';
import type { DocumentRule } from '#shared/desk/storage.ts';
import type { RestoredWork, WorkBackup, WorkPackage } from '#shared/desk/work-package.ts';

/** What the command line says to a person, in one language. */
export interface CliTexts {
  readonly description: string;
  readonly commands: {
    readonly connect: string;
    readonly doctor: string;
    readonly sync: string;
    readonly cases: string;
    readonly case: string;
    readonly documents: string;
    readonly reports: string;
    readonly download: string;
    readonly comment: string;
    readonly amounts: string;
    readonly reopen: string;
    readonly report: string;
    readonly queue: string;
    readonly queueShow: string;
    readonly queueRetry: string;
    readonly queueDiscard: string;
    readonly queueEdit: string;
    readonly batch: string;
    readonly export: string;
    readonly storage: string;
    readonly diagnostics: string;
    readonly backup: string;
    readonly restore: string;
  };
  /** More documents have the words than a search looks at. */
  readonly casesAtLeast: (total: number) => string;
  readonly columns: {
    readonly key: string;
    readonly status: string;
    readonly category: string;
    readonly party: string;
    readonly subject: string;
    readonly place: string;
    readonly file: string;
    readonly size: string;
    readonly onLaptop: string;
    readonly sequence: string;
    readonly submitted: string;
    readonly comment: string;
    readonly id: string;
    readonly act: string;
    readonly state: string;
    readonly attempts: string;
    readonly problem: string;
    readonly path: string;
    readonly matchedBy: string;
    readonly salvage: string;
    readonly step: string;
    readonly result: string;
  };
  readonly kinds: {
    readonly amounts: string;
    readonly comment: string;
    readonly reopen: string;
    readonly report: string;
  };
  readonly states: Readonly<Record<QueueState, string>>;
  readonly yes: string;
  readonly no: string;
  readonly connected: (name: string, cases: number) => string;
  readonly connectedUntested: (name: string) => string;
  readonly synced: (result: {
    pulled: number;
    delivered: number;
    waiting: number;
    attention: number;
    documents: number;
  }) => string;
  readonly queued: (id: number) => string;
  readonly draftKept: (id: string) => string;
  readonly storage: (held: {
    documents: string;
    freeable: string;
    attachments: string;
    keep: DocumentRule['keep'];
    closedDays: number | null;
  }) => string;
  readonly exported: (written: CaseExport) => string;
  readonly diagnosed: (written: Diagnostics) => string;
  readonly backedUp: (made: WorkPackage) => string;
  readonly restored: (taken: RestoredWork) => string;
  readonly workBackup: (offered: WorkBackup) => string;
  readonly workBackupLeft: (left: WorkBackup) => string;
  readonly usageNoBackup: string;
  readonly usageTakeOrLeave: string;
  readonly askPassphrase: string;
  readonly askPassphraseAgain: string;
  readonly passphrasesDiffer: string;
  readonly usagePassphrase: string;
  readonly batch: {
    readonly identifiers: Readonly<Record<IdentifierKind, string>>;
    readonly likely: string;
    readonly refusals: Readonly<Record<NonNullable<BatchMatch['refusal']>, string>>;
    readonly outcomes: Readonly<
      Record<Exclude<BatchItem['outcome'], 'unmatched' | 'refused'>, string>
    >;
    readonly inDraft: string;
    readonly made: (queued: number, drafts: number) => string;
  };
  readonly doctor: {
    readonly steps: Readonly<Record<ConnectionStep, string>>;
    readonly ok: string;
    readonly failed: string;
    readonly skipped: string;
    readonly clockOff: (offsetS: number) => string;
    readonly caseCount: (count: number) => string;
    readonly limits: (standardPerMinute: number, documentsPerMinute: number) => string;
  };
  readonly usageConnect: string;
  readonly usageAmounts: string;
  readonly usageEdit: string;
  readonly edited: (id: number) => string;
  readonly progress: {
    readonly pulling: (read: number, total: number | null) => string;
    readonly delivering: (waiting: number) => string;
    readonly fetching: string;
    readonly uploading: (id: number) => string;
    /** At least so much longer. */
    readonly seconds: (n: number) => string;
    readonly minutes: (n: number) => string;
    readonly tasks: Readonly<Record<'backup' | 'restore' | 'batch' | 'export', string>>;
  };
}
