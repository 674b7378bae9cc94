import { join } from 'node:path';
import { expect, it, beforeEach, test, describe, onTestFinished } from 'vitest';
import { openDatabase } from '#main/engine/database/sqlite.ts';
import { insertStoredViews, readStoredViews } from '#main/engine/work/saved-views.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import { everyCaseIsOwn } from '#shared/desk/cases/own-cases.ts';
import { caseNoteMaxLength, type CaseViewInput } from '#shared/desk/cases/cases.ts';
import { openTestWork, testFolder } from '../support/test-engine.ts';

it('a note on a case or visit that has another one is appended to it, once, unless it is too long', () => {
  const from = openTestWork();
  const to = openTestWork();
  const notes = { a: 'theirs', b: 'mine', c: 'half', d: 'x', e: '' };
  for (const [id, note] of Object.entries(notes)) from.local.setNote(id, note);
  to.local.setNote('a', 'mine');
  to.local.setNote('b', 'mine, and more');
  to.local.setNote('c', 'y'.repeat(caseNoteMaxLength - 2 - 'half'.length));
  to.local.setNote('d', 'y'.repeat(caseNoteMaxLength - 2));
  to.local.setNote('e', 'mine');
  from.local.setVisit('a', { time: '09:30', note: 'back door' });
  to.local.setVisit('a', { time: '10:00', note: '' });
  const packed = from.transfer.pack();
  const unpack = () => to.transfer.unpack(packed, { packedAtMs: 0, blobIdOf: () => '' });
  expect(unpack()).toMatchObject({ notes: 2, differing: new Set(['d']) });
  expect(unpack()).toMatchObject({ notes: 0, differing: new Set(['d']) });
  expect(to.local.note('a')).toBe('mine\n\ntheirs');
  expect(to.local.note('b')).toBe('mine, and more');
  expect(to.local.note('c')).toMatch(/^y+\n\nhalf$/);
  expect(to.local.note('c')).toHaveLength(caseNoteMaxLength);
  expect(to.local.note('d')).toMatch(/^y+$/);
  expect(to.local.note('e')).toBe('mine');
  expect(to.local.visits(['a']).get('a')).toEqual({ time: '10:00', note: 'back door' });
});

it('visits, plans, marks, notes, texts and the rule travel in a backup, and replace nothing that is there', () => {
  const from = openTestWork();
  const to = openTestWork();
  const rule = { ...everyCaseIsOwn, mode: 'rule' as const, postalCodes: '8000-8499' };
  from.local.setVisit('a', { time: '09:30', note: 'back door' });
  from.local.setVisit('b', { time: null, note: 'theirs' });
  from.local.setPlan('2026-06-15', ['b', 'a']);
  from.local.mark(['a'], true);
  from.local.setOwnRule(rule);
  to.local.setVisit('b', { time: null, note: 'mine' });
  for (const id of ['a', 'b']) from.local.setNote(id, `their note on ${id}`);
  to.local.setNote('b', 'my note');
  const block = (n: number, text: string) => ({
    id: `00000000-0000-4000-8000-00000000000${n}`,
    name: `Block ${n}`,
    text,
  });
  const checklist = [{ id: 'vin', text: 'Chassis number' }];
  from.texts.save({
    blocks: [block(1, 'Seen with {party}.'), block(2, 'theirs')],
    checklists: { vehicle: checklist },
  });
  from.texts.tick('a', 'vin', true);
  to.texts.save({ blocks: [block(2, 'mine')] });
  const packed = from.transfer.pack();
  to.transfer.unpack(packed, { packedAtMs: 0, blobIdOf: () => '' });
  expect(Object.fromEntries(to.local.visits(['a', 'b']))).toEqual({
    a: { time: '09:30', note: 'back door' },
    b: { time: null, note: 'mine\n\ntheirs' },
  });
  expect(to.local.plan('2026-06-15')).toEqual(['b', 'a']);
  expect([...to.local.marks()]).toEqual([['a', true]]);
  expect(to.local.ownRule()).toEqual(rule);
  expect(['a', 'b', 'c'].map((id) => to.local.note(id))).toEqual([
    'their note on a',
    'my note\n\ntheir note on b',
    '',
  ]);
  expect(to.texts.all()).toEqual({
    blocks: [block(1, 'Seen with {party}.'), block(2, 'mine')],
    checklists: { vehicle: checklist },
  });
  expect(to.texts.ticks('a')).toEqual(['vin']);
});

it('texts with a field that no case has are refused as a whole, and ticks go with their case', () => {
  const work = openTestWork();
  const block = (name: string, text: string) => ({ id: crypto.randomUUID(), name, text });
  const wrong = [block('Good', '{key}'), block('Bad', 'Seen.\nBy {nobody}')];
  expect(() => work.texts.save({ blocks: wrong, checklists: { fraud: [] } })).toThrow(
    expect.objectContaining({
      code: 'text_block_invalid',
      params: { entry: 'Bad', line: 2, text: '{nobody}' },
    }),
  );
  expect(work.texts.all()).toEqual({ blocks: [], checklists: {} });
  work.texts.save({ checklists: { fraud: [] } });
  work.texts.save({ checklists: { fraud: null } });
  expect(work.texts.all().checklists).toEqual({});
  for (const id of ['a', 'b']) work.texts.tick(id, 'vin', true);
  work.texts.tick('b', 'vin', true);
  work.forgetCases(['a']);
  expect(['a', 'b'].map((id) => work.texts.ticks(id))).toEqual([[], ['vin']]);
  work.texts.tick('b', 'vin', false);
  expect(work.texts.ticks('b')).toEqual([]);
});

describe('saved views', () => {
  const view = (name: string, change: Partial<CaseViewInput> = {}): CaseViewInput => ({
    name,
    filter: { q: 'hagel', status: 'InProgress' },
    sort: 'partyName',
    descending: false,
    columns: ['partyName', 'place'],
    ...change,
  });

  let dir: string;
  let work: Work;
  beforeEach(() => {
    dir = testFolder();
    work = openTestWork({ dir });
  });

  test('views are saved by name, changed and removed, and are there after a restart', () => {
    const later = work.views.save(view('Woche'));
    const first = work.views.save(view('Hagel'));
    expect(work.views.list().map(({ name }) => name)).toEqual(['Hagel', 'Woche']);
    work.views.save({ ...first, name: 'Zuletzt', descending: true });
    work.close();
    work = openTestWork({ dir });
    expect(work.views.list()).toEqual([later, { ...first, name: 'Zuletzt', descending: true }]);
    work.views.remove(later.id);
    work.views.remove(later.id);
    expect(work.views.list().map(({ name }) => name)).toEqual(['Zuletzt']);
  });

  test('no two views have one name', () => {
    const saved = work.views.save(view('Hagel'));
    const taken = { code: 'view_name_taken', params: { name: 'hagel' } };
    expect(() => work.views.save(view('hagel'))).toThrow(expect.objectContaining(taken));
    expect(() => work.views.save(saved)).not.toThrow();
  });

  test('one that was deleted does not come back by being changed', () => {
    const saved = work.views.save(view('Hagel'));
    work.views.remove(saved.id);
    const gone = { code: 'view_not_found', params: { name: 'Hagel 2026' } };
    expect(() => work.views.save({ ...saved, name: 'Hagel 2026' })).toThrow(
      expect.objectContaining(gone),
    );
    expect(work.views.list()).toEqual([]);
  });

  it('of another version stay stored and are not shown, nor are those of a backup whose name or id exists', () => {
    const saved = work.views.save(view('Hagel'));
    const db = openDatabase({
      file: join(dir, 'work.db'),
      keyHex: 'ab'.repeat(32),
      durability: 'full',
    });
    onTestFinished(() => void db.close());
    const later = { id: 'later', name: 'Anders', content: '{"filter":{},"sort":"colour"}' };
    const [stored] = readStoredViews(db);
    if (!stored) throw new Error('no view');
    insertStoredViews(db, [
      later,
      { ...stored, id: 'other', name: 'HAGEL' },
      { ...stored, name: 'Free' },
      { ...stored, id: 'second', name: 'anders' },
    ]);
    expect(readStoredViews(db)).toEqual([later, stored]);
    expect(work.views.list()).toEqual([saved]);
  });
});
