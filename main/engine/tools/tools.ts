import type { BatchInput, BatchMatchList, BatchResult } from '#shared/desk/batch.ts';
import type {
  CaseExport,
  CaseExportInput,
  SelectionExportInput,
} from '#shared/desk/case-export.ts';
import type { ConnectionCheck } from '#shared/desk/connection-check.ts';
import type { Diagnostics, DiagnosticsPart } from '#shared/desk/diagnostics.ts';
import type {
  RestoredWork,
  SuggestedFiles,
  WorkBackupDecision,
  WorkBackupList,
  WorkPackage,
  WorkPackageInput,
} from '#shared/desk/work-package.ts';

/** What a person does with a workspace as a whole; every method rejects with `DeskError`. */
export interface Tools {
  /** Where a backup and a bundle could be written. */
  suggestFiles(): SuggestedFiles;
  /** The undelivered work in one file under a passphrase, for another laptop. */
  backUpWork(input: WorkPackageInput): Promise<WorkPackage>;
  restoreWork(input: WorkPackageInput): Promise<RestoredWork>;
  /** Last sound backups of damaged work that was put aside; a person decides on each. */
  workBackups(): WorkBackupList;
  decideOnWorkBackup(input: WorkBackupDecision): RestoredWork | null;
  /** Tests the connection step by step; a failure is an item, not an error. */
  checkConnection(): Promise<ConnectionCheck>;
  /** The filtered case list as a file. */
  exportCases(input: CaseExportInput): Promise<CaseExport>;
  /** Exactly these cases in this order, as a file's bytes. */
  exportSelection(input: SelectionExportInput): Promise<Buffer>;
  /** What the bundle would hold now. */
  previewDiagnostics(): Promise<DiagnosticsPart[]>;
  /** A bundle for support, with nothing of a case or a person in it. */
  writeDiagnostics(file: string): Promise<Diagnostics>;
  /** Which cases these file names belong to. */
  matchBatch(paths: readonly string[]): BatchMatchList;
  /** One report per case from the files of a folder. */
  runBatch(input: BatchInput): Promise<BatchResult>;
}
