import { awaitsWork } from '#shared/api/states.ts';
import type { CaseSummary } from '#shared/desk/cases/cases.ts';
import type { BatchCase } from '#shared/desk/reports/batch.ts';
import { workRefusal } from '../cases/acts.ts';

/** A case with the values that the table of a batch shows. */
export function batchCase(item: CaseSummary): BatchCase {
  const { id, externalKey, partyName, subject, licensePlate } = item;
  const problem = workRefusal(item)?.problem ?? null;
  const awaits = awaitsWork(item.status);
  return { id, externalKey, partyName, subject, licensePlate, problem, awaits };
}
