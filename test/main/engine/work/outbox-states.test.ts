import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { DeliveryProof, QueueState } from '#shared/desk/delivery/queue.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import type { OutboxRow } from '#main/engine/work/outbox-records.ts';
import {
  isSending,
  rowState,
  shownState,
  stepStates,
  transitions,
  type StepState,
} from '#main/engine/work/outbox-states.ts';
import { smokeOrLong } from '../../../support/long.ts';
import { refusalOf } from '../../../support/refusals.ts';
import { openTestWork, testFolder } from '../support/test-engine.ts';

const keyHex = 'cd'.repeat(32);
const problem: DeskProblem = { code: 'connection_lost', params: { host: 'h' } };
const proof: DeliveryProof = {
  at: '2026-03-02T08:00:00.000Z',
  status: 200,
  correlationId: 'c',
  serverId: 's',
  sizeBytes: null,
  sha256: null,
  laptopAt: '2026-03-02T08:00:00.000Z',
};

/** What a person would say of a step. */
interface Step {
  end: 'delivered' | 'discarded' | null;
  isOnItsWay: boolean;
  /** Some attempt had no answer, and nothing has settled that. */
  isDoubted: boolean;
  needsUser: boolean;
  attempts: number;
  hasProof: boolean;
  key: string;
}
interface Row {
  readonly id: number;
  readonly kind: 'comment' | 'reopen' | 'report';
  readonly steps: Step[];
  ownFailures: number;
}

const acts = {
  comment: { act: { kind: 'comment', text: 'x', seen: '' }, steps: ['comment'] },
  reopen: { act: { kind: 'reopen', reason: 'x' }, steps: ['reopen'] },
  report: {
    act: { kind: 'report', draftId: '6f1c1d5e-93f1-4a33-9d5a-2f4f4a3f8b10', comment: '' },
    steps: ['draft', 'document', 'document', 'submit'],
  },
} as const;

const verbs = [
  'begin',
  'confirm',
  'postpone',
  'doubt',
  'refuse',
  'blame',
  'startAnew',
  'dispute',
  'disputeForGood',
  'see',
  'retry',
  'edit',
  'discard',
] as const;
type Verb = (typeof verbs)[number];
/** What keeps a row open comes more often than what ends it. */
const often = ['begin', 'begin', 'begin', 'confirm', 'doubt', 'retry', 'retry', 'see'] as const;
type Happening =
  | { readonly do: 'queue'; readonly kind: Row['kind'] }
  | { readonly do: 'restart' }
  | { readonly do: Verb; readonly row: number; readonly step: number };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('queue'),
      kind: fc.constantFrom('comment', 'reopen', 'report'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' } as const) },
  {
    weight: 30,
    arbitrary: fc.record({
      do: fc.constantFrom(...verbs, ...often),
      row: fc.nat(3),
      step: fc.nat(3),
    }),
  },
);

const currentOf = ({ steps }: Row) => steps.find(({ end }) => end !== 'delivered');

function stateOf(step: Step | undefined): QueueState {
  if (!step) return 'delivered';
  if (step.end) return step.end;
  if (step.needsUser) return 'attention';
  if (step.isOnItsWay) return 'sending';
  return step.isDoubted ? 'unknown' : 'waiting';
}

const failuresMax = 2;

/** Whether it can happen; if so, the model changes. */
function happens(row: Row, verb: Verb, picked: Step): boolean {
  const current = currentOf(row);
  const isOpen = (step: Step | undefined): step is Step => step !== undefined && step.end === null;
  const settle = (step: Step, end: Step['end'] = null) =>
    Object.assign(step, { end, isOnItsWay: false, isDoubted: false, needsUser: false });
  const anew = (step: Step) => Object.assign(settle(step), { hasProof: false });
  switch (verb) {
    case 'begin':
      if (!isOpen(picked) || picked.needsUser) return false;
      Object.assign(picked, { isOnItsWay: true, attempts: picked.attempts + 1 });
      return true;
    case 'confirm':
      if (picked.end === 'discarded' || picked.needsUser) return false;
      Object.assign(settle(picked, 'delivered'), { hasProof: true });
      row.ownFailures = 0;
      return true;
    case 'postpone':
      if (!isOpen(current) || current.needsUser) return false;
      current.isOnItsWay = false;
      return true;
    case 'doubt':
      if (!isOpen(current) || !current.isOnItsWay) return false;
      Object.assign(current, { isOnItsWay: false, isDoubted: true });
      return true;
    case 'refuse':
      if (!isOpen(current) || current.needsUser) return false;
      Object.assign(settle(current), { needsUser: true });
      return true;
    case 'blame':
      // What is not waiting for its turn is left alone.
      if (!isOpen(current) || current.needsUser || current.isOnItsWay) return true;
      row.ownFailures += 1;
      if (row.ownFailures >= failuresMax) current.needsUser = true;
      return true;
    case 'startAnew':
      if (picked.end === 'discarded' || (picked.needsUser && picked.isDoubted)) return false;
      anew(picked);
      return true;
    case 'dispute':
    case 'disputeForGood': {
      const last = row.steps.at(-1);
      if (last?.end !== 'delivered') return false;
      Object.assign(last, { end: null, needsUser: true, isDoubted: verb === 'disputeForGood' });
      return true;
    }
    case 'see':
      if (!current) return true;
      if (!isOpen(current) || !current.needsUser) return false;
      if (current.hasProof) settle(current, 'delivered');
      else Object.assign(current, { needsUser: false, isDoubted: true });
      return true;
    case 'retry':
      if (!isOpen(current) || current.isOnItsWay) return false;
      if (current.needsUser && !current.isDoubted) anew(current);
      current.needsUser = false;
      row.ownFailures = 0;
      return true;
    case 'edit': {
      if (row.kind === 'report' || !isOpen(current) || current.isOnItsWay) return false;
      if (current.isDoubted && !current.needsUser) return false;
      const { isDoubted } = current;
      Object.assign(anew(current), { isDoubted });
      row.ownFailures = 0;
      return true;
    }
    case 'discard':
      if (!isOpen(current) || row.steps.some(({ isOnItsWay }) => isOnItsWay)) return false;
      for (const step of row.steps) if (isOpen(step)) settle(step, 'discarded');
      return true;
  }
}

function carryOut(work: Work, stored: OutboxRow, verb: Verb, at: number): void {
  const { deliveries } = work.outbox;
  const { id } = stored;
  const step = stored.steps[at];
  if (!step) throw new Error('no such step');
  const { act } = stored;
  const fail = (how: 'postpone' | 'doubt' | 'refuse') => () => deliveries.fail(id, how, problem);
  const deeds: Readonly<Record<Verb, () => unknown>> = {
    begin: () => deliveries.begin(step, 0),
    confirm: () => deliveries.confirm({ step, proof }),
    postpone: fail('postpone'),
    doubt: fail('doubt'),
    refuse: fail('refuse'),
    blame: () => deliveries.blame(id, 1, failuresMax),
    startAnew: () => deliveries.startAnew(step),
    dispute: () => deliveries.dispute(stored, { act, problem, isMendable: true }),
    disputeForGood: () => deliveries.dispute(stored, { act, problem, isMendable: false }),
    see: () => deliveries.see(id, proof.at),
    retry: () => work.outbox.retry(id),
    edit: () => work.outbox.edit(id, act.kind === 'report' ? { kind: 'reopen', reason: 'y' } : act),
    discard: () => work.outbox.discard(id),
  };
  deeds[verb]();
}

/** Acts on cases of their own, so that none replaces another. */
function queue(work: Work, rows: Row[], kind: Row['kind']): void {
  const { act, steps } = acts[kind];
  const target = { caseId: `case-${String(rows.length)}`, externalKey: 'K' };
  const { id } = work.outbox.enqueue(
    target,
    act,
    steps.map((step) => ({ kind: step })),
  );
  const stored = work.outbox.rows.get(id).steps;
  rows.push({
    id,
    kind,
    ownFailures: 0,
    steps: stored.map(({ idempotencyKey: key }) => ({
      end: null,
      isOnItsWay: false,
      isDoubted: false,
      needsUser: false,
      attempts: 0,
      hasProof: false,
      key,
    })),
  });
}

/** @param touched rows whose trace is read: what was noted last of a step explains its state */
function check(work: Work, rows: readonly Row[], touched: readonly Row[]): void {
  for (const row of rows) {
    const stored = work.outbox.rows.get(row.id);
    expect(stored.state).toBe(stateOf(currentOf(row)));
    row.steps.forEach((step, at) => {
      const found = stored.steps[at];
      const isSecond = step.isDoubted && (step.isOnItsWay || step.needsUser);
      const state = stateOf(step);
      const twin = state === 'sending' ? 'resending' : 'unsure';
      expect(found).toMatchObject({
        state: isSecond ? twin : state,
        attempts: step.attempts,
        delivered: step.hasProof ? { at: proof.at } : null,
      });
    });
  }
  for (const { id } of touched) {
    const noted = new Map(work.outbox.trace.list(id).map(({ stepId, next }) => [stepId, next]));
    const steps = work.outbox.rows.get(id).steps.filter(({ state }) => state !== 'discarded');
    expect(steps.map((step) => noted.get(step.id) ?? 'waiting')).toEqual(
      steps.map(({ state }) => state),
    );
  }
  const states = rows.map((row) => stateOf(currentOf(row)));
  const isAny = (...wanted: QueueState[]) =>
    states.filter((state) => wanted.includes(state)).length;
  expect(work.outbox.rows.counts()).toEqual({
    waiting: isAny('waiting', 'sending', 'unknown'),
    attention: isAny('attention'),
  });
}

/** A statement that sets the state of a row or a step of the outbox. */
const writesState = /INSERT INTO outbox|UPDATE (?:outbox(?:_steps)?|\$\{table\}) SET (?:\$|state)/;
/** A table as it is without what a formatter adds. */
const plain = (markdown: string) => markdown.replaceAll('`', '').replaceAll(/ +/g, ' ');

describe('the states of the outbox', () => {
  it('are those of a plain model, whatever happens, and after a restart', () => {
    const folder = testFolder();
    const outcomes = { carriedOut: 0, refused: 0 };
    fc.assert(
      fc.property(
        fc.array(happening, { minLength: 40, maxLength: 80, size: 'max' }),
        (happenings) => {
          const dir = mkdtempSync(join(folder, 'run-'));
          const open = () =>
            openTestWork({ dir, keyHex, now: () => Date.parse('2026-03-02T08:00:00Z') });
          let work = open();
          const rows: Row[] = [];
          for (const kind of ['report', 'reopen', 'comment'] as const) queue(work, rows, kind);
          const keys = new Set<string>();
          const actOn = (one: Extract<Happening, { readonly row: number }>) => {
            const row = rows[one.row % rows.length];
            const picked = row?.steps[one.step % row.steps.length];
            if (!row || !picked) return;
            const at = row.steps.indexOf(picked);
            const before = work.outbox.rows.get(row.id);
            const isCarriedOut = happens(row, one.do, picked);
            const refusal = refusalOf(() => carryOut(work, before, one.do, at));
            expect(refusal === null).toBe(isCarriedOut);
            outcomes[isCarriedOut ? 'carriedOut' : 'refused'] += 1;
            const after = work.outbox.rows.get(row.id);
            expect(isCarriedOut || isDeepStrictEqual(after, before)).toBe(true);
            for (const [index, { idempotencyKey }] of after.steps.entries()) {
              const known = row.steps[index];
              if (!known) continue;
              // A new key is new, and only for a step that begins again and was sent before.
              const mayBeNew =
                ['startAnew', 'retry', 'edit'].includes(one.do) &&
                known.attempts > 0 &&
                !keys.has(idempotencyKey);
              expect(known.key === idempotencyKey || mayBeNew).toBe(true);
              known.key = idempotencyKey;
            }
          };
          for (const one of happenings) {
            if (one.do === 'queue') queue(work, rows, one.kind);
            else if (one.do === 'restart') {
              work.close();
              work = open();
              for (const step of rows.flatMap(({ steps }) => steps))
                if (step.isOnItsWay) Object.assign(step, { isOnItsWay: false, isDoubted: true });
            } else actOn(one);
            for (const step of rows.flatMap(({ steps }) => steps)) keys.add(step.key);
            const touched = 'row' in one ? rows[one.row % rows.length] : undefined;
            check(work, rows, touched ? [touched] : rows);
          }
          work.close();
        },
      ),
      { numRuns: smokeOrLong(10, 500) },
    );
    expect(outcomes.carriedOut).toBeGreaterThan(100);
    expect(outcomes.refused).toBeGreaterThan(50);
  }, 600_000);

  it('are shown as the user knows them', () => {
    const of = (...states: Parameters<typeof shownState>[0][]) =>
      rowState(states.map((state) => ({ state })));
    expect(
      ['resending', 'unsure', 'waiting', 'delivered'].map((state) =>
        shownState(state as StepState),
      ),
    ).toEqual(['sending', 'unknown', 'waiting', 'delivered']);
    // A row is what its first step is that is not delivered; one in doubt that waits for the user waits for the user.
    expect([of(), of('delivered', 'delivered'), of('delivered', 'unsure', 'waiting')]).toEqual([
      'delivered',
      'delivered',
      'attention',
    ]);
    expect([of('resending', 'waiting'), of('waiting', 'unsure')]).toEqual(['sending', 'waiting']);
    expect(stepStates.filter(isSending)).toEqual(['sending', 'resending']);
  });

  it('are shown by docs/architecture.md as the table has them', () => {
    const lines = Object.entries(transitions).map(([event, { means, next }]) => {
      const byNext = Map.groupBy(Object.entries(next), ([, to]) => to);
      const arrows = [...byNext].map(
        ([to, from]) => `${from.map(([state]) => state).join(', ')} → ${to}`,
      );
      return `| ${event} | ${means} | ${arrows.join('; ')} |`;
    });
    expect(plain(readFileSync('docs/architecture.md', 'utf8'))).toContain(lines.join('\n'));
  });

  it('are written in one place', () => {
    const writes = readdirSync('main', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== join('engine', 'work', 'schema.ts'))
      .filter((file) => writesState.test(readFileSync(join('main', file), 'utf8')));
    expect(writes).toEqual([join('engine', 'work', 'row-states.ts')]);
  });
});
