import type { Kysely } from 'kysely';
import type { Category } from '#shared/api/case-words.ts';
import { isoTime } from '#shared/api/conventions.ts';
import { nextCaseStatus, officeTriggers } from '#shared/api/states.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import {
  type PracticeActInput,
  type PracticeClaim,
  type VerdictReason,
} from '#shared/desk/setup/practice.ts';
import { digestPayload } from '#shared/payload/digest.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import { actNow, listEvents } from '../claims/change-claim.ts';
import { assignCase, caseMoves } from '../claims/case-acts.ts';
import type { ClaimWithPayload } from '../claims/claim-view.ts';
import { loadClaim } from '../claims/find-claims.ts';
import type { ServiceContext } from '../context.ts';
import { storeDocument } from '../documents/store-document.ts';
import { Problem } from '../../front/problem.ts';
import { judgeSubmission } from '../reports/submissions.ts';
import type { ClaimsTable, Database, SubmissionsTable } from '../store/tables.ts';
import { laterPhoto } from './documents.ts';
import { drafts } from './plan.ts';
import { createRandom } from './random.ts';
import { createDrafted, stored } from './seed.ts';
import type { World } from './worlds/world.ts';

const claimsMax = 100;
const daysUntilInspection = 1;

interface Organization {
  readonly organizationId: string;
}

/**
 * The insurer of the practice workspace, for the desk: the functions that the operations of
 * insurers and the back office use.
 */
// oxlint-disable-next-line max-lines-per-function -- one entry for each act of the practice insurer
export function createInsurer(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  { insurer, expert }: { insurer: Organization; expert: Organization },
  world: World,
) {
  const act = (transaction: Kysely<Database>) => actNow(transaction, clock, 'backoffice');
  /** The random sequence differs from call to call. */
  const chance = () => createRandom(`insurer ${clock.now()} ${crypto.randomUUID()}`);

  async function claims(): Promise<PracticeClaim[]> {
    const rows = await db
      .selectFrom('claims')
      .innerJoin('claim_payloads', 'claim_payloads.claim_number', 'claims.number')
      .selectAll('claims')
      .select('claim_payloads.payload_literal')
      .orderBy('last_changed_at', 'desc')
      .limit(claimsMax)
      .execute();
    const submitted = await db
      .selectFrom('submissions')
      .select('claim_id')
      .where('status', '=', 'Submitted')
      .execute();
    const withReport = new Set(submitted.map(({ claim_id }) => claim_id));
    return rows.map((row) => {
      const { partyName } = digestPayload(row.category, payloadOf(row));
      return viewOf(row, partyName, withReport.has(row.id));
    });
  }

  async function newClaim(category: Category): Promise<PracticeClaim> {
    const random = chance();
    const today = zurichDay(clock.now());
    const days = {
      incident: addDays(today, -random.int(1, 9)),
      inspection: addDays(today, daysUntilInspection),
    };
    const draft = drafts[category](random, world, days, random.int(0, 2));
    return db.transaction().execute(async (transaction) => {
      const ids = [random.uuid(), insurer.organizationId] as const;
      const claim = await createDrafted(transaction, random, world, draft, ...ids, () =>
        act(transaction),
      );
      return viewOf(claim, digestPayload(category, draft.payload).partyName, false);
    });
  }

  async function perform({ id, act: name, reason }: PracticeActInput): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const claim = await loadClaim(transaction, id);
      const now = await act(transaction);
      const judge = async (verdict: 'approve' | 'return') => {
        const submission: SubmissionsTable | undefined = await transaction
          .selectFrom('submissions')
          .selectAll()
          .where('claim_id', '=', id)
          .where('status', '=', 'Submitted')
          .orderBy('sequence_no', 'desc')
          .executeTakeFirst();
        if (!submission) throw new DeskError('case_state', { status: claim.status });
        return judgeSubmission(transaction, claim, submission, verdict, reason, now);
      };
      try {
        if (name === 'assign') {
          await assignCase(transaction, claim, expert.organizationId, now);
        } else if (name === 'approve' || name === 'return') await judge(name);
        else await caseMoves[name](transaction, claim, reason, now);
      } catch (error) {
        if (error instanceof Problem && error.title === 'invalid_state')
          throw new DeskError('case_state', { status: claim.status }, { cause: error });
        throw error;
      }
    });
  }

  async function addDocument(id: string): Promise<void> {
    const random = chance();
    await db.transaction().execute(async (transaction) => {
      const claim = await loadClaim(transaction, id);
      const time = isoTime(clock.now()).slice(11, 19).replaceAll(':', '');
      const photo = await laterPhoto(random, world, claim.category, time);
      const document = stored(random, photo);
      await storeDocument(transaction, claim, document, await act(transaction));
    });
  }

  async function reasons(id: string): Promise<VerdictReason[]> {
    const events = await listEvents(db, id);
    return events.flatMap(({ Name, Detail }, index) => {
      if (Name !== 'submission_returned' && Name !== 'submission_approved') return [];
      // The reason is in the state change that follows the verdict.
      const reason = events[index + 1]?.Detail ?? '';
      return reason === '' ? [] : [{ submissionId: Detail, reason }];
    });
  }

  return { claims, newClaim, act: perform, addDocument, reasons };
}
export type Insurer = ReturnType<typeof createInsurer>;

/** The payload of a practice claim, which is stored as JSON in a JSON string. */
const payloadOf = ({ payload_literal }: ClaimWithPayload): unknown =>
  JSON.parse(String(JSON.parse(payload_literal.toString())));

function viewOf(claim: ClaimsTable, partyName: string, withReport: boolean): PracticeClaim {
  return {
    id: claim.id,
    externalKey: claim.external_key,
    partyName,
    category: claim.category,
    status: claim.status,
    lastChangedAt: isoTime(claim.last_changed_at),
    acts: officeTriggers.filter(
      (name) =>
        nextCaseStatus(claim.status, name) !== undefined &&
        (withReport || (name !== 'approve' && name !== 'return')),
    ),
  };
}
