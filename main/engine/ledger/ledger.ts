import type { EditPart } from '#shared/desk/cases/case-choices.ts';
import {
  type LedgerAct,
  type LedgerKind,
  ledgerKinds,
  type LedgerWait,
} from '#shared/desk/delivery/ledger-counts.ts';
import type { LedgerEntry } from '#shared/desk/delivery/ledger.ts';
import type { DeskErrorCode, DeskProblem } from '#shared/desk/contract/errors.ts';
import type { QueueKind, QueueState } from '#shared/desk/delivery/queue.ts';

/** An entry of the outbox that is not delivered. */
export interface OpenRow {
  readonly id: number;
  readonly caseId: string;
  readonly externalKey: string;
  readonly kind: QueueKind;
  readonly state: QueueState;
  readonly createdAt: string;
  readonly problem: DeskProblem | null;
}

/** The typed texts of a case. */
export interface TypedCase {
  readonly caseId: string;
  readonly externalKey: string;
  readonly since: string;
  readonly parts: readonly EditPart[];
}

/** A report that is not queued. */
export interface BegunDraft {
  readonly id: string;
  readonly caseId: string;
  readonly createdAt: string;
  readonly files: number;
  readonly sizeBytes: number;
}

/** A case whose inspection was today or before, and whose report the insurer does not have. */
export interface InspectedCase {
  readonly id: string;
  readonly inspectionDate: string;
  readonly hasAmounts: boolean;
}

export interface LedgerFacts {
  readonly rows: readonly OpenRow[];
  /** The cases that take no work until the insurer accepts them. */
  readonly awaiting: ReadonlySet<string>;
  readonly paused: boolean;
  readonly network: 'unknown' | 'online' | 'offline';
  readonly typed: readonly TypedCase[];
  readonly drafts: readonly BegunDraft[];
  readonly batch: { readonly files: number; readonly startedAt: string } | null;
  readonly inspected: readonly InspectedCase[];
  /** The cases with a report that was delivered and is not in the insurer's answers yet. */
  readonly reported: ReadonlySet<string>;
  /** The cases with amounts that were delivered and are not in the insurer's answers yet. */
  readonly valued: ReadonlySet<string>;
  /** The postponements by the key of their entry. */
  readonly postponed: ReadonlyMap<string, { readonly until: string; readonly reason: string }>;
  /** The present day in Zurich. */
  readonly day: string;
}

/** The entries of the kinds of the table; the names of the cases are added by `readLedger`. */
export type UnnamedEntry = Omit<LedgerEntry, 'partyName'>;

const blank = {
  externalKey: '',
  queueId: null,
  queueKind: null,
  problem: null,
  waitsFor: null,
  parts: [],
  draftId: null,
  files: 0,
  sizeBytes: 0,
  missing: [],
} satisfies Partial<LedgerEntry>;

/** The problems in which the user chooses between the partner's content and the act's. */
const conflicts: readonly DeskErrorCode[] = [
  'server_value_changed',
  'server_draft_documents',
  'server_draft_exists',
];

/** The kind of an open entry of the outbox, and its act. */
function kindOf({ state, problem }: OpenRow): { kind: LedgerKind; act: LedgerAct } {
  if (state === 'attention') {
    const isConflict = problem !== null && conflicts.includes(problem.code);
    return { kind: isConflict ? 'conflict' : 'attention', act: 'decide' };
  }
  return { kind: state === 'unknown' ? 'unclear' : 'waiting', act: 'look' };
}

/** What an entry that goes out without the user waits for. */
function waitOf(row: OpenRow, { awaiting, paused, network }: LedgerFacts): LedgerWait {
  if (row.state === 'waiting' && awaiting.has(row.caseId)) return 'acceptance';
  if (paused) return 'paused';
  return network === 'offline' ? 'network' : 'turn';
}

/**
 * Everything that the user began and did not bring to its end, most urgent first, and the oldest
 * first within a kind. What is postponed stays in its place.
 */
export function ledger(facts: LedgerFacts): UnnamedEntry[] {
  const found = [
    ...facts.rows.map((row) => rowEntry(row, facts)),
    ...facts.typed.map(typedEntry),
    ...facts.drafts.map(draftEntry),
    ...(facts.batch === null ? [] : [batchEntry(facts.batch)]),
    ...visitEntries(facts),
  ];
  const rank = (kind: LedgerKind) => ledgerKinds.indexOf(kind);
  return found
    .map((entry) => ({ ...entry, postponed: postponedOf(entry.key, facts) }))
    .sort((a, b) => rank(a.kind) - rank(b.kind) || compare(a.since, b.since));
}

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);

type NewEntry = Omit<UnnamedEntry, 'postponed'>;

function rowEntry(row: OpenRow, facts: LedgerFacts): NewEntry {
  const { id, caseId, externalKey, createdAt } = row;
  const { kind, act } = kindOf(row);
  return {
    ...blank,
    key: `entry:${String(id)}`,
    kind,
    act,
    caseId,
    externalKey,
    since: createdAt,
    queueId: id,
    queueKind: row.kind,
    problem: row.problem,
    waitsFor: kind === 'waiting' ? waitOf(row, facts) : null,
  };
}

const typedEntry = ({ caseId, externalKey, since, parts }: TypedCase): NewEntry => ({
  ...blank,
  key: `typed:${caseId}`,
  kind: 'typed',
  caseId,
  externalKey,
  since,
  // Reopening a case is a decision of its own, which is made in the case.
  act: parts.every((part) => part === 'reason') ? 'open' : 'save',
  parts: [...parts],
});

const draftEntry = ({ id, caseId, createdAt, files, sizeBytes }: BegunDraft): NewEntry => ({
  ...blank,
  key: `draft:${id}`,
  kind: 'draft',
  caseId,
  since: createdAt,
  act: files > 0 ? 'submit' : 'open',
  draftId: id,
  files,
  sizeBytes,
});

const batchEntry = ({ files, startedAt }: NonNullable<LedgerFacts['batch']>): NewEntry => ({
  ...blank,
  key: `batch:${startedAt}`,
  kind: 'batch',
  act: 'open',
  caseId: null,
  since: startedAt,
  files,
});

/**
 * The visits that lack something no other entry is about: a report that is drafted, queued or
 * delivered is not missing, and neither are amounts that are typed or queued.
 */
function visitEntries(facts: LedgerFacts): NewEntry[] {
  const rowsOf = (kind: QueueKind) =>
    facts.rows.filter((row) => row.kind === kind).map(({ caseId }) => caseId);
  const withReport = new Set([
    ...facts.reported,
    ...rowsOf('report'),
    ...facts.drafts.map(({ caseId }) => caseId),
  ]);
  const isAmount = (part: EditPart) => part === 'estimate' || part === 'approved';
  const withAmounts = new Set([
    ...facts.valued,
    ...rowsOf('amounts'),
    ...facts.typed.filter(({ parts }) => parts.some(isAmount)).map(({ caseId }) => caseId),
  ]);
  return facts.inspected.flatMap(({ id, inspectionDate, hasAmounts }) => {
    const missing: LedgerEntry['missing'] = [
      ...(hasAmounts || withAmounts.has(id) ? [] : (['amounts'] as const)),
      ...(withReport.has(id) ? [] : (['report'] as const)),
    ];
    if (missing.length === 0 || inspectionDate > facts.day) return [];
    const key = `visit:${id}:${inspectionDate}`;
    const visit = { key, kind: 'visit', act: 'open', caseId: id, since: inspectionDate } as const;
    return [{ ...blank, ...visit, missing }];
  });
}

/** A postponement ends with the start of its day. */
function postponedOf(key: string, { postponed, day }: LedgerFacts): LedgerEntry['postponed'] {
  const found = postponed.get(key);
  return found !== undefined && found.until > day ? { ...found } : null;
}
