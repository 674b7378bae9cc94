import { join } from 'node:path';
import { expect, it, beforeEach, test, describe, onTestFinished } from 'vitest';
import { openDatabase } from '#main/engine/database/sqlite.ts';
import { textValue } from '#main/engine/database/stored-values.ts';
import { workspaceValueName } from '#main/engine/work/local-data.ts';
import { insertStoredViews, readStoredViews } from '#main/engine/work/saved-views.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import { everyCaseIsOwn } from '#shared/desk/cases/own-cases.ts';
import { caseNoteMaxLength, type CaseViewInput } from '#shared/desk/cases/cases.ts';
import { visitNoteMaxLength } from '#shared/desk/cases/day.ts';
import { openTestWork, testFolder } from '../support/test-engine.ts';

const sampleEstimate = {
  positions: [{ number: '1', text: 'Door', rappen: 100 }],
  sumRappen: 100,
  taxRappen: null,
  taxRate: null,
  roundingRappen: 0,
  totalRappen: 100,
};

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

describe('what the user stores about cases and days', () => {
  let work: Work;
  beforeEach(() => {
    work = openTestWork();
  });

  it('is a visit, whose parts change apart, and which is removed without both', () => {
    const { local } = work;
    local.setVisit('a', { time: '09:30' });
    local.setVisit('a', { note: 'back door' });
    local.setVisit('b', { note: 'other' });
    expect(Object.fromEntries(local.visits(['a', 'b', 'none']))).toEqual({
      a: { time: '09:30', note: 'back door' },
      b: { time: null, note: 'other' },
    });
    expect(local.visits(['b']).size).toBe(1);
    local.setVisit('a', { time: null });
    expect(local.visits(['a']).get('a')).toEqual({ time: null, note: 'back door' });
    local.setVisit('a', { time: '10:00', note: '' });
    expect(local.visits(['a']).get('a')).toEqual({ time: '10:00', note: '' });
    local.setVisit('a', { time: null });
    expect([...local.visits(['a', 'b']).keys()]).toEqual(['b']);
  });

  it('is a plan of each day', () => {
    const { local } = work;
    expect(local.plan('2026-06-15')).toEqual([]);
    local.setPlan('2026-06-15', ['a']);
    local.setPlan('2026-06-15', ['b', 'a']);
    local.setPlan('2026-06-16', ['c']);
    expect(local.plan('2026-06-15')).toEqual(['b', 'a']);
    local.setPlan('2026-06-15', null);
    expect([local.plan('2026-06-15'), local.plan('2026-06-16')]).toEqual([[], ['c']]);
  });

  it('is whether a case is the user’s, and who handles it', () => {
    const { local } = work;
    local.mark(['a', 'b', 'a'], true);
    local.mark(['b', 'c'], false);
    expect(Object.fromEntries(local.marks())).toEqual({ a: true, b: false, c: false });
    local.mark(['a', 'c'], null);
    expect(Object.fromEntries(local.marks())).toEqual({ b: false });
    local.setHandler(['a', 'b', 'a'], 'Anna');
    local.setHandler(['b', 'c'], 'Beat');
    expect(Object.fromEntries(local.handlers())).toEqual({ a: 'Anna', b: 'Beat', c: 'Beat' });
    expect(Object.fromEntries(local.handlersOf(['b', 'none']))).toEqual({ b: 'Beat' });
    local.setHandler(['a', 'c'], '');
    expect(Object.fromEntries(local.handlers())).toEqual({ b: 'Beat' });
  });

  it('is the rule for the user’s own cases, which is for all at first', () => {
    expect(work.local.ownRule()).toEqual(everyCaseIsOwn);
    const rule = { ...everyCaseIsOwn, mode: 'rule' as const, postalCodes: '8000' };
    work.local.setOwnRule(rule);
    expect(work.local.ownRule()).toEqual(rule);
  });

  it('is what was put off until a day, which ends by itself', () => {
    const { local } = work;
    const until = (day: string) => ({ until: day, reason: `until ${day}` });
    expect(local.postponed()).toEqual(new Map());
    local.postpone('a', until('2026-06-17'), '2026-06-15');
    local.postpone('b', until('2026-06-16'), '2026-06-15');
    local.postpone('a', until('2026-06-18'), '2026-06-15');
    expect(Object.fromEntries(local.postponed())).toEqual({
      a: until('2026-06-18'),
      b: until('2026-06-16'),
    });
    local.postpone('c', until('2026-06-20'), '2026-06-16');
    expect([...local.postponed().keys()]).toEqual(['a', 'c']);
    local.postpone('a', null, '2026-06-16');
    expect([...local.postponed().keys()]).toEqual(['c']);
  });

  it('is a note, which is removed when it is empty, and found by all of its words', () => {
    const { local } = work;
    local.setNote('a', 'Élodie calls');
    local.setNote('a', 'Élodie calls back');
    local.setNote('b', 'call back');
    expect([local.note('a'), local.note('none')]).toEqual(['Élodie calls back', '']);
    expect(local.casesWithNote('elodie BACK')).toEqual(['a']);
    expect(local.casesWithNote('back').toSorted()).toEqual(['a', 'b']);
    expect([local.casesWithNote(''), local.casesWithNote(' - ')]).toEqual([[], []]);
    local.setNote('a', '');
    expect([local.note('a'), local.note('b')]).toEqual(['', 'call back']);
    expect(work.transfer.pack().local.notes).toHaveLength(1);
  });

  it('is the lines that the reports of a case print', () => {
    const { local } = work;
    const estimate = { documentId: 'd', fileName: 'a.pdf', estimate: sampleEstimate };
    const positions = { first: estimate, second: null };
    expect(local.reportPositions('a')).toBeNull();
    local.setReportPositions('a', { ...positions, second: estimate });
    local.setReportPositions('a', positions);
    local.setReportPositions('b', positions);
    expect(local.reportPositions('a')).toEqual(positions);
    local.setReportPositions('a', null);
    expect([local.reportPositions('a'), local.reportPositions('b')]).toEqual([null, positions]);
  });

  it('is which photos of the folder are decided, each once, with what takes it', () => {
    const { local } = work;
    const taken: string[] = [];
    const take = (id: string) => local.takePhoto(id, () => taken.push(id));
    local.leavePhotos(['a', 'b', 'a']);
    for (const id of ['a', 'c', 'c']) take(id);
    expect(taken).toEqual(['c']);
    const fail = () => {
      throw new Error('no room');
    };
    expect(() => local.takePhoto('d', fail)).toThrow('no room');
    expect(['a', 'b', 'c', 'd'].map((id) => local.isPhotoDecided(id))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

it('text blocks are listed by name and replaced by id, and removed with no other one', () => {
  const { texts } = openTestWork();
  const block = (id: string, name: string) => ({ id, name, text: 'x' });
  const [a, b, c] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  texts.save({ blocks: [block(a, 'C'), block(b, 'a'), block(c, 'B')] });
  texts.save({ blocks: [block(a, 'Z')] });
  expect(texts.all().blocks.map(({ name }) => name)).toEqual(['a', 'B', 'Z']);
  texts.remove(b);
  texts.remove(b);
  expect(texts.all().blocks.map(({ id }) => id)).toEqual([c, a]);
  const entries = (text: string) => [{ id: 'vin', text }];
  texts.save({ checklists: { vehicle: entries('one'), fraud: entries('x') } });
  texts.save({ checklists: { vehicle: entries('two') } });
  expect(texts.all().checklists).toEqual({ vehicle: entries('two'), fraud: entries('x') });
});

it('a backup has everything but whose this laptop’s folder is, and the photos that were decided', () => {
  const { local, values, transfer } = openTestWork();
  values.set(textValue(workspaceValueName), 'this folder');
  values.set(textValue('other'), 'x');
  local.leavePhotos(['a']);
  const packed = transfer.pack().local;
  expect(packed.local_values).toEqual([{ name: 'other', value: 'x' }]);
  expect(Object.keys(packed).toSorted()).toEqual([
    'checklist_ticks',
    'checklists',
    'day_plans',
    'handlers',
    'local_values',
    'notes',
    'own_marks',
    'report_positions',
    'return_notes',
    'text_blocks',
    'visits',
  ]);
});

it('everything of a backup arrives, and is counted and named as far as it stays as it was', () => {
  const [from, to] = [openTestWork(), openTestWork()];
  from.local.setHandler(['a'], 'Anna');
  from.local.setNote('a', 'new');
  from.local.setVisit('b', { time: null, note: 'n'.repeat(visitNoteMaxLength) });
  to.local.setVisit('b', { note: 'mine' });
  const arrival = { packedAtMs: 0, blobIdOf: () => '' };
  const packed = from.transfer.pack();
  const arrived = to.transfer.unpack(packed, arrival);
  expect(arrived).toMatchObject({ notes: 1, differing: new Set(['b']) });
  expect(to.local.handlers().get('a')).toBe('Anna');
  expect(to.local.visits(['b']).get('b')).toEqual({ time: null, note: 'mine' });
  expect(to.transfer.unpack({ ...packed, local: {} }, arrival).notes).toBe(0);
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
