import { DeskError } from '#shared/desk/contract/errors.ts';
import type { PracticeInsurer, VerdictReason } from '#shared/desk/setup/practice.ts';

/** The reasons of a case's verdicts. */
export type ReasonsOf = (caseId: string) => Promise<readonly VerdictReason[]>;

/** The partner's API has no reason. The practice insurer is asked in another way. */
export const practiceReasons =
  (practiceInsurer: () => PracticeInsurer | undefined): ReasonsOf =>
  async (caseId) => {
    try {
      return (await practiceInsurer()?.reasons(caseId)) ?? [];
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      return [];
    }
  };
