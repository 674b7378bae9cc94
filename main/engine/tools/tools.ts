import type { RestoredWork, WorkPackage, WorkPackageInput } from '#shared/desk/work-package.ts';

/** What a person does with a workspace as a whole; every method rejects with `DeskError`. */
export interface Tools {
  /** The undelivered work in one file under a passphrase, for another laptop. */
  backUpWork(input: WorkPackageInput): Promise<WorkPackage>;
  restoreWork(input: WorkPackageInput): Promise<RestoredWork>;
}
