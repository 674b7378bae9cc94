import type { CaseStatus } from '#shared/api/case.ts';
import type { Random } from './random.ts';

/** What happens to a claim after its creation. */
type StepKind =
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

export interface Step {
  readonly kind: StepKind;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface History {
  readonly status: CaseStatus;
  readonly createdAt: number;
  readonly steps: readonly Step[];
}

type Path = readonly StepKind[];

/** From Created to the status, along `caseTransitions`. */
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
 * A history that ends in the status, all of it before `todayMs`, so that acts of today come after
 * it.
 * @param todayMs 00:00 UTC of the day on which the data are made.
 */
export function makeHistory(random: Random, status: CaseStatus, todayMs: number): History {
  const { ageDays, paths: choices } = paths[status];
  const path = random.pick(choices);
  const age = ageDays[0] + random.next() * (ageDays[1] - ageDays[0]);
  // A step takes some days, also in an old case.
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

/** A time from 06:00 to 16:00 UTC; keeps the order of its inputs. */
function officeHour(todayMs: number, daysAgo: number): number {
  const position = -Math.max(daysAgo, 0.001);
  const day = Math.floor(position);
  return todayMs + day * dayMs + Math.round((0.25 + (position - day) * (10 / 24)) * dayMs);
}
