import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Language } from '#shared/i18n/language.ts';
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
import {
  copyClaim,
  insertCopies,
  loadExample,
  type CopiedClaim,
  type Example,
} from './copy-claims.ts';
import { worldOf } from './worlds/world-of.ts';
import type { World } from './worlds/world.ts';
import { outlineClaims, type StepKind, type ClaimPlan, type PlanSize } from './plan.ts';

export type PracticeOptions = PlanSize & {
  /** The seed. On the same day the same seed gives the same data. */
  readonly seed: number;
  /** The language of the people and texts. */
  readonly language: Language;
  readonly insurer: { readonly organizationId: string };
  readonly expert: { readonly organizationId: string };
  /** The claims of each shape that are written step by step, before others repeat their steps. */
  readonly examplesPerShape?: number;
};

const minuteMs = 60_000;

/** The number of claims that are written at once. Between them the process answers signals. */
const batchSize = 500;

/**
 * Fills an empty store with practice claims. The first ones of each shape are written with the
 * functions of the operations, so that states, events and timestamps are real; the further ones
 * repeat the steps of these with people, texts, ids and times of their own. It is one transaction,
 * so that a crash leaves the store empty for the next start.
 * @param onProgress receives the number of written claims
 */
export async function seedPracticeData(
  context: Pick<ServiceContext, 'db' | 'clock'>,
  options: PracticeOptions,
  onProgress: (claims: number) => void = () => undefined,
): Promise<void> {
  const { db, clock } = context;
  const { examplesPerShape = 20 } = options;
  const world = worldOf(options.language);
  const plan = outlineClaims(options, options.seed, zurichDay(clock.now()), world);
  const organizations = {
    insurer: await loadMember(db, options.insurer.organizationId),
    expert: await loadMember(db, options.expert.organizationId),
  };
  const examples = new Map<string, Example[]>();
  await db.transaction().execute(async (transaction) => {
    for (const role of ['insurer', 'expert'] as const)
      await rename(transaction, options[role].organizationId, world.organizations[role]);
    let batch: CopiedClaim[] = [];
    const flush = async () => {
      await insertCopies(transaction, batch);
      batch = [];
    };
    for (const [at, outline] of plan.outlines.entries()) {
      const claim = plan.draft(outline);
      const shape = shapeOf(claim);
      const known = examples.get(shape) ?? [];
      const isKnown = known.length === examplesPerShape;
      const example = isKnown ? known[outline.index % examplesPerShape] : undefined;
      if (example) batch.push(copyClaim(example, claim, at + 1));
      else {
        await flush();
        const id = await writeHistory(transaction, world, claim, organizations);
        examples.set(shape, [...known, await loadExample(transaction, id)]);
      }
      if (batch.length < batchSize) continue;
      await flush();
      onProgress(at + 1);
      await setImmediate();
    }
    await flush();
  });
}

/** Claims of one shape have the same steps. */
const shapeOf = ({ category, history }: ClaimPlan) =>
  [category, ...history.steps.map(({ kind }) => kind)].join(' ');

type Member = Awaited<ReturnType<typeof loadMember>>;

interface Organizations {
  readonly insurer: Member;
  readonly expert: Member;
}

/** Writes one claim with its history. @returns its id */
async function writeHistory(
  db: Kysely<Database>,
  world: World,
  plan: ClaimPlan,
  { insurer, expert }: Organizations,
): Promise<string> {
  const { draft, history } = plan;
  const { estimateRappen } = draft;
  const random = plan.random.fork('play');
  const approvedRappen = random.chance(0.15)
    ? estimateRappen
    : Math.round((estimateRappen * random.int(78, 97)) / 500) * 5;

  async function report(before: ClaimsTable, act: Act): Promise<ChangedSubmission> {
    const comment = random.pick(world.reportComments);
    let { claim, submission } = await openDraft(db, before, { id: random.uuid(), comment }, act);
    for (const document of await reportDocuments(random, world, draft, claim.external_key)) {
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

  /** Before the report, the approved sum is often not entered. */
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
        return setExpertComment(db, claim, random.pick(world.comments), byExpert);
      case 'amounts':
        return setAmounts(db, claim, amounts(), byExpert);
      case 'reopen':
        return reopenCase(db, claim, world.reasons.reopen, byExpert);
      default:
        return caseMoves[kind](db, claim, reasonOf(world, kind), byBackOffice(at));
    }
  }

  let claim = await createDrafted(db, random, world, draft, plan.id, insurer.id, (number) => ({
    at: history.createdAt + number * minuteMs,
    by: insurer.client_id,
  }));
  let submission: SubmissionsTable | undefined;
  for (const { kind, at } of history.steps) {
    if (kind === 'report') {
      ({ claim, submission } = await report(claim, { at, by: expert.client_id }));
    } else if (kind === 'approve' || kind === 'return') {
      if (!submission) throw new Error('a history judges a report before it is submitted');
      const reason = kind === 'return' ? world.reasons.return : '';
      const act = byBackOffice(at);
      ({ claim, submission } = await judgeSubmission(db, claim, submission, kind, reason, act));
    } else {
      claim = await move(claim, { kind, at });
    }
  }
  return claim.id;
}

/**
 * Creates a claim with the insurer's documents.
 * @param act returns the act that creates the claim (0), or that adds the document of this number
 */
export async function createDrafted(
  db: Kysely<Database>,
  random: Random,
  world: World,
  draft: ClaimDraft,
  id: string,
  insurerOrganizationId: string,
  act: (number: number) => Act | Promise<Act>,
): Promise<ClaimsTable> {
  const { category, payload, hailDriveIn: hailDriveInAccepted } = draft;
  const payloadJson = JSON.stringify(payload);
  const created = { id, category, payloadJson, insurerOrganizationId, hailDriveInAccepted };
  let claim = await createClaim(db, created, await act(0));
  const documents = await claimDocuments(random, world, draft, claim.external_key);
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

const reasonOf = ({ reasons }: World, kind: MoveStep['kind']): string =>
  kind === 'reject' || kind === 'cancel' ? reasons[kind] : '';

function byBackOffice(at: number): Act {
  return { at, by: 'backoffice' };
}

/** The organizations of a practice store work in the region of its cases. */
async function rename(db: Kysely<Database>, id: string, name: string): Promise<void> {
  await db.updateTable('organizations').set({ name }).where('id', '=', id).execute();
}

function loadMember(db: Kysely<Database>, id: string) {
  return db
    .selectFrom('organizations')
    .select(['id', 'name', 'client_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}
