import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import {
  type FetchContext,
  fetchCases,
  fetchContent,
  fetchDocuments,
  fetchListsFirst,
} from '#main/engine/sync/fetch-documents.ts';
import { SickContents } from '#main/engine/sync/sick-contents.ts';
import type { PartnerClient } from '#main/partner/partner-client.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
let caseId: string;
beforeEach(async () => {
  desk = await TestDesk.open();
  // Comes last: it changed before the other.
  desk.partner.addCase();
  caseId = desk.partner.addCase().id;
  for (const name of ['a.txt', 'b.txt']) desk.partner.addDocument(caseId, name, name);
});
afterEach(() => desk.remove());

it.each([
  [
    'is of another size than announced',
    () => {
      const items = desk.partner.documents.get(caseId)?.map((item) => ({ ...item, sizeBytes: 99 }));
      desk.partner.distort = (operation, value) =>
        operation === 'X6' ? { ...value, items } : value;
    },
  ],
  [
    'cannot be noted',
    () => {
      desk.cache.documents.setBlob = () => {
        throw new Error('the disk is full');
      };
    },
  ],
])('a content that %s leaves no file behind', async (_, spoil) => {
  spoil();
  await desk.sync.run({ documents: 'all' }).catch(() => undefined);
  expect(desk.partner.requests).toContain('X7');
  expect(await desk.files.list()).toEqual([]);
});

it.each([
  ['repeats with a huge Total', { total: 1_000_000 }, 2],
  ['is shorter than its Total', { total: 3 }, 2],
  ['has a Total and no items', { items: [] }, 1],
])('a list that %s ends, is read again, and loses nothing', async (_title, change, requests) => {
  const lists = () => desk.partner.requests.filter((operation) => operation === 'X6').length;
  const isStale = () =>
    desk.cache.documents.staleOf([caseId]).some(({ listIsStale }) => listIsStale);
  const names = () => desk.cache.documents.list(caseId).items.map(({ fileName }) => fileName);
  await desk.sync.run({ documents: 'all' });
  expect([names(), isStale()]).toEqual([['a.txt', 'b.txt'], false]);
  desk.partner.addDocument(caseId, 'c.txt', 'c');
  const all = desk.partner.documents.get(caseId) ?? [];
  const before = lists();
  desk.partner.distort = (operation, value) =>
    operation === 'X6' ? { ...value, items: all.slice(0, 2), ...change } : value;
  await desk.sync.run({ documents: 'all' });
  expect(lists() - before).toBeLessThanOrEqual(requests);
  expect([names(), isStale()]).toEqual([['a.txt', 'b.txt'], true]);
  desk.partner.distort = (_operation, value) => value;
  await desk.sync.run({ documents: 'all' });
  expect([names(), isStale()]).toEqual([['a.txt', 'b.txt', 'c.txt'], false]);
});

const failed = new DeskError('server_failed', { title: 'internal_error', status: 500 });
const missing = new DeskError('server_refused', { title: 'not_found', status: 404 });

it.each([
  ['of a content', 'X7', failed],
  ['of a content that is missing', 'X7', missing],
  ['of a list', 'X6', failed],
])('a round reports the failure %s, until it is cured', async (_title, operation, error) => {
  desk.partner.distort = (asked, value) => {
    if (asked === operation) throw error;
    return value;
  };
  const run = () => desk.sync.run({ documents: 'all' });
  expect((await run()).incomplete?.code).toBe(error.code);
  desk.partner.distort = (_operation, value) => value;
  expect(await run()).toMatchObject({ documents: 2, incomplete: null });
});

it('a round reports no failure if a server has no list where it has nothing to list', async () => {
  desk.partner.distort = (asked, value) => {
    if (asked === 'X6') throw missing;
    return value;
  };
  expect((await desk.sync.run({ documents: 'all' })).incomplete).toBeNull();
});

it.each([1, 2])('a pause after %i documents begins no further one, nor a list', async (allowed) => {
  const asked = () => desk.partner.requests.filter((operation) => /^X[67]$/.test(operation));
  desk.partner.fault = () => {
    desk.sync.state.paused = asked().length > allowed;
    return 'none';
  };
  await desk.sync.run({ documents: 'all' });
  expect(asked()).toEqual(['X6', 'X7', 'X7'].slice(0, allowed + 1));
});

it('a content of a wrong size is not downloaded again in each round, and is still reported', async () => {
  const right = desk.partner.documents.get(caseId) ?? [];
  desk.partner.documents.set(
    caseId,
    right.map((item) => ({ ...item, sizeBytes: 99 })),
  );
  let asked = 0;
  /** The number of contents that a round asks for. */
  const round = async () => {
    const { documents, incomplete } = await desk.sync.run({ documents: 'all' });
    const all = desk.partner.requests.filter((operation) => operation === 'X7').length;
    const own = all - asked;
    asked = all;
    return [own, documents, incomplete?.code ?? null];
  };
  const hour = 3_600_000;
  expect(await round()).toEqual([2, 0, 'answer_invalid']);
  expect(await round()).toEqual([0, 0, 'answer_invalid']);
  desk.clock.skip(hour);
  expect(await round()).toEqual([2, 0, 'answer_invalid']);
  desk.clock.skip(hour);
  expect(await round()).toEqual([0, 0, 'answer_invalid']);
  desk.clock.skip(hour);
  // A download that breaks off says nothing about the content.
  desk.partner.distort = (operation, value) => {
    if (operation === 'X7') throw failed;
    return value;
  };
  expect(await round()).toEqual([2, 0, 'server_failed']);
  desk.partner.distort = (_operation, value) => value;
  expect(await round()).toEqual([2, 0, 'answer_invalid']);
  desk.clock.skip(3 * hour);
  expect(await round()).toEqual([0, 0, 'answer_invalid']);
  // A corrected list is followed at once.
  desk.partner.documents.set(caseId, right);
  desk.partner.addDocument(caseId, 'c.txt', 'c');
  expect(await round()).toEqual([3, 3, null]);
});

it('a document that cannot be read any more stays with its content, if its id is then in capitals', async () => {
  const id = '0000000a-0000-4000-8000-000000000000';
  const items = (desk.partner.documents.get(caseId) ?? []).slice(0, 1);
  desk.partner.documents.set(
    caseId,
    items.map((item) => ({ ...item, id })),
  );
  desk.partner.contents.set(id, Buffer.from('a.txt'));
  await desk.sync.run({ documents: 'all' });
  const known = () => desk.cache.documents.list(caseId).items;
  const before = known();
  expect(before).toMatchObject([{ id, blobId: expect.any(String) as string }]);
  desk.partner.addDocument(caseId, 'c.txt', 'c');
  const added = desk.partner.documents.get(caseId)?.at(-1);
  const unreadable = [{ id: id.toUpperCase(), place: 'FileName', json: null }];
  desk.partner.distort = (operation, value) =>
    operation === 'X6' ? { ...value, items: [added], unreadable } : value;
  await desk.sync.run({ documents: 'all' });
  expect(known()).toMatchObject([{ id: added?.id }, ...before]);
});

describe('a fetch', () => {
  const onSkip = vi.fn();
  let sick: SickContents;
  let other: string;
  beforeEach(async () => {
    onSkip.mockClear();
    sick = new SickContents(desk.clock);
    other = [...desk.partner.cases.keys()].find((id) => id !== caseId) ?? '';
    await desk.sync.pull();
    desk.partner.requests.length = 0;
  });
  const context = (client: Partial<PartnerClient> = {}): FetchContext => ({
    ...desk.sync.fetchContext(),
    client: { ...desk.partner.createClient(), ...client },
    sick,
    onSkip,
  });
  const stale = () => [caseId, other].map((id) => ({ caseId: id, listIsStale: true }));
  const failing = (error: unknown) => vi.fn(() => Promise.reject(error as Error));
  const stored = () =>
    desk.cache.documents.list(caseId).items.map(({ blobId, sizeBytes }) => blobId && sizeBytes);
  const firstDocument = async () => {
    await fetchCases(context({ fetchDocument: failing(failed) }), stale(), 'background');
    const [document] = desk.cache.documents.list(caseId).items;
    if (!document) throw new Error('no document');
    return document;
  };
  const limited = new DeskError('rate_limited', { retryAfterS: 99, until: '' });

  it('takes the size of a content from itself if the list has none', async () => {
    const items = desk.partner.documents.get(caseId) ?? [];
    desk.partner.documents.set(
      caseId,
      items.map((item) => ({ ...item, sizeBytes: 0 })),
    );
    expect(await fetchCases(context(), stale(), 'background')).toBe(2);
    expect(stored()).toEqual([5, 5]);
  });

  it('leaves nothing of a content that breaks off', async () => {
    const document = await firstDocument();
    const files = () => readdir(join(desk.dir, 'files'), { recursive: true });
    const before = await files();
    const fetchDocument: PartnerClient['fetchDocument'] = async (_caseId, _id, sink) => {
      await sink(Buffer.from('a'));
      throw failed;
    };
    await expect(fetchContent(context({ fetchDocument }), document, 'person')).rejects.toBe(failed);
    expect(await files()).toEqual(before);
  });

  it('forgets that a content was wrong once it is right', async () => {
    const document = await firstDocument();
    sick.noteFailed(document, new DeskError('answer_invalid', { operation: 'X7', detail: '' }));
    await fetchContent(context(), document, 'person');
    expect(sick.errorOf(document)).toBeNull();
  });

  it('downloads a content that was wrong for a user at once, and else later', async () => {
    const document = await firstDocument();
    sick.noteFailed(document, new DeskError('answer_invalid', { operation: 'X7', detail: '' }));
    const fresh = [{ caseId, listIsStale: false }];
    expect(await fetchCases(context(), fresh, 'background')).toBe(1);
    expect(await fetchCases(context(), fresh, 'person')).toBe(1);
  });

  it.each([
    ['nothing can be reached', new DeskError('connection_refused', { host: 'h' })],
    ['the line breaks', new DeskError('connection_lost', { host: 'h' })],
    ['the desk is not admitted', new DeskError('key_rejected', {})],
    ['the disk is full', new DeskError('disk_full', {})],
    ['the program is at fault', new Error('a fault')],
  ])('ends if %s', async (_what, error) => {
    const fetchDocument = failing(error);
    const fetch = fetchCases(context({ fetchDocument }), stale(), 'background');
    await expect(fetch).rejects.toBe(error);
    expect(fetchDocument).toHaveBeenCalledTimes(1);
    expect(onSkip).not.toHaveBeenCalled();
  });

  it('ends without a failure if the partner demands a pause for a content', async () => {
    const fetchDocument = failing(limited);
    expect(await fetchCases(context({ fetchDocument }), stale(), 'background')).toBe(0);
    expect(fetchDocument).toHaveBeenCalledTimes(1);
    expect(onSkip.mock.calls).toEqual([[caseId, limited, 'content']]);
  });

  it.each([
    ['each before its contents', fetchCases],
    ['all first', fetchListsFirst],
  ])(
    'ends without a failure if the partner demands a pause for a list (%s)',
    async (_what, fetch) => {
      const listDocuments = failing(limited);
      await fetch(context({ listDocuments }), stale(), 'background');
      expect(listDocuments).toHaveBeenCalledTimes(1);
      expect(onSkip.mock.calls).toEqual([[caseId, limited, 'list']]);
      expect(desk.partner.requests).toEqual([]);
    },
  );

  it('asks once for a list that cannot be read, if all lists come first', async () => {
    const listDocuments = failing(failed);
    await fetchListsFirst(context({ listDocuments }), stale(), 'person');
    expect(listDocuments).toHaveBeenCalledTimes(2);
  });

  it('leaves out what is not due, and what the rule removes after the end of its case', async () => {
    const ended = { status: 'Final', payloadJson: '{}' };
    desk.partner.change(caseId, ended);
    desk.partner.change(other, ended);
    await desk.sync.pull();
    const lastChangedAt = new Date(desk.clock.now() - 91 * 24 * 3_600_000).toISOString();
    const old = desk.partner.addCase({ ...ended, lastChangedAt });
    desk.cache.cases.upsert([old], desk.clock.now());
    const documents = desk.partner.documents.get(caseId) ?? [];
    desk.partner.documents.set(old.id, documents);
    expect(await fetchDocuments(context(), 'due')).toEqual({ documents: 0, problem: null });
    expect(await fetchDocuments(context(), 'all')).toEqual({ documents: 2, problem: null });
    desk.rule = { ...desk.rule, closedDays: null };
    expect(await fetchDocuments(context(), 'all')).toEqual({ documents: 2, problem: null });
  });
});
