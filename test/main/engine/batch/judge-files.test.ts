import { expect, test } from 'vitest';
import type { BatchCase, BatchMatch } from '#shared/desk/reports/batch.ts';
import { judgeFiles, type JudgedFile, type Surroundings } from '#main/engine/batch/judge-files.ts';
import { unrecognized } from '../../../support/desk-records.ts';

const caseOf = (id: string): BatchCase => ({
  id,
  externalKey: id,
  partyName: 'Anna Keller',
  subject: '',
  licensePlate: '',
  awaits: false,
  problem: id === 'closed' ? { code: 'case_state', params: { status: 'Final' } } : null,
});
const match = (path: string): BatchMatch => ({ ...unrecognized, path });
const file = (path: string, caseId: string | null, part: Partial<JudgedFile> = {}): JudgedFile => ({
  path,
  match: match(path),
  caseId,
  isSalvageSale: false,
  problem: null,
  content: {
    sizeBytes: 1,
    sha256: path,
    isProtected: false,
    looksDamaged: false,
    hidesAnswers: false,
  },
  sendsAgain: false,
  reported: null,
  ...part,
});
const empty = { code: 'file_empty', params: { fileName: 'x' } } as const;
const delivered = { draftId: 'd', queueId: 7, queueState: 'delivered' } as const;
const around: Surroundings = {
  caseOf: (id) => (id === 'gone' ? null : caseOf(id)),
  placeOf: (_, sha256) => (sha256 === 'sent' ? delivered : null),
};
const outcomes = (...files: JudgedFile[]) =>
  judgeFiles(files, around).map(({ outcome }) => outcome);
const sent = {
  content: {
    sizeBytes: 1,
    sha256: 'sent',
    isProtected: false,
    looksDamaged: false,
    hidesAnswers: false,
  },
};

test('a case of which one file is refused or missing is kept back whole, and no other', () => {
  expect(outcomes(file('a', 'A'), file('b', 'A', { problem: empty }), file('c', 'C'))).toEqual([
    'kept_back',
    'refused',
    'ready',
  ]);
  expect(outcomes(file('a', 'A', { content: null }), file('b', 'A'))).toEqual([
    'missing',
    'kept_back',
  ]);
});

test('what the case has already, or has twice, is named and holds nothing back', () => {
  const twice = {
    content: {
      sizeBytes: 1,
      sha256: 'a',
      isProtected: false,
      looksDamaged: false,
      hidesAnswers: false,
    },
  };
  expect(outcomes(file('a', 'A'), file('b', 'A', twice), file('c', 'A', sent))).toEqual([
    'ready',
    'duplicate',
    'known',
  ]);
  expect(outcomes(file('a', 'A'), file('b', 'B', twice))).toEqual(['ready', 'ready']);
  expect(outcomes(file('c', 'A', { ...sent, sendsAgain: true }))).toEqual(['ready']);
  expect(judgeFiles([file('c', 'A', sent)], around)[0]).toMatchObject(delivered);
});

test('a file without a case holds nothing back, and shows its own fault too', () => {
  const [nobody, other] = judgeFiles([file('a', null, { problem: empty }), file('b', 'B')], around);
  expect(nobody).toMatchObject({ outcome: 'unmatched', problem: empty });
  expect(other).toMatchObject({ outcome: 'ready' });
});

test('a file with two faults names both; a case that is no longer here takes nothing', () => {
  const [first, second] = judgeFiles(
    [file('a', 'closed', { problem: empty }), file('b', 'gone')],
    around,
  );
  expect(first?.problems.map(({ code }) => code)).toEqual(['file_empty', 'case_state']);
  expect(second).toMatchObject({ outcome: 'refused', problem: { code: 'case_not_found' } });
});

test('a file in a report of this batch is added, whatever became of its case since', () => {
  const reported = { draftId: 'd', queueId: 9, queueState: 'waiting' } as const;
  expect(judgeFiles([file('a', 'closed', { reported })], around)[0]).toMatchObject({
    outcome: 'added',
    problem: null,
    queueId: 9,
  });
});
