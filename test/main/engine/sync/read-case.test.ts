import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { ReportRecord } from '#main/engine/cache/report-store.ts';
import { CachePull } from '#main/engine/sync/pull.ts';
import { orMarkGone, readCase, readReports } from '#main/engine/sync/read-case.ts';
import type { ClientCase, ClientSubmission } from '#main/partner/answers/answers.ts';
import type { PartnerClient } from '#main/partner/partner-client.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
let caseId: string;
let events: DeskEvent[];
beforeEach(async () => {
  desk = await TestDesk.open();
  caseId = desk.partner.addCase().id;
  await desk.sync.pull();
  events = [];
});
afterEach(() => desk.remove());

const { signal } = new AbortController();
const missing = new DeskError('server_refused', { title: 'not_found', status: 404 });
const forbidden = new DeskError('server_refused', { title: 'forbidden', status: 403 });
const failed = new DeskError('server_failed', { title: 'internal_error', status: 500 });

/** What a reading has, over the desk's stores and its partner. */
const context = (client: Partial<PartnerClient> = {}) => ({
  client: { ...desk.partner.createClient(), ...client },
  cache: desk.cache,
  work: desk.work,
  clock: desk.clock,
  signal,
  emit: (event: DeskEvent) => events.push(event),
});
const refusing = (error: DeskError) => ({ getCase: () => Promise.reject(error) });
const gone = () => desk.cache.cases.find(caseId)?.goneReason;
const changed = () => [{ type: 'cases.changed', caseIds: [caseId] }];

describe('a case that is read alone', () => {
  it('is stored, and announced only if it changed', async () => {
    const client = desk.partner.createClient();
    const getCase = vi.spyOn(client, 'getCase');
    await readCase(context(client), caseId, 'person');
    expect(getCase).toHaveBeenCalledWith(caseId, { priority: 'person', signal });
    expect(events).toEqual([]);
    desk.partner.change(caseId, { expertComment: 'theirs' });
    await readCase(context(), caseId, 'person');
    expect(desk.cache.cases.find(caseId)?.expertComment).toBe('theirs');
    expect(events).toEqual(changed());
  });

  it('is as the server had it at the time of its answer', async () => {
    const upsert = vi.spyOn(desk.cache.cases, 'upsert');
    const getCase = (serverDateMs: number | null) => async () => {
      const answered = await desk.partner.createClient().getCase(caseId);
      return { ...answered, serverDateMs };
    };
    await readCase(context({ getCase: getCase(7) }), caseId, 'person');
    await readCase(context({ getCase: getCase(null), serverNow: () => 8 }), caseId, 'person');
    expect(upsert.mock.calls.map(([, serverMs]) => serverMs)).toEqual([7, 8]);
  });

  it.each([
    ['not_found', missing],
    ['forbidden', forbidden],
  ])('stays with the reason %s, and is announced once', async (reason, error) => {
    await readCase(context(refusing(error)), caseId, 'background');
    expect(gone()).toBe(reason);
    expect(events).toEqual(changed());
    await readCase(context(refusing(error)), caseId, 'background');
    expect(events).toEqual(changed());
    // It is back.
    await readCase(context(), caseId, 'background');
    expect(gone()).toBeNull();
    expect(events).toEqual([...changed(), ...changed()]);
  });

  it('is as before if it could not be read', async () => {
    await expect(readCase(context(refusing(failed)), caseId, 'person')).rejects.toBe(failed);
    expect(gone()).toBeNull();
    expect(events).toEqual([]);
  });

  it.each(['is read', 'is missing'])(
    'shows what was delivered no longer once it %s',
    async (now) => {
      const other = desk.partner.addCase().id;
      await desk.sync.pull();
      desk.sync.readCase = () => Promise.reject(failed);
      for (const id of [caseId, other]) desk.queueComment(id, 'mine');
      await desk.sync.delivery.deliver();
      const delivered = () => desk.work.overlays.delivered().map((row) => row.caseId);
      expect(new Set(delivered())).toEqual(new Set([caseId, other]));
      await readCase(context(now === 'is read' ? {} : refusing(missing)), caseId, 'background');
      expect(delivered()).toEqual([other]);
      expect(events).toEqual(changed());
    },
  );

  it('after a delivery is what the next list must have', async () => {
    const seenAlone = () => {
      const { cache, clock, work } = desk;
      const retained = (items: readonly ClientCase[]) => items;
      return new CachePull({ cache, clock, overlays: work.overlays, retained }).begin().seenAlone;
    };
    await readCase(context(), caseId, 'background');
    expect(seenAlone()).toBeNull();
    desk.sync.readCase = () => Promise.reject(failed);
    desk.queueComment(caseId, 'mine');
    await desk.sync.delivery.deliver();
    const now = desk.partner.cases.get(caseId);
    if (!now) throw new Error('no case');
    desk.cache.cases.upsert([now], desk.clock.now());
    await readCase(context(), caseId, 'background');
    expect(seenAlone()).toBe(now.lastChangedAt);
    // The case was known, but not that the server has what lay over it.
    expect(events).toEqual(changed());
  });
});

describe('the reports of a case', () => {
  const list = () => desk.cache.reports.list(caseId);
  const report = (id: string, change: Partial<ClientSubmission> = {}): ClientSubmission => ({
    id,
    caseId,
    sequenceNo: 1,
    revisionNo: 1,
    status: 'Submitted',
    comment: '',
    submittedAt: null,
    createdAt: '2026-03-02T08:00:00Z',
    updatedAt: '2026-03-02T08:00:00Z',
    ...change,
  });
  const [first, second] = [
    '00000000-0000-4000-8000-00000000000a',
    '00000000-0000-4000-8000-00000000000b',
  ];
  const ids = (): ReportRecord['id'][] => list().map(({ id }) => id);
  const page = (
    items: readonly ClientSubmission[],
    unreadable: readonly string[],
    total: number,
  ) => {
    const broken = unreadable.map((id) => ({ id, place: 'status', json: null }));
    const value = { total, size: 200, items: [...items], unreadable: broken };
    return { value, status: 200, correlationId: '', serverDateMs: null };
  };
  /** Reads a list of these records; `total` is the number that the server announces. */
  const read = (
    items: readonly ClientSubmission[],
    unreadable: readonly string[] = [],
    total = items.length + unreadable.length,
  ) =>
    readReports(
      context({
        listReports: () => Promise.resolve(page(items, unreadable, total)),
      }),
      caseId,
      'background',
    );
  /** Whether the list is read again in the next round, though the case does not change. */
  const isStale = () => {
    const { lastChangedAt } = desk.cache.cases.find(caseId) ?? {};
    expect(lastChangedAt).toMatch(/^2026/);
    return desk.cache.reports.casesToFollow(10).includes(caseId);
  };

  it('are those of the list, without those of other cases', async () => {
    await read([report(first), report(second, { caseId: 'another' })]);
    expect(ids()).toEqual([first]);
    expect(desk.cache.reports.listedAt(caseId)).toBe(new Date(desk.clock.now()).toISOString());
    expect(isStale()).toBe(false);
    expect(events).toEqual([{ type: 'reports.changed', caseId }]);
    await read([report(second, { caseId: caseId.toUpperCase() })]);
    expect(ids()).toEqual([second]);
  });

  it.each([
    ['as it is', second],
    ['in capitals', second.toUpperCase()],
  ])('stay if one cannot be read any more, whose id is written %s', async (_how, id) => {
    await read([report(first), report(second)]);
    await read([report(first)], [id]);
    expect(new Set(ids())).toEqual(new Set([first, second]));
    expect(desk.cache.unreadable.has('reports', caseId)).toBe(true);
    await read([report(first)]);
    expect(ids()).toEqual([first]);
    expect(desk.cache.unreadable.has('reports', caseId)).toBe(false);
  });

  it('stay once each if the list ends before its total, which is read again', async () => {
    await read([report(first), report(second)]);
    expect(isStale()).toBe(false);
    await read([report(first.toUpperCase(), { status: 'Approved' })], [], 2);
    expect(
      list()
        .map(({ id, status }) => `${id.toLowerCase()} ${status}`)
        .toSorted(),
    ).toEqual([`${first} Approved`, `${second} Submitted`]);
    expect(isStale()).toBe(true);
  });

  it('of a case that is not stored are read as well', async () => {
    desk.cache.cases.find = () => null;
    await read([report(first)]);
    expect(ids()).toEqual([first]);
  });

  it('are read with the given priority', async () => {
    const client = desk.partner.createClient();
    const listReports = vi.spyOn(client, 'listReports');
    await readReports(context(client), caseId, 'person');
    expect(listReports.mock.calls[0]?.[2]).toEqual({ priority: 'person', signal });
  });

  it('mark a case that is missing as well', async () => {
    const client = { listReports: () => Promise.reject(missing), ...refusing(forbidden) };
    await expect(readReports(context(client), caseId, 'person')).rejects.toBe(missing);
    expect(gone()).toBe('forbidden');
    expect(events).toEqual(changed());
  });
});

describe('a list of a case that cannot be read', () => {
  const onCases = vi.fn();
  const reading = (list: DeskError, getCase: PartnerClient['getCase']) =>
    orMarkGone(
      { client: { getCase }, cache: desk.cache, clock: desk.clock, signal, onCases },
      caseId,
      () => Promise.reject(list),
    );
  beforeEach(() => {
    onCases.mockClear();
  });

  it('has its case read if the list is missing, and the case stays if it is there', async () => {
    const getCase = vi.fn(desk.partner.createClient().getCase);
    await expect(reading(missing, getCase)).rejects.toBe(missing);
    expect(getCase).toHaveBeenCalledWith(caseId, { priority: 'background', signal });
    expect(gone()).toBeNull();
    expect(onCases).not.toHaveBeenCalled();
  });

  it('leaves a mark of its case as it was if that is there again', async () => {
    desk.cache.cases.markGone(caseId, 'forbidden', 1);
    await expect(reading(missing, desk.partner.createClient().getCase)).rejects.toBe(missing);
    expect(gone()).toBe('forbidden');
    expect(onCases).not.toHaveBeenCalled();
  });

  it('marks its case if that is missing as well, and says so once', async () => {
    const getCase = () => Promise.reject(missing);
    for (let read = 0; read < 2; read += 1)
      await expect(reading(forbidden, getCase)).rejects.toBe(forbidden);
    expect(gone()).toBe('not_found');
    expect(onCases.mock.calls).toEqual([[[caseId]]]);
  });

  it('leaves its case alone if anything else failed', async () => {
    const getCase = vi.fn(() => Promise.reject(failed));
    await expect(reading(missing, getCase)).rejects.toBe(missing);
    expect(getCase).toHaveBeenCalledTimes(1);
    await expect(reading(failed, getCase)).rejects.toBe(failed);
    expect(getCase).toHaveBeenCalledTimes(1);
    expect(gone()).toBeNull();
  });
});
