import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { migrate, openDatabase } from '#main/engine/database/sqlite.ts';
import { insertStoredEdits, readStoredEdits } from '#main/engine/work/edits.ts';
import type { Act } from '#main/engine/work/outbox-records.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import { workMigrations } from '#main/engine/work/schema.ts';
import { openTestWork, testFolder } from '../support/test-engine.ts';

const [a, b] = [
  { caseId: 'case-a', externalKey: 'A' },
  { caseId: 'case-b', externalKey: 'B' },
];
const at = (minute: number) => new Date(minute * 60_000).toISOString();
const amounts = { costEstimateRappen: null, approvedRappen: null };

let work: Work;
/** Each text is stored a minute after the one before. */
let minutes: number;
beforeEach(() => {
  minutes = 0;
  work = openTestWork({ now: () => (minutes += 1) * 60_000 });
  minutes = 0;
});

describe('typed texts', () => {
  it('are listed by case, the last changed first, each with its latest words', () => {
    work.edits.save(a, 'comment', 'first', '');
    work.edits.save(b, 'estimate', '12.50', null);
    work.edits.save(a, 'reason', 'new parts', null);
    work.edits.save(a, 'comment', 'second', 'never');
    expect(work.edits.list()).toEqual([
      { ...a, updatedAt: at(4), comment: 'second', reason: 'new parts' },
      { ...b, updatedAt: at(2), estimate: '12.50' },
    ]);
  });

  it('are forgotten one by one', () => {
    work.edits.save(a, 'comment', 'x', '');
    work.edits.save(a, 'reason', 'y', null);
    work.edits.save(b, 'comment', 'z', '');
    work.edits.forget(a.caseId, 'comment');
    expect(work.edits.list()).toEqual([
      { ...b, updatedAt: at(3), comment: 'z' },
      { ...a, updatedAt: at(2), reason: 'y' },
    ]);
  });
});

describe('an act takes the texts that it sets, with what the user saw at the first letter', () => {
  beforeEach(() => {
    for (const target of [a, b]) {
      work.edits.save(target, 'comment', ' mine ', 'theirs');
      work.edits.save(target, 'comment', 'mine', 'later');
      work.edits.save(target, 'reason', 'new parts', null);
      work.edits.save(target, 'estimate', "1'200", 700);
      work.edits.save(target, 'approved', '', 900);
    }
  });
  const left = (caseId: string) => {
    const { comment, reason, estimate, approved } =
      work.edits.list().find((one) => one.caseId === caseId) ?? {};
    return { comment, reason, estimate, approved };
  };
  const all = { comment: 'mine', reason: 'new parts', estimate: "1'200", approved: '' };

  it.each<readonly [string, Act, object]>([
    ['a comment', { kind: 'comment', text: 'mine', seen: '' }, { comment: 'theirs' }],
    ['a reason', { kind: 'reopen', reason: 'new parts' }, { reason: null }],
    [
      'both amounts',
      { kind: 'amounts', costEstimateRappen: 120_000, approvedRappen: null, seen: amounts },
      { estimate: 700, approved: 900 },
    ],
    [
      'the estimate alone',
      { kind: 'amounts', costEstimateRappen: 120_000, approvedRappen: 5, seen: amounts },
      { estimate: 700 },
    ],
    [
      'the assessed amount alone',
      { kind: 'amounts', costEstimateRappen: 1200, approvedRappen: null, seen: amounts },
      { approved: 900 },
    ],
    ['another comment', { kind: 'comment', text: 'of a sheet', seen: '' }, {}],
    ['another reason', { kind: 'reopen', reason: 'mine' }, {}],
    ['a report', { kind: 'report', draftId: 'd', comment: 'mine' }, {}],
  ])('%s', (_what, act, seen) => {
    expect(work.edits.take(a.caseId, act)).toEqual(seen);
    const gone = Object.fromEntries(Object.keys(seen).map((part) => [part, undefined]));
    expect(left(a.caseId)).toEqual({ ...all, ...gone });
    expect(left(b.caseId)).toEqual(all);
  });
});

it.each<readonly [string, string, string, Act]>([
  [
    'the comment is cleared',
    '',
    '1',
    { kind: 'amounts', costEstimateRappen: 100, approvedRappen: null, seen: amounts },
  ],
  ['the reason has the same words', 'same', 'same', { kind: 'comment', text: 'same', seen: '' }],
  ['the comment has the same words', 'same', 'same', { kind: 'reopen', reason: 'same' }],
])('an act takes no text of another field: %s', (_what, comment, other, act) => {
  const place = act.kind === 'amounts' ? 'estimate' : 'reason';
  work.edits.save(a, 'comment', comment, 'theirs');
  work.edits.save(a, place, other, null);
  const taken = act.kind === 'comment' ? 'comment' : place;
  expect(Object.keys(work.edits.take(a.caseId, act))).toEqual([taken]);
  const { comment: left, ...more } = work.edits.list()[0] ?? {};
  expect(left === undefined).toBe(taken === 'comment');
  expect(place in more).toBe(taken !== place);
});

it('texts of a package are added, and what is typed here stays', () => {
  const file = join(testFolder(), 'work.db');
  const db = openDatabase({ file, keyHex: 'ab'.repeat(32), durability: 'normal' });
  onTestFinished(() => void db.close());
  migrate(db, workMigrations);
  const text = (case_id: string, typed: string) => {
    const of = { case_id, external_key: 'K', part: 'comment' as const };
    return { ...of, text: typed, seen: '""', updated_at: at(1) };
  };
  const here = [text('a', 'here'), text('d', 'equal')];
  expect(insertStoredEdits(db, here)).toEqual({ texts: 2, differing: [] });
  const fresh = [text('b', 'there'), text('c', 'there')];
  const packed = [text('a', 'there'), ...fresh, text('d', 'equal')];
  expect(insertStoredEdits(db, packed)).toEqual({ texts: 2, differing: ['a'] });
  expect(readStoredEdits(db)).toEqual([text('a', 'here'), ...fresh, text('d', 'equal')]);
});
