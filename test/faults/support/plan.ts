import { z } from 'zod';

const fileSchema = z.object({
  fileName: z.string(),
  path: z.string(),
  isSalvageSale: z.boolean(),
  sha256: z.string(),
});

const marked = { caseId: z.string(), marker: z.string() };
/** An act of the user. It sets its marker, a whole number, so that its effect can be recognized. */
const plannedActSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('amounts'), ...marked }),
  z.object({ kind: z.literal('comment'), ...marked }),
  z.object({ kind: z.literal('reopen'), ...marked }),
  z.object({ kind: z.literal('report'), ...marked, files: z.array(fileSchema) }),
]);
export type PlannedAct = z.infer<typeof plannedActSchema>;
export type PlannedFile = z.infer<typeof fileSchema>;

/** The task of a desk (desk-worker.ts). */
export const planSchema = z.object({
  home: z.string(),
  secrets: z.record(z.string(), z.string()),
  acts: z.array(plannedActSchema),
});
export type Plan = z.infer<typeof planSchema>;

/** A rule of the back office's faults. */
export interface FaultRule {
  readonly Effect: string;
  readonly Path: string;
  readonly Method?: string;
  readonly Times: number;
  readonly Status?: number;
  readonly Title?: string;
  readonly DelayMs?: number;
}

const paths = [
  '^/v1/oauth/token$',
  '^/v1/experts/cases/[^/]+$',
  '/amounts$',
  '/expert-comment$',
  ':reopen$',
  '/reports:draft$',
  '/reports$',
  '/documents$',
  '/documents$',
  '/submit$',
];

const effects: readonly Omit<FaultRule, 'Path' | 'Times'>[] = [
  { Effect: 'drop-before' },
  { Effect: 'drop-after' },
  { Effect: 'drop-after' },
  { Effect: 'delay', DelayMs: 150 },
  { Effect: 'status', Status: 500, Title: 'upstream_error' },
  { Effect: 'status', Status: 429, Title: 'rate_limited' },
  // What a token that has expired is answered.
  { Effect: 'status', Status: 401, Title: 'unauthorized' },
  { Effect: 'truncate' },
  { Effect: 'garbage' },
];

/** The faults of one run. Each rule applies a counted number of times. */
export interface Trouble {
  readonly rules: readonly FaultRule[];
  /** The desk is killed (SIGKILL) at its so-manieth sign of life, once per entry. */
  readonly killsAt: readonly number[];
  /** At which sign of the first desk the service is killed and started again; null: never. */
  readonly restartAt: number | null;
}

export function planTrouble(random: () => number): Trouble {
  const below = (count: number) => Math.floor(random() * count);
  const lost = { Effect: below(2) === 0 ? 'drop-after' : 'truncate', Method: 'POST', Times: 1 };
  const rules = Array.from({ length: 3 + below(7) }, () => ({
    Path: paths[below(paths.length)] ?? '',
    Times: 1 + below(2),
    ...(effects[below(effects.length)] ?? { Effect: 'drop-after' }),
  }));
  return {
    rules: [
      // The hardest of all, in every run: something was made, and nobody heard of it.
      { ...lost, Path: '/documents$' },
      { ...lost, Path: below(2) === 0 ? '/reports:draft$' : '/submit$' },
      ...rules,
    ],
    killsAt: Array.from({ length: below(4) }, () => 1 + below(30)),
    restartAt: random() < 0.3 ? 1 + below(15) : null,
  };
}

/** Kinds of the acts of one run on its cases: mostly reports, several acts on a case. */
export function planKinds(
  random: () => number,
  cases: { readonly open: readonly string[]; readonly closed: readonly string[] },
): { kind: PlannedAct['kind']; caseId: string }[] {
  const acts: { kind: PlannedAct['kind']; caseId: string }[] = cases.closed.map((caseId) => ({
    kind: 'reopen',
    caseId,
  }));
  const targets = [...cases.open, ...cases.closed];
  for (let count = 3 + Math.floor(random() * 4); count > 0; count -= 1) {
    const draw = random();
    const kind = draw < 0.4 ? 'report' : draw < 0.7 ? 'amounts' : 'comment';
    acts.push({ kind, caseId: targets[Math.floor(random() * targets.length)] ?? '' });
  }
  return acts;
}

/** Sizes of a report's documents: 1 to 5, 1 KB to 20 MB, most of them small. */
export function planSizes(random: () => number): number[] {
  const kb = 1024;
  const mb = 1024 * kb;
  return Array.from({ length: 1 + Math.floor(random() * 5) }, () => {
    const draw = random();
    const [from, to] =
      draw < 0.6
        ? [kb, 50 * kb]
        : draw < 0.9
          ? [50 * kb, mb]
          : draw < 0.97
            ? [mb, 8 * mb]
            : [13 * mb, 20 * mb];
    return Math.floor(from + random() * (to - from));
  });
}
