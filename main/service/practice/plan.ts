import {
  categories,
  caseStatuses,
  type CaseStatus,
  type Category,
} from '#shared/api/case-words.ts';
import type { Language } from '#shared/i18n/language.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import { draftAppraiser } from './appraiser-draft.ts';
import type { ClaimDays, ClaimDraft } from './draft.ts';
import { draftFraud } from './fraud-draft.ts';
import { createRandom, type Random } from './random.ts';
import { draftSpecial } from './special-draft.ts';
import { draftVehicle } from './vehicle-draft.ts';
import { worldOf } from './worlds/world-of.ts';
import type { World } from './worlds/world.ts';

/** A practice claim with its history. */
export interface ClaimPlan {
  readonly id: string;
  readonly category: Category;
  readonly history: History;
  readonly draft: ClaimDraft;
  /** The random sequence of the claim. */
  readonly random: Random;
}

/**
 * Either `count` claims over all states, or enough claims that an expert sees `visibleCases` of
 * them. An expert sees all claims except those in Created, which are not assigned.
 */
export type PlanSize = { readonly count: number } | { readonly visibleCases: number };

/** Drafts a claim of each category; `turn` counts the claims of the category. */
export const drafts: Record<
  Category,
  (random: Random, world: World, days: ClaimDays, turn: number) => ClaimDraft
> = {
  vehicle: draftVehicle,
  appraiser: draftAppraiser,
  fraud: draftFraud,
  special: draftSpecial,
};

/** How often each state and category occurs in a round; each occurs at least once. */
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

/** What is known of a claim before it is drafted. */
export interface ClaimOutline {
  /** The number of the claim in the order of planning. */
  readonly index: number;
  readonly status: CaseStatus;
  readonly category: Category;
  /** The number of claims of the category before this one. */
  readonly turn: number;
  readonly createdAt: number;
  /** The day of the inspection, if it is not a random one. */
  readonly inspection: Partial<ClaimDays>;
}

/** The claims of a size, seed and day. */
export interface Plan {
  /** The outlines, oldest first. They take little memory, so there may be many. */
  readonly outlines: readonly ClaimOutline[];
  readonly draft: (outline: ClaimOutline) => ClaimPlan;
}

/**
 * Plans claims. The same size, seed, day and world give the same claims.
 * @param today YYYY-MM-DD in Zurich.
 */
export function outlineClaims(size: PlanSize, seed: number, today: string, world: World): Plan {
  const random = createRandom(`practice ${seed}`);
  const statuses = endless(random.fork('statuses'), statusRound);
  const kinds = endless(random.fork('categories'), categoryRound);
  const todayMs = Date.parse(`${today}T00:00:00Z`);
  const outlines: ClaimOutline[] = [];
  const turns = new Map<Category, number>();
  const first = firstVisits(today);

  function draft({ index, status, category, turn, inspection }: ClaimOutline): ClaimPlan {
    const own = random.fork(`claim ${index}`);
    const history = makeHistory(own.fork('history'), status, todayMs);
    const days = { ...daysOf(own.fork('days'), history, today), ...inspection };
    const drafted = drafts[category](own.fork('draft'), world, days, turn);
    return { id: own.fork('id').uuid(), category, history, draft: drafted, random: own };
  }

  for (let visible = 0; !isEnough(size, outlines.length, visible);) {
    const index = outlines.length;
    const status = statuses();
    const category = kinds();
    const { createdAt } = makeHistory(
      random.fork(`claim ${index}`).fork('history'),
      status,
      todayMs,
    );
    const inspection = isToVisit(status) ? first.next() : {};
    const turn = turns.get(category) ?? 0;
    turns.set(category, turn + 1);
    const outline = { index, status, category, turn, createdAt, inspection };
    if (!first.isDone()) first.made(draft(outline).draft.payload['inspectionDate']);
    outlines.push(outline);
    if (status !== 'Created') visible += 1;
  }
  outlines.sort((a, b) => a.createdAt - b.createdAt);
  return { outlines, draft };
}

/** Plans claims whole, oldest first; see `outlineClaims`. */
export function planClaims(
  size: PlanSize,
  seed: number,
  today: string,
  language: Language = 'de',
): ClaimPlan[] {
  const { outlines, draft } = outlineClaims(size, seed, today, worldOf(language));
  return outlines.map(draft);
}

function isEnough(size: PlanSize, planned: number, visible: number): boolean {
  return 'count' in size ? planned >= size.count : visible >= size.visibleCases;
}

/** The number of visits today and tomorrow, so that the first screen is not empty. */
const visitsWanted = 2;
const isToVisit = (status: CaseStatus) => status === 'Accepted' || status === 'Assigned';

/**
 * Chooses the days of the next visits, today and tomorrow alternately. Once there are enough
 * visits, the random days stay.
 */
function firstVisits(today: string) {
  const made = new Map([today, addDays(today, 1)].map((day) => [day, 0]));
  return {
    /** Whether there are enough visits on both days. */
    isDone: () => [...made.values()].every((count) => count >= visitsWanted),
    next(): Partial<ClaimDays> {
      const [fewest] = [...made].sort(([, a], [, b]) => a - b);
      return fewest && fewest[1] < visitsWanted ? { inspection: fewest[0] } : {};
    },
    /** Notes a claim. @param day the day of its inspection, which some kinds do not have */
    made(day: unknown): void {
      for (const [known, count] of made) if (known === day) made.set(known, count + 1);
    },
  };
}

/** The days until an inspection in the future. */
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

/** Returns values round after round; each round is shuffled. */
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

/** The steps of a claim after its creation. */
export type StepKind =
  | 'assign'
  | 'accept'
  | 'reject'
  | 'comment'
  | 'amounts'
  | 'report'
  | 'approve'
  | 'return'
  | 'finalize'
  | 'reopen'
  | 'cancel'
  | 'archive';

interface Step {
  readonly kind: StepKind;
  /** The time in milliseconds since 1970. */
  readonly at: number;
}

export interface History {
  readonly status: CaseStatus;
  readonly createdAt: number;
  readonly steps: readonly Step[];
}

type Path = readonly StepKind[];

/** The steps from Created to each status, along `caseTransitions`. */
const paths: Record<CaseStatus, { ageDays: readonly [number, number]; paths: readonly Path[] }> = {
  Created: { ageDays: [0.2, 4], paths: [[]] },
  Assigned: { ageDays: [0.5, 6], paths: [['assign']] },
  Rejected: { ageDays: [2, 20], paths: [['assign', 'reject']] },
  Accepted: { ageDays: [1, 10], paths: [['assign', 'accept']] },
  InProgress: {
    ageDays: [4, 22],
    paths: [
      ['assign', 'accept', 'comment'],
      ['assign', 'accept', 'amounts'],
      ['assign', 'accept', 'comment', 'amounts'],
      ['assign', 'accept', 'amounts', 'report', 'approve', 'finalize', 'reopen'],
    ],
  },
  ExpertCompleted: {
    ageDays: [7, 30],
    paths: [
      ['assign', 'accept', 'amounts', 'report'],
      ['assign', 'accept', 'comment', 'amounts', 'report'],
    ],
  },
  AdminReturned: {
    ageDays: [9, 35],
    paths: [['assign', 'accept', 'comment', 'amounts', 'report', 'return']],
  },
  AdminApproved: {
    ageDays: [10, 45],
    paths: [
      ['assign', 'accept', 'amounts', 'report', 'approve'],
      ['assign', 'accept', 'amounts', 'report', 'return', 'comment', 'report', 'approve'],
    ],
  },
  AdminCancelled: {
    ageDays: [5, 60],
    paths: [
      ['assign', 'cancel'],
      ['assign', 'accept', 'amounts', 'report', 'cancel'],
    ],
  },
  Final: {
    ageDays: [25, 170],
    paths: [
      ['assign', 'accept', 'amounts', 'report', 'approve', 'finalize'],
      ['assign', 'accept', 'comment', 'amounts', 'report', 'approve', 'finalize', 'archive'],
      ['assign', 'accept', 'amounts', 'report', 'return', 'report', 'approve', 'finalize'],
    ],
  },
};

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Makes a history that ends in the status. All of it is before `todayMs`, so that acts of today
 * come after it.
 * @param todayMs 00:00 UTC of the day on which the data are created.
 */
export function makeHistory(random: Random, status: CaseStatus, todayMs: number): History {
  const { ageDays, paths: choices } = paths[status];
  const path = random.pick(choices);
  const age = ageDays[0] + random.next() * (ageDays[1] - ageDays[0]);
  // A step takes some days, even in an old case.
  const duration = Math.min(age * 0.95, path.length * (1.5 + 2.5 * random.next()));
  const gaps = path.map(() => 0.4 + random.next());
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  let passed = 0;
  const steps = path.map((kind, at) => {
    passed += gaps[at] ?? 0;
    return { kind, at: officeHour(todayMs, age - (passed / total) * duration) };
  });
  return { status, createdAt: officeHour(todayMs, age), steps };
}

/** A time from 06:00 to 16:00 UTC. It preserves the order of its inputs. */
function officeHour(todayMs: number, daysAgo: number): number {
  const position = -Math.max(daysAgo, 0.001);
  const day = Math.floor(position);
  return todayMs + day * dayMs + Math.round((0.25 + (position - day) * (10 / 24)) * dayMs);
}
