import { describe, expect, it } from 'vitest';
import {
  type Act,
  actSchema,
  isPut,
  rowOf,
  type RowColumns,
  stepOf,
  type StepColumns,
} from '#main/engine/work/outbox-records.ts';

const amounts = { costEstimateRappen: 1, approvedRappen: null };
const document = { id: 'theirs', fileName: 'a.pdf', sizeBytes: 1, isSalvageSale: true };
const whole: readonly Act[] = [
  { kind: 'amounts', ...amounts, seen: amounts, found: amounts, sent: [amounts] },
  { kind: 'comment', text: 'x', seen: 'y', found: 'z', sent: ['w'] },
  { kind: 'reopen', reason: 'x' },
  {
    kind: 'report',
    draftId: 'd',
    comment: 'x',
    found: { submissions: ['s'], documents: [document] },
    decided: { submit: ['s'], remove: ['theirs'] },
  },
];

const row: RowColumns = {
  id: 1,
  case_id: 'a',
  external_key: 'K',
  kind: 'comment',
  state: 'waiting',
  act: JSON.stringify({ kind: 'comment', text: 'x', seen: '' }),
  created_at: 'created',
  problem: null,
  failures: 2,
  own_failures: 3,
  not_before_ms: 4,
};
const step: StepColumns = {
  id: 1,
  row_id: 2,
  kind: 'document',
  state: 'waiting',
  idempotency_key: 'key',
  attachment_id: 'file',
  file_name: 'a.pdf',
  file_size_bytes: 3,
  is_salvage_sale: 1,
  attempts: 4,
  first_attempt_at: 'first',
  key_used_at_ms: 5,
  ever_unknown: 1,
  delivered_at: 'delivered',
  status: 201,
  correlation_id: 'c',
  server_id: 's',
  size_bytes: 6,
  sha256: 'hash',
  laptop_at: 'laptop',
  seen_at: 'seen',
};

it.each(whole.map((act) => [act.kind, act] as const))(
  'an act is read with everything that it was stored with: %s',
  (_kind, act) => {
    expect(actSchema.parse(JSON.parse(JSON.stringify(act)))).toEqual(act);
    expect(rowOf({ ...row, act: JSON.stringify(act) }, []).act).toEqual(act);
  },
);

it.each([
  ['no kind', {}],
  ['a foreign kind', { kind: 'other' }],
  ['no values', { kind: 'amounts', seen: amounts }],
  ['no seen values', { kind: 'amounts', ...amounts }],
  ['no text', { kind: 'comment', seen: '' }],
  ['no reason', { kind: 'reopen' }],
  ['no draft', { kind: 'report', comment: '' }],
  ['half a decision', { kind: 'report', draftId: 'd', comment: '', decided: { submit: [] } }],
  ['half a finding', { kind: 'report', draftId: 'd', comment: '', found: { documents: [] } }],
])('an act with %s is refused', (_what, act) => {
  expect(actSchema.safeParse(act).success).toBe(false);
});

it('amounts and a comment are repeated unchanged, and nothing else', () => {
  const kinds = ['amounts', 'comment', 'reopen', 'report', 'draft', 'document', 'submit'] as const;
  expect(kinds.filter((kind) => isPut({ kind }))).toEqual(['amounts', 'comment']);
});

describe('a row', () => {
  it('has all of its columns', () => {
    const { act: _, ...rest } = rowOf(row, []);
    expect(rest).toEqual({
      id: 1,
      caseId: 'a',
      externalKey: 'K',
      kind: 'comment',
      state: 'waiting',
      createdAt: 'created',
      problem: null,
      failures: 2,
      ownFailures: 3,
      notBeforeMs: 4,
      steps: [],
    });
    const problem = { code: 'connection_lost', params: { host: 'h' } };
    expect(rowOf({ ...row, problem: JSON.stringify(problem) }, []).problem).toEqual(problem);
  });
});

describe('a step', () => {
  it('has all of its columns, and its proof once it is delivered', () => {
    const proof = {
      at: 'delivered',
      status: 201,
      correlationId: 'c',
      serverId: 's',
      sizeBytes: 6,
      sha256: 'hash',
      laptopAt: 'laptop',
      seenAt: 'seen',
    };
    const whole = {
      id: 1,
      rowId: 2,
      kind: 'document',
      state: 'waiting',
      idempotencyKey: 'key',
      attachmentId: 'file',
      fileName: 'a.pdf',
      fileSizeBytes: 3,
      isSalvageSale: true,
      attempts: 4,
      firstAttemptAt: 'first',
      keyUsedAtMs: 5,
      everUnknown: true,
      delivered: proof,
    };
    expect(stepOf(step)).toEqual(whole);
    const other = { ...step, is_salvage_sale: 0, ever_unknown: 0, delivered_at: null };
    const unmarked = { isSalvageSale: false, everUnknown: false, delivered: null };
    expect(stepOf(other)).toEqual({ ...whole, ...unmarked });
  });

  it('that lacks a part of its proof has the proof without it', () => {
    const partial = stepOf({ ...step, status: null, correlation_id: null }).delivered;
    expect(partial).toMatchObject({ at: 'delivered', status: 0, correlationId: '' });
  });
});
