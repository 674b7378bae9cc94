import type { Kysely } from 'kysely';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import type { Act } from '../claims/change-claim.ts';
import {
  assignCase,
  caseMoves,
  reopenCase,
  setAmounts,
  setExpertComment,
} from '../claims/case-acts.ts';
import { createClaim } from '../claims/create-claim.ts';
import type { ServiceContext } from '../context.ts';
import { contentOf } from '../../front/contents/contents.ts';
import { storeDocument, type NewDocument } from '../documents/store-document.ts';
import { addSubmissionDocument } from '../reports/submission-documents.ts';
import {
  judgeSubmission,
  openDraft,
  submitDraft,
  type ChangedSubmission,
} from '../reports/submissions.ts';
import type { ClaimsTable, Database, SubmissionsTable } from '../store/tables.ts';
import { claimDocuments, reportDocuments, type PracticeDocument } from './documents.ts';
import type { ClaimDraft } from './draft.ts';
import type { Random } from './random.ts';
import { planClaims, type StepKind, type ClaimPlan, type PlanSize } from './plan.ts';

export type PracticeOptions = PlanSize & {
  /** The same seed on the same day makes the same data. */
  readonly seed: number;
  readonly insurer: { readonly organizationId: string };
  readonly expert: { readonly organizationId: string };
};

const minuteMs = 60_000;

/**
 * Fills an empty store with practice claims by the functions that the operations use, so that
 * states, events and timestamps are real. One transaction, so that a crash leaves the store empty
 * for the next start.
 */
export async function seedPracticeData(
  context: Pick<ServiceContext, 'db' | 'clock'>,
  options: PracticeOptions,
): Promise<void> {
  const { db, clock } = context;
  const plans = planClaims(options, options.seed, zurichDay(clock.now()));
  const organizations = {
    insurer: await loadMember(db, options.insurer.organizationId),
    expert: await loadMember(db, options.expert.organizationId),
  };
  await db.transaction().execute(async (transaction) => {
    for (const plan of plans) await writeHistory(transaction, plan, organizations);
  });
}

type Member = Awaited<ReturnType<typeof loadMember>>;

interface Organizations {
  readonly insurer: Member;
  readonly expert: Member;
}

/** Writes one claim with its history. */
async function writeHistory(
  db: Kysely<Database>,
  plan: ClaimPlan,
  { insurer, expert }: Organizations,
): Promise<void> {
  const { draft, history } = plan;
  const { estimateRappen } = draft;
  const random = plan.random.fork('play');
  const approvedRappen = random.chance(0.15)
    ? estimateRappen
    : Math.round((estimateRappen * random.int(78, 97)) / 500) * 5;

  async function report(before: ClaimsTable, act: Act): Promise<ChangedSubmission> {
    const comment = random.pick([
      'Gutachten mit Berechnung, Besichtigung hat stattgefunden.',
      'Kostenvoranschlag geprüft, Abzüge siehe Seite 2.',
      '',
    ]);
    let { claim, submission } = await openDraft(db, before, { id: random.uuid(), comment }, act);
    for (const document of await reportDocuments(random, draft, claim.external_key)) {
      const { isSalvageSale } = document;
      ({ claim } = await addSubmissionDocument(
        db,
        claim,
        submission,
        { ...stored(random, document), isSalvageSale },
        act,
      ));
    }
    ({ claim, submission } = await submitDraft(db, claim, submission, act));
    return { claim, submission };
  }

  /** Before the report, the approved sum is often open. */
  function amounts() {
    const isOpen = history.status === 'InProgress' && random.chance(0.6);
    return { costEstimateRappen: estimateRappen, approvedRappen: isOpen ? null : approvedRappen };
  }

  function move(claim: ClaimsTable, { kind, at }: MoveStep): Promise<ClaimsTable> {
    const byExpert = { at, by: expert.client_id };
    switch (kind) {
      case 'assign':
        return assignCase(db, claim, expert.id, byBackOffice(at));
      case 'comment':
        return setExpertComment(db, claim, random.pick(comments), byExpert);
      case 'amounts':
        return setAmounts(db, claim, amounts(), byExpert);
      case 'reopen':
        return reopenCase(db, claim, 'Nachtrag der Werkstatt eingetroffen.', byExpert);
      default:
        return caseMoves[kind](db, claim, reasons[kind] ?? '', byBackOffice(at));
    }
  }

  let claim = await createDrafted(db, random, draft, plan.id, insurer.id, (number) => ({
    at: history.createdAt + number * minuteMs,
    by: insurer.client_id,
  }));
  let submission: SubmissionsTable | undefined;
  for (const { kind, at } of history.steps) {
    if (kind === 'report') {
      ({ claim, submission } = await report(claim, { at, by: expert.client_id }));
    } else if (kind === 'approve' || kind === 'return') {
      if (!submission) throw new Error('a history judges a report before it is submitted');
      const reason = kind === 'return' ? 'Bitte die Position Lackierung begründen.' : '';
      const act = byBackOffice(at);
      ({ claim, submission } = await judgeSubmission(db, claim, submission, kind, reason, act));
    } else {
      claim = await move(claim, { kind, at });
    }
  }
}

/**
 * Creates a claim with the insurer's documents.
 * @param act that creates the claim (0), or adds the document of this number
 */
export async function createDrafted(
  db: Kysely<Database>,
  random: Random,
  draft: ClaimDraft,
  id: string,
  insurerOrganizationId: string,
  act: (number: number) => Act | Promise<Act>,
): Promise<ClaimsTable> {
  const { category, payload, hailDriveIn: hailDriveInAccepted } = draft;
  const payloadJson = JSON.stringify(payload);
  const created = { id, category, payloadJson, insurerOrganizationId, hailDriveInAccepted };
  let claim = await createClaim(db, created, await act(0));
  const documents = await claimDocuments(random, draft, claim.external_key);
  for (const [index, document] of documents.entries()) {
    ({ claim } = await storeDocument(db, claim, stored(random, document), await act(index + 1)));
  }
  return claim;
}

export function stored(
  random: Random,
  { fileName, contentType, bytes }: PracticeDocument,
): NewDocument {
  return { id: random.uuid(), fileName, contentType, content: contentOf(random.uuid(), bytes) };
}

/** A step that changes the case but no report. */
interface MoveStep {
  readonly kind: Exclude<StepKind, 'report' | 'approve' | 'return'>;
  readonly at: number;
}

const reasons: Readonly<Record<string, string>> = {
  reject: 'Keine Kapazität in der Region.',
  cancel: 'Schaden durch Versicherung direkt erledigt.',
};

const comments = [
  'Besichtigung erfolgt, Fotos folgen mit dem Gutachten.',
  'Kunde telefonisch erreicht, Termin bestätigt.',
  'Werkstatt reicht korrigierten Kostenvoranschlag nach.',
  'Vorschaden festgestellt, wird abgezogen.',
];

function byBackOffice(at: number): Act {
  return { at, by: 'backoffice' };
}

function loadMember(db: Kysely<Database>, id: string) {
  return db
    .selectFrom('organizations')
    .select(['id', 'name', 'client_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}
