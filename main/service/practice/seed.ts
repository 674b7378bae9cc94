import type { Kysely } from 'kysely';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import type { Act } from '../claims/change-claim.ts';
import {
  answerAssignment,
  archiveCase,
  assignCase,
  cancelCase,
  finalizeCase,
  reopenCase,
  setAmounts,
  setExpertComment,
} from '../claims/case-acts.ts';
import { createClaim } from '../claims/create-claim.ts';
import type { ServiceContext } from '../context.ts';
import { contentOf } from '../../front/contents/contents.ts';
import { storeDocument, type NewDocument } from '../documents/store-document.ts';
import { addSubmissionDocument } from '../reports/submission-documents.ts';
import { judgeSubmission, openDraft, submitDraft } from '../reports/submissions.ts';
import type { ClaimsTable, Database, SubmissionsTable } from '../store/tables.ts';
import { claimDocuments, reportDocuments, type PracticeDocument } from './documents.ts';
import type { Step } from './history.ts';
import { planClaims, type ClaimPlan, type PlanSize } from './plan.ts';
import type { Random } from './random.ts';

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
    for (const plan of plans) await new HistoryWriter(transaction, plan, organizations).write();
  });
}

type Member = Awaited<ReturnType<typeof loadMember>>;

interface Organizations {
  readonly insurer: Member;
  readonly expert: Member;
}

/** Writes one claim with its history. */
class HistoryWriter {
  readonly #db: Kysely<Database>;
  readonly #plan: ClaimPlan;
  readonly #organizations: Organizations;
  readonly #random: Random;
  readonly #sums: { estimateRappen: number; approvedRappen: number };

  constructor(db: Kysely<Database>, plan: ClaimPlan, organizations: Organizations) {
    this.#db = db;
    this.#plan = plan;
    this.#organizations = organizations;
    this.#random = plan.random.fork('play');
    const estimateRappen = plan.draft.estimateRappen;
    this.#sums = {
      estimateRappen,
      approvedRappen: this.#random.chance(0.15)
        ? estimateRappen
        : Math.round((estimateRappen * this.#random.int(78, 97)) / 500) * 5,
    };
  }

  async write(): Promise<void> {
    let claim = await this.#create();
    let submission: SubmissionsTable | undefined;
    for (const step of this.#plan.history.steps) {
      if (step.kind === 'report') {
        ({ claim, submission } = await this.#report(claim, step.at));
      } else if (step.kind === 'approve' || step.kind === 'return') {
        if (!submission) throw new Error('a history judges a report before it is submitted');
        ({ claim, submission } = await judgeSubmission(
          this.#db,
          claim,
          submission,
          step.kind,
          step.kind === 'return' ? 'Bitte die Position Lackierung begründen.' : '',
          byBackOffice(step.at),
        ));
      } else {
        claim = await this.#move(claim, step);
      }
    }
  }

  async #create(): Promise<ClaimsTable> {
    const { id, category, draft, history } = this.#plan;
    const { insurer } = this.#organizations;
    const by = insurer.client_id;
    let claim = await createClaim(
      this.#db,
      {
        id,
        category,
        payloadJson: JSON.stringify(draft.payload),
        insurerOrganizationId: insurer.id,
        hailDriveInAccepted: draft.hailDriveIn,
      },
      { at: history.createdAt, by },
    );
    const documents = await claimDocuments(this.#random, draft, claim.external_key);
    for (const [index, document] of documents.entries()) {
      const at = history.createdAt + (index + 1) * minuteMs;
      ({ claim } = await storeDocument(this.#db, claim, this.#stored(document), { at, by }));
    }
    return claim;
  }

  async #report(
    before: ClaimsTable,
    at: number,
  ): Promise<{ claim: ClaimsTable; submission: SubmissionsTable }> {
    const db = this.#db;
    const act = { at, by: this.#organizations.expert.client_id };
    const comment = this.#random.pick([
      'Gutachten mit Berechnung, Besichtigung hat stattgefunden.',
      'Kostenvoranschlag geprüft, Abzüge siehe Seite 2.',
      '',
    ]);
    let { claim, submission } = await openDraft(
      db,
      before,
      { id: this.#random.uuid(), comment },
      act,
    );
    const { draft } = this.#plan;
    const documents = await reportDocuments(this.#random, draft, claim.external_key);
    for (const document of documents) {
      const stored = { ...this.#stored(document), isSalvageSale: document.isSalvageSale };
      ({ claim } = await addSubmissionDocument(db, claim, submission, stored, act));
    }
    ({ claim, submission } = await submitDraft(db, claim, submission, act));
    return { claim, submission };
  }

  #move(claim: ClaimsTable, { kind, at }: Step): Promise<ClaimsTable> {
    const db = this.#db;
    const { expert } = this.#organizations;
    const byExpert = { at, by: expert.client_id };
    const byOffice = byBackOffice(at);
    switch (kind) {
      case 'assign':
        return assignCase(db, claim, expert.id, byOffice);
      case 'accept':
        return answerAssignment(db, claim, 'accept', '', byOffice);
      case 'reject':
        return answerAssignment(db, claim, 'reject', 'Keine Kapazität in der Region.', byOffice);
      case 'comment':
        return setExpertComment(db, claim, this.#random.pick(comments), byExpert);
      case 'amounts':
        return setAmounts(db, claim, this.#amounts(), byExpert);
      case 'finalize':
        return finalizeCase(db, claim, '', byOffice);
      case 'reopen':
        return reopenCase(db, claim, 'Nachtrag der Werkstatt eingetroffen.', byExpert);
      case 'cancel':
        return cancelCase(db, claim, 'Schaden durch Versicherung direkt erledigt.', byOffice);
      case 'archive':
        return archiveCase(db, claim, '', byOffice);
      default:
        throw new Error(`a step ${kind} does not move a case`);
    }
  }

  /** Before the report, the approved sum is often open. */
  #amounts() {
    const { estimateRappen, approvedRappen } = this.#sums;
    const isOpen = this.#plan.history.status === 'InProgress' && this.#random.chance(0.6);
    return { costEstimateRappen: estimateRappen, approvedRappen: isOpen ? null : approvedRappen };
  }

  #stored({ fileName, contentType, bytes }: PracticeDocument): NewDocument {
    return {
      id: this.#random.uuid(),
      fileName,
      contentType,
      content: contentOf(this.#random.uuid(), bytes),
    };
  }
}

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
