import {
  categories,
  caseStatuses,
  type CaseStatus,
  type Category,
} from '#shared/api/case-words.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import { draftAppraiser } from './appraiser-draft.ts';
import type { ClaimDays, ClaimDraft } from './draft.ts';
import { draftFraud } from './fraud-draft.ts';
import { makeHistory, type History } from './history.ts';
import { createRandom, type Random } from './random.ts';
import { draftSpecial } from './special-draft.ts';
import { draftVehicle } from './vehicle-draft.ts';

/** A practice claim with its history. */
export interface ClaimPlan {
  readonly id: string;
  readonly category: Category;
  readonly history: History;
  readonly draft: ClaimDraft;
  /** The claim's own sequence. */
  readonly random: Random;
}

/**
 * `count` claims over all states, or so many claims that an expert sees `visibleCases` of them: all
 * but Created, which are not assigned.
 */
export type PlanSize = { readonly count: number } | { readonly visibleCases: number };

/** Drafts a claim of each category; `turn` counts the claims of the category. */
export const drafts: Record<
  Category,
  (random: Random, days: ClaimDays, turn: number) => ClaimDraft
> = {
  vehicle: draftVehicle,
  appraiser: draftAppraiser,
  fraud: draftFraud,
  special: draftSpecial,
};

/** How often each state and category is in a round, at least once. */
const statusRound = rounds(caseStatuses, {
  Assigned: 3,
  Accepted: 4,
  InProgress: 4,
  ExpertCompleted: 2,
  AdminReturned: 2,
  AdminApproved: 2,
  Final: 2,
});
const categoryRound = rounds(categories, { vehicle: 5, special: 3, appraiser: 3, fraud: 2 });

/**
 * Plans claims, oldest first. The same size, seed and day give the same claims.
 * @param today YYYY-MM-DD in Zurich.
 */
export function planClaims(size: PlanSize, seed: number, today: string): ClaimPlan[] {
  const random = createRandom(`practice ${seed}`);
  const statuses = endless(random.fork('statuses'), statusRound);
  const kinds = endless(random.fork('categories'), categoryRound);
  const todayMs = Date.parse(`${today}T00:00:00Z`);
  const plans: ClaimPlan[] = [];
  for (let visible = 0; !isEnough(size, plans.length, visible);) {
    const own = random.fork(`claim ${plans.length}`);
    const status = statuses();
    const category = kinds();
    const history = makeHistory(own.fork('history'), status, todayMs);
    const days = daysOf(own.fork('days'), history, today);
    const turn = plans.filter((plan) => plan.category === category).length;
    const draft = drafts[category](own.fork('draft'), days, turn);
    plans.push({ id: own.fork('id').uuid(), category, history, draft, random: own });
    if (status !== 'Created') visible += 1;
  }
  return plans.sort((a, b) => a.history.createdAt - b.history.createdAt);
}

function isEnough(size: PlanSize, planned: number, visible: number): boolean {
  return 'count' in size ? planned >= size.count : visible >= size.visibleCases;
}

/** Days until an inspection in the future. */
const inspectionAhead: Partial<Record<CaseStatus, readonly [number, number]>> = {
  Created: [2, 10],
  Assigned: [1, 9],
  Accepted: [0, 5],
};

function daysOf(random: Random, { status, createdAt, steps }: History, today: string): ClaimDays {
  const created = zurichDay(createdAt);
  const ahead = inspectionAhead[status];
  const worked = steps.find(({ kind }) => kind === 'amounts' || kind === 'comment');
  const inspection = ahead
    ? addDays(today, random.int(...ahead))
    : zurichDay(worked?.at ?? createdAt);
  return { incident: addDays(created, -random.int(1, 12)), inspection };
}

function rounds<T extends string>(
  all: readonly T[],
  times: Readonly<Partial<Record<T, number>>>,
): T[] {
  return all.flatMap((item) => Array.from({ length: times[item] ?? 1 }, () => item));
}

/** Round after round, each shuffled. */
function endless<T>(random: Random, round: readonly T[]): () => T {
  let left: T[] = [];
  return () => {
    if (left.length === 0) left = random.shuffle(round);
    const [next, ...rest] = left;
    if (next === undefined) throw new RangeError('an empty round');
    left = rest;
    return next;
  };
}
