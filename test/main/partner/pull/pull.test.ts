import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { openCache } from '#main/engine/cache/open-cache.ts';
import { CachePull } from '#main/engine/sync/pull.ts';
import { openGatewayStore } from '#main/gateway/context.ts';
import { listedCase, StorePull } from '#main/gateway/reading/pull.ts';
import type { ClientCase } from '#main/partner/answers/answers.ts';
import type { PageQuery } from '#main/partner/pull/page-parts.ts';
import { pull, type PullResult } from '#main/partner/pull/pull.ts';
import type { PullItem, PullStore } from '#main/partner/pull/pull-store.ts';
import { FakePartner } from '../../../support/partner/fake-partner.ts';
import type { ListBehaviourName } from '../../../support/partner/list-behaviours.ts';
import { createMemoryLog } from '../../service/support/memory-log.ts';
import { createDatabase, databaseOf, dropDatabase } from '../../service/support/database.ts';
import { createEagerClock, type EagerClock } from '../../engine/support/stepped-clock.ts';

/** A store of a program, and how the test looks into it. */
interface TestStore<Item extends PullItem> {
  /** As after a start of the program. */
  open(): PullStore<Item>;
  item(found: ClientCase): Item;
  /** LastChangedAt by id. */
  stamps(): Promise<Map<string, string>>;
  close(): Promise<void>;
}

function openCacheStore(clock: EagerClock): TestStore<ClientCase> {
  const dir = mkdtempSync(join(tmpdir(), 'pull-'));
  const cache = openCache(join(dir, 'cache.db'), 'ab'.repeat(32));
  const overlays = { delivered: () => [], lift: () => undefined };
  return {
    // The pull uses these two of the overlays alone.
    open: () =>
      new CachePull({ cache, clock, overlays: overlays as never, retained: (all) => all }),
    item: (found) => found,
    stamps: () =>
      Promise.resolve(
        new Map(cache.list({ limit: 1000 }).items.map((one) => [one.id, one.lastChangedAt])),
      ),
    close() {
      cache.close();
      rmSync(dir, { recursive: true });
      return Promise.resolve();
    },
  };
}

type ListedCase = ReturnType<typeof listedCase.parse>;

async function openGateway(clock: EagerClock): Promise<TestStore<ListedCase>> {
  const directory = mkdtempSync(join(tmpdir(), 'pull-gateway-'));
  await createDatabase(directory);
  const { log } = createMemoryLog();
  const opened = await openGatewayStore({ directory, database: databaseOf(directory), log });
  return {
    open: () => new StorePull({ db: opened.db, clock, log }),
    item: ({ id, lastChangedAt, expertComment }) =>
      listedCase.parse({ Id: id, LastChangedAt: lastChangedAt, ExpertComment: expertComment }),
    async stamps() {
      const rows = await opened.db
        .selectFrom('cases')
        .select(['id', 'partner_changed_at'])
        .execute();
      return new Map(rows.map((row) => [row.id, row.partner_changed_at]));
    },
    async close() {
      await opened.close();
      await dropDatabase(directory);
      rmSync(directory, { recursive: true });
    },
  };
}

const stores = { cache: openCacheStore, gateway: openGateway };

describe.each(Object.entries(stores))('the pull into the %s', (_name, openStore) => {
  // Both have the same tests, whatever their items are.
  const open = openStore as (
    clock: EagerClock,
  ) => TestStore<PullItem> | Promise<TestStore<PullItem>>;
  let clock: EagerClock;
  let partner: FakePartner;
  let store: TestStore<PullItem>;

  beforeEach(async () => {
    clock = createEagerClock();
    partner = new FakePartner(clock);
    store = await open(clock);
  });
  afterEach(() => store.close());

  const add = (count: number) => {
    for (let n = 0; n < count; n += 1) partner.addCase();
    clock.skip(3_600_000);
  };
  const behave = (...names: ListBehaviourName[]) => (partner.listBehaviours = new Set(names));
  /** One pull; `requests` is what it cost. */
  async function pullOnce(everything = false): Promise<PullResult & { requests: number }> {
    const client = partner.createClient();
    const before = partner.requests.length;
    const result = await pull({
      store: store.open(),
      serverNow: () => client.serverNow(),
      read: async (query) => {
        const answered = await client.listCases(query);
        const items = answered.value.items.map((item) => store.item(item));
        return { ...answered, value: { ...answered.value, items } };
      },
      everything,
    });
    return { ...result, requests: partner.requests.length - before };
  }
  const missing = async () => {
    const here = await store.stamps();
    return [...partner.cases.values()].filter(
      ({ id, lastChangedAt }) => here.get(id) !== lastChangedAt,
    ).length;
  };

  it.each<[string, ListBehaviourName[]]>([
    ['an untrue Size', ['Size that is untrue']],
    ['a Total of 0', ['Total that is 0']],
    ['a Total of the page alone', ['Total of the page alone']],
    ['an untrue Size and a Total of 0', ['Size that is untrue', 'Total that is 0']],
  ])('reads all pages of a partner that caps them, with %s', async (_title, names) => {
    partner.pageSizeMax = 10;
    add(25);
    behave(...names);
    expect(await pullOnce()).toMatchObject({ pulled: 25, incomplete: null });
    expect(await missing()).toBe(0);
    add(21);
    expect(await pullOnce()).toMatchObject({ incomplete: null });
    expect(await missing()).toBe(0);
  });

  it('calls a reading incomplete if the partner ignores page', async () => {
    partner.pageSizeMax = 10;
    add(25);
    behave('page that is ignored');
    const found = { reason: 'repeats', seen: 10, total: 25 };
    expect(await pullOnce()).toMatchObject({ incomplete: found, requests: 6 });
    // Known by now: it is not tried three times in each round.
    expect(await pullOnce()).toMatchObject({ incomplete: found, requests: 2 });
    behave();
    expect(await pullOnce()).toMatchObject({ incomplete: null });
    expect(await missing()).toBe(0);
  });

  it('reads changes with one request if their page is shorter than one of the whole list', async () => {
    add(22);
    add(3);
    expect(await pullOnce()).toMatchObject({ pulled: 25, requests: 2 });
    add(3);
    expect(await pullOnce()).toMatchObject({ pulled: 4, requests: 1 });
    expect(await missing()).toBe(0);
    // A partner that caps its pages from now on, and says so.
    partner.pageSizeMax = 10;
    behave('Total of the page alone');
    add(15);
    expect(await pullOnce()).toMatchObject({ incomplete: null });
    expect(await missing()).toBe(0);
    // As full as a page of the whole list: there may be more.
    expect(await pullOnce(true)).toMatchObject({ incomplete: null });
    behave('Total of the page alone', 'Size that is untrue');
    add(15);
    expect(await pullOnce()).toMatchObject({ incomplete: null });
    expect(await missing()).toBe(0);
  });

  it('calls a reading incomplete if the partner caps, ignores page and counts the page alone', async () => {
    partner.pageSizeMax = 10;
    add(25);
    behave('page that is ignored', 'Total of the page alone');
    expect(await pullOnce()).toMatchObject({ incomplete: { reason: 'repeats', seen: 10 } });
  });

  it('reads the whole list of a partner that refuses lastChangedSince, until it takes it', async () => {
    add(5);
    await pullOnce();
    const client = partner.createClient();
    const params = { title: 'invalid_request', status: 400, detail: '', correlationId: '' };
    const refusing = {
      ...client,
      listCases: (query: Parameters<typeof client.listCases>[0]) =>
        query.lastChangedSince === undefined
          ? client.listCases(query)
          : Promise.reject(new DeskError('server_refused', params)),
    };
    partner.createClient = () => refusing;
    add(2);
    expect(await pullOnce()).toMatchObject({ incomplete: null, ignoresSince: true });
    expect(await missing()).toBe(0);
    partner.createClient = () => client;
    add(2);
    await pullOnce();
    expect(await pullOnce()).toMatchObject({ incomplete: null, ignoresSince: false });
    expect(await missing()).toBe(0);
  });

  it('takes the whole list of a partner without pages', async () => {
    add(12);
    behave('page that is ignored');
    expect(await pullOnce()).toMatchObject({ pulled: 12, incomplete: null, requests: 2 });
    expect(await missing()).toBe(0);
  });

  it('calls a list incomplete that has a Total and no items', async () => {
    add(3);
    await pullOnce();
    behave('Total without items');
    expect(await pullOnce()).toMatchObject({
      incomplete: { reason: 'missing', seen: 0, total: 3 },
    });
    add(2);
    behave();
    expect(await pullOnce()).toMatchObject({ incomplete: null });
    expect(await missing()).toBe(0);
  });

  it('ends if a page repeats for ever with a huge Total', async () => {
    partner.pageSizeMax = 10;
    add(25);
    behave('page that repeats for ever');
    const result = await pullOnce();
    expect(result.incomplete).toMatchObject({ reason: 'repeats' });
    expect(result.requests).toBeLessThan(10);
  });

  it('reads the list once if the partner ignores lastChangedSince, and says so', async () => {
    partner.pageSizeMax = 100;
    for (let n = 0; n < 450; n += 1) {
      partner.addCase();
      clock.skip(60_000);
    }
    behave('lastChangedSince that is ignored');
    await pullOnce();
    partner.change([...partner.cases.keys()][7] ?? '', { expertComment: 'new' });
    clock.skip(60_000);
    // Five pages, and nothing more.
    expect(await pullOnce()).toMatchObject({
      pulled: 2,
      incomplete: null,
      ignoresSince: true,
      requests: 5,
    });
    expect(await pullOnce()).toMatchObject({ requests: 5, ignoresSince: true });
    expect(await missing()).toBe(0);
    behave();
    await pullOnce();
    expect(await pullOnce()).toMatchObject({ ignoresSince: false, requests: 1 });
  });

  it('notices that the partner was restored from a backup, and takes what it has now', async () => {
    add(5);
    const [id = ''] = [...partner.cases.keys()];
    const backup = partner.backup();
    partner.change(id, { expertComment: 'after the backup' });
    add(2);
    await pullOnce();
    clock.skip(60_000);
    partner.restore(backup);
    expect(await pullOnce()).toMatchObject({ incomplete: null });
    expect((await store.stamps()).get(id)).toBe(partner.cases.get(id)?.lastChangedAt);
    // Its cursor is the partner's again: what changes next is read.
    clock.skip(1000);
    partner.change([...partner.cases.keys()][1] ?? '', { expertComment: 'next' });
    await pullOnce();
    expect(await missing()).toBe(0);
  });

  /** The partner's client, which fails at some pages. */
  function failAt(fails: (query: PageQuery, ids: readonly string[]) => DeskError | null) {
    const client = partner.createClient();
    const failing = {
      ...client,
      listCases: async (query: PageQuery) => {
        const answered = await client.listCases(query);
        const problem = fails(
          query,
          answered.value.items.map(({ id }) => id),
        );
        if (problem) throw problem;
        return answered;
      },
    };
    partner.createClient = () => failing;
    return () => (partner.createClient = () => client);
  }
  const refused = (status: number) =>
    new DeskError('server_refused', { title: '', status, detail: '', correlationId: '' });
  const failed = (status: number) =>
    new DeskError('server_failed', { title: '', status, correlationId: '' });

  it.each([400, 413, 422])('reads a partner that refuses large pages with %i', async (status) => {
    add(230);
    failAt(({ size }) => (size > 50 ? refused(status) : null));
    expect(await pullOnce()).toMatchObject({ pulled: 230, incomplete: null });
    expect(await missing()).toBe(0);
    add(3);
    // The size is refused, and not the question for changes.
    expect(await pullOnce()).toMatchObject({ incomplete: null, ignoresSince: false });
    expect(await missing()).toBe(0);
  });

  it.each([
    ['first', 0],
    ['on the first page', 77],
    ['on the second page', 203],
    ['last', 229],
  ])('reads all but one record that fails each page it is on: %s', async (_where, place) => {
    add(230);
    const sick = [...partner.cases.keys()][place] ?? '';
    const heal = failAt((_query, ids) => (ids.includes(sick) ? failed(500) : null));
    const found = { reason: 'missing', seen: 229, total: 230 };
    expect(await pullOnce()).toMatchObject({ incomplete: found });
    expect(await missing()).toBe(1);
    // What changes elsewhere is read at once, and the list is not called whole because of that.
    partner.addCase();
    clock.skip(60_000);
    expect(await pullOnce()).toMatchObject({ incomplete: { reason: 'missing' } });
    expect(await missing()).toBe(1);
    heal();
    expect(await pullOnce()).toMatchObject({ incomplete: found });
    clock.skip(1_800_000);
    expect(await pullOnce()).toMatchObject({ incomplete: null });
    expect(await missing()).toBe(0);
  });

  it.each([
    [100, [], 100],
    [250, [], 250],
    [230, [226], 229],
    [230, [229], 229],
    [201, [200], 200],
    [230, [7, 8], 228],
    [230, [0, 1, 2], 227],
  ])(
    'reads %i cases of a partner that refuses pages after the last',
    async (count, sick, found) => {
      add(count);
      const ids = sick.map((place) => [...partner.cases.keys()][place] ?? '');
      failAt(({ page, size }, given) => {
        if (ids.some((id) => given.includes(id))) return failed(500);
        return size > 50 ? refused(400) : page > 1 && given.length === 0 ? refused(404) : null;
      });
      const incomplete =
        sick.length === 0 ? null : { reason: 'missing', seen: found, total: count };
      expect(await pullOnce()).toMatchObject({ pulled: found, incomplete });
      expect(await missing()).toBe(sick.length);
    },
  );

  it('finds the records around a sick one at a partner that caps pages', async () => {
    partner.pageSizeMax = 50;
    add(230);
    const sick = [...partner.cases.keys()][60] ?? '';
    failAt((_query, ids) => (ids.includes(sick) ? failed(500) : null));
    expect(await pullOnce()).toMatchObject({ incomplete: { reason: 'missing', seen: 229 } });
    expect(await missing()).toBe(1);
  });

  it('owes what is missing also after a reading that met a busy partner', async () => {
    add(200);
    add(30);
    const sick = [...partner.cases.keys()][77] ?? '';
    const heal = failAt((_query, ids) => (ids.includes(sick) ? failed(500) : null));
    await pullOnce();
    clock.skip(3_600_000);
    heal();
    // The record stays sick, and something changes at each page.
    const busy = failAt((_query, ids) => {
      partner.change([...partner.cases.keys()].at(-1) ?? '', {
        expertComment: String(clock.now()),
      });
      clock.skip(1000);
      return ids.includes(sick) ? failed(500) : null;
    });
    expect((await pullOnce()).incomplete).not.toBeNull();
    busy();
    failAt((_query, ids) => (ids.includes(sick) ? failed(500) : null));
    expect((await pullOnce()).incomplete).not.toBeNull();
    expect(await missing()).toBe(1);
  });

  it('reads changes alone from a gateway that has not read its whole list', async () => {
    add(5);
    const client = partner.createClient();
    const missed = { reason: 'missing', seen: 5, total: 6 } as const;
    const asked: (string | undefined)[] = [];
    partner.createClient = () => ({
      ...client,
      listCases: async (query) => {
        asked.push(query.lastChangedSince);
        const { value, ...answered } = await client.listCases(query);
        return { ...answered, value: { ...value, incomplete: missed } };
      },
    });
    expect(await pullOnce()).toMatchObject({ incomplete: missed });
    asked.length = 0;
    add(1);
    expect(await pullOnce()).toMatchObject({ incomplete: missed });
    expect(asked).not.toContain(undefined);
    expect(await missing()).toBe(0);
  });

  it('notices a restored partner with the reading of the whole list, too', async () => {
    add(5);
    const backup = partner.backup();
    add(2);
    await pullOnce();
    clock.skip(60_000);
    partner.restore(backup);
    const ends: (string | null)[] = [];
    const opened = store.open();
    const client = partner.createClient();
    await pull({
      store: {
        begin: () => opened.begin(),
        asked: () => opened.asked(),
        savePage: (received, reading) => opened.savePage(received, reading),
        seen: () => opened.seen(),
        end(end) {
          ends.push(end.restoredTo);
          return opened.end(end);
        },
      },
      serverNow: () => client.serverNow(),
      read: async (query) => {
        const answered = await client.listCases(query);
        const items = answered.value.items.map((item) => store.item(item));
        return { ...answered, value: { ...answered.value, items } };
      },
      everything: true,
    });
    const highest = [...partner.cases.values()].map(({ lastChangedAt }) => lastChangedAt).sort();
    expect(ends).toEqual([highest.at(-1)]);
  });

  it('does not call a list whole again after a reading of everything that missed something', async () => {
    add(30);
    add(5);
    await pullOnce();
    const sick = [...partner.cases.keys()][7] ?? '';
    failAt((_query, ids) => (ids.includes(sick) ? failed(500) : null));
    expect(await pullOnce(true)).toMatchObject({ incomplete: { reason: 'missing' } });
    add(1);
    expect(await pullOnce()).toMatchObject({ incomplete: { reason: 'missing' } });
    expect(await missing()).toBe(0);
  });

  it('counts a list by its last whole reading while something is owed, and reads changes once', async () => {
    add(30);
    await pullOnce();
    const sick = [...partner.cases.keys()][7] ?? '';
    failAt((_query, ids) => (ids.includes(sick) ? failed(500) : null));
    // It is among the changes, too.
    partner.change(sick, { expertComment: 'a' });
    clock.skip(60_000);
    const incomplete = { reason: 'missing', seen: 29, total: 30 };
    expect(await pullOnce()).toMatchObject({ incomplete });
    const asked: (string | undefined)[] = [];
    failAt(({ lastChangedSince }, ids) => {
      asked.push(lastChangedSince);
      return ids.includes(sick) ? failed(500) : null;
    });
    for (let n = 0; n < 2; n += 1) {
      partner.addCase();
      clock.skip(600_000);
      expect(await pullOnce()).toMatchObject({ incomplete });
    }
    // From another cursor each time, from none of them twice.
    const [first, last] = [asked[0], asked.at(-1)];
    expect(Date.parse(last ?? '') - Date.parse(first ?? '')).toBeGreaterThan(300_000);
    expect(await missing()).toBe(1);
  });

  it('asks a partner that fails at everything a few times, and says its failure', async () => {
    add(230);
    const heal = failAt(() => failed(500));
    await expect(pullOnce()).rejects.toMatchObject({ problem: { code: 'server_failed' } });
    expect(partner.requests.length).toBeLessThan(10);
    heal();
    const problem = new DeskError('connection_lost', { host: 'partner' });
    failAt(() => problem);
    const before = partner.requests.length;
    await expect(pullOnce()).rejects.toBe(problem);
    expect(partner.requests.length - before).toBe(1);
  });

  it('ends at a page after the last that the partner refuses', async () => {
    add(3);
    const client = partner.createClient();
    const refusing = {
      ...client,
      listCases: (query: Parameters<typeof client.listCases>[0]) => {
        if (query.page === 1) return client.listCases(query);
        const params = { title: 'not_found', status: 404, detail: '', correlationId: '' };
        return Promise.reject(new DeskError('server_refused', params));
      },
    };
    partner.createClient = () => refusing;
    expect(await pullOnce()).toMatchObject({ pulled: 3, incomplete: null });
  });
});

// Neither store has a part in it, and a thousand pages are many.
it('a pull ends if every page brings something new', async () => {
  const clock = createEagerClock();
  const partner = new FakePartner(clock);
  const store = openCacheStore(clock);
  onTestFinished(() => store.close());
  const client = partner.createClient();
  const result = await pull({
    store: store.open(),
    serverNow: () => client.serverNow(),
    async read({ page }) {
      const one = partner.addCase({ externalKey: String(page) });
      const answered = await client.getCase(one.id);
      const value = { total: 1e9, size: 1, items: [store.item(one)], unreadable: [] };
      return { ...answered, value };
    },
  });
  expect(result.incomplete).toMatchObject({ reason: 'endless' });
});
