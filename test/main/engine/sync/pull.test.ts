import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientCase } from '#main/partner/answers/answers.ts';
import { cursorValue } from '#main/engine/sync/pull.ts';
import { smokeOrLong } from '../../../support/long.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
beforeEach(async () => {
  desk = await TestDesk.open();
});
afterEach(() => desk.remove());

const minute = 60_000;

const byChange = (items: ClientCase[]) =>
  items.toSorted((a, b) => a.lastChangedAt.localeCompare(b.lastChangedAt));

const orders = [
  'change',
  'change-descending',
  'created',
  'created-descending',
  'id',
  'shuffled',
] as const;

/** By one field; records that are alike in it stand in the order in which they were made. */
function inOrder(items: ClientCase[], order: (typeof orders)[number]): ClientCase[] {
  if (order === 'id') return items.toSorted((a, b) => a.id.localeCompare(b.id));
  const sorted = order.startsWith('created')
    ? items.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    : byChange(items);
  return order.endsWith('descending') ? sorted.reverse() : sorted;
}

function addCases(count: number): string[] {
  return Array.from({ length: count }, () => desk.partner.addCase().id);
}

describe('Sync procedure', () => {
  it('1: the first run asks without a filter, later ones from the cursor', async () => {
    addCases(3);
    const asked: { since: string | undefined; page: number }[] = [];
    await desk.restartWith((client) => ({
      listCases: (query, options) => {
        asked.push({ since: query.lastChangedSince, page: query.page });
        return client.listCases(query, options);
      },
    }));
    expect(await desk.sync.pull()).toBe(3);
    const highest = byChange([...desk.partner.cases.values()]).at(-1)?.lastChangedAt;
    expect(await desk.sync.pull()).toBe(1);
    // Some minutes overlap: a record may become visible after its LastChangedAt.
    const since = new Date(Date.parse(highest ?? '') - 5 * minute).toISOString();
    // The second page is empty: no page is believed to be the last one.
    expect(asked).toEqual([
      { since: undefined, page: 1 },
      { since: undefined, page: 2 },
      { since, page: 1 },
      { since, page: 2 },
    ]);
  });

  it('2: a boundary item that reappears changes nothing', async () => {
    addCases(2);
    await desk.sync.pull();
    desk.events.length = 0;
    await desk.sync.pull();
    expect(desk.events.filter(({ type }) => type === 'cases.changed')).toEqual([]);
  });

  it('continues where a crash left it', async () => {
    addCases(5);
    desk.clock.skip(minute);
    desk.partner.pageSizeMax = 2;
    let requests = 0;
    desk.partner.fault = () => {
      requests += 1;
      return requests === 3 ? 'refused' : 'none';
    };
    await expect(desk.sync.pull()).rejects.toMatchObject({ code: 'connection_refused' });
    expect(desk.cache.cases.count()).toBe(4);
    await desk.restart();
    expect(await desk.sync.pull()).toBe(1);
    expect(desk.cache.cases.count()).toBe(5);
    expect(desk.cache.values.get(cursorValue)).not.toBeNull();
  });

  it('an answer that fails leaves cache and cursor as they were', async () => {
    addCases(2);
    await desk.sync.pull();
    const cursor = desk.cache.values.get(cursorValue);
    desk.partner.fault = () => 'busy';
    await expect(desk.sync.pull()).rejects.toMatchObject({ code: 'server_failed' });
    expect(desk.cache.values.get(cursorValue)).toBe(cursor);
    expect(desk.cache.cases.count()).toBe(2);
  });
});

describe('a partner whose LastChangedAt', () => {
  const sentinel = '9999-12-31T23:59:59.999Z';
  const cursorMs = () => Date.parse(desk.cache.values.get(cursorValue) ?? '');
  const notices = () => desk.sync.status().notices;

  it.each([200, 2])(
    'is far in the future (pages of %i): the cases are here, and later changes still come',
    async (pageSize) => {
      const [id = '', ahead = ''] = addCases(5);
      for (const [number, caseId] of [...desk.partner.cases.keys()].slice(1, 3).entries()) {
        const found = desk.partner.cases.get(caseId);
        if (!found) throw new Error('no such case');
        const lastChangedAt = number === 0 ? sentinel : '+275760-09-13T00:00:00.000Z';
        desk.partner.cases.set(caseId, { ...found, lastChangedAt });
      }
      desk.clock.skip(10 * minute);
      desk.partner.pageSizeMax = pageSize;
      await desk.sync.pull();
      expect(desk.cache.cases.count()).toBe(5);
      expect(cursorMs()).toBeLessThanOrEqual(desk.clock.now());
      expect(notices()).toMatchObject([{ code: 'case_time_ahead', params: { count: 2 } }]);
      expect(desk.cache.list({}).items.map((item) => item.id)).toContain(ahead);

      desk.clock.skip(10 * minute);
      desk.partner.change(id, { expertComment: 'later' });
      // The partner mends its data: a real moment again, before the one that is stored.
      desk.partner.change(ahead, { expertComment: 'mended' });
      await desk.sync.pull();
      expect(desk.cache.cases.find(id)?.expertComment).toBe('later');
      expect(desk.cache.cases.find(ahead)?.expertComment).toBe('mended');
      expect(notices()).toMatchObject([{ code: 'case_time_ahead', params: { count: 1 } }]);
    },
  );

  it('was taken for the cursor by an earlier version: everything is read again', async () => {
    const [id = ''] = addCases(2);
    desk.clock.skip(minute);
    desk.cache.values.set(cursorValue, sentinel);
    await desk.sync.pull();
    expect(desk.cache.cases.find(id)).not.toBeNull();
    expect(cursorMs()).toBeLessThanOrEqual(desk.clock.now());
  });

  it('is earlier than the moment at which a record can be seen: it comes all the same', async () => {
    const [late = ''] = addCases(1);
    desk.clock.skip(3000);
    addCases(1);
    desk.partner.order = (items) => items.filter(({ id }) => id !== late);
    await desk.sync.pull();
    expect(desk.cache.cases.find(late)).toBeNull();
    desk.partner.order = (items) => items;
    expect(await desk.sync.pull()).toBe(2);
    expect(desk.cache.cases.find(late)).not.toBeNull();
  });

  it('was forgotten: a round without a schedule reads everything once a day, too', async () => {
    const older = desk.partner.addCase();
    desk.clock.skip(10 * minute);
    addCases(1);
    const round = () => desk.sync.run({ documents: 'none' });
    await round();
    desk.partner.cases.set(older.id, { ...older, expertComment: 'missed' });
    desk.clock.skip(23 * 60 * minute);
    await round();
    expect(desk.cache.cases.find(older.id)?.expertComment).toBe('');
    desk.clock.skip(2 * 60 * minute);
    await round();
    expect(desk.cache.cases.find(older.id)?.expertComment).toBe('missed');
  });
});

describe('a walk over several pages', () => {
  it('is walked again when a case slipped past because another one moved', async () => {
    const ids = addCases(6);
    desk.partner.pageSizeMax = 2;
    desk.partner.order = byChange;
    desk.partner.afterPage = () => {
      desk.partner.afterPage = () => undefined;
      // The first one moves to the end, so the third slips onto the page that was read.
      desk.partner.change(ids[0] ?? '', { expertComment: 'moved' });
    };
    await desk.sync.pull();
    expect(desk.cache.cases.count()).toBe(6);
    expect(desk.cache.cases.find(ids[0] ?? '')?.expertComment).toBe('moved');
  });

  it('is walked again if the list got shorter, although every case of its last count was seen', async () => {
    const ids = addCases(6);
    desk.clock.skip(minute);
    desk.partner.pageSizeMax = 2;
    desk.partner.afterPage = () => {
      desk.partner.afterPage = () => undefined;
      // Taken from the expert: nothing lists it as a change, and the third slips past.
      desk.partner.cases.delete(ids[0] ?? '');
    };
    await desk.sync.pull();
    expect(ids.map((id) => desk.cache.cases.find(id)?.id)).toEqual(ids);
  });

  it('is walked again for a change within the second by which the server’s time may be wrong', async () => {
    const ids = addCases(6);
    desk.clock.skip(minute);
    await desk.restartWith((client) => ({
      serverNow: () => client.serverNow() + 900,
      async listCases(query, options) {
        const answered = await client.listCases(query, options);
        return { ...answered, serverDateMs: (answered.serverDateMs ?? 0) + 1000 };
      },
    }));
    desk.partner.pageSizeMax = 2;
    desk.partner.order = byChange;
    desk.partner.afterPage = () => {
      desk.partner.afterPage = () => undefined;
      desk.clock.skip(100);
      // One is taken away and another comes: the count is right, and the third slips past.
      desk.partner.cases.delete(ids[0] ?? '');
      addCases(1);
    };
    await desk.sync.pull();
    expect(ids.map((id) => desk.cache.cases.find(id)?.id)).toEqual(ids);
  });

  it('loses nothing, for any changes between its pages and any order of the list', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          cases: fc.integer({ min: 1, max: 12 }),
          pageSize: fc.integer({ min: 1, max: 4 }),
          order: fc.constantFrom(...orders),
          /** In whole seconds many records share their LastChangedAt. */
          resolutionMs: fc.constantFrom(1, 1000),
          /** Time between two pages. */
          pageMs: fc.constantFrom(0, 700, 5000),
          /** Per answered page: which case changes then, if any. */
          changes: fc.array(fc.option(fc.nat({ max: 11 })), { maxLength: 30 }),
          seed: fc.nat(),
        }),
        async ({ cases, pageSize, order, resolutionMs, pageMs, changes, seed }) => {
          const local = await TestDesk.open();
          try {
            const { partner } = local;
            partner.resolutionMs = resolutionMs;
            const ids = Array.from({ length: cases }, () => partner.addCase().id);
            partner.pageSizeMax = pageSize;
            const random = createSeededRandom(seed);
            partner.order = (items) => {
              if (order !== 'shuffled') return inOrder(items, order);
              const keys = new Map(items.map(({ id }) => [id, random.fraction()]));
              return items.toSorted((a, b) => (keys.get(a.id) ?? 0) - (keys.get(b.id) ?? 0));
            };
            const coming = [...changes];
            let version = 0;
            partner.afterPage = () => {
              const index = coming.shift() ?? null;
              local.clock.skip(pageMs);
              const id = index === null ? undefined : ids[index];
              version += 1;
              if (id !== undefined) partner.change(id, { expertComment: String(version) });
            };
            // Rounds go on as they do on a laptop; once the server stands still, one more settles.
            for (let round = 0; coming.length > 0 && round < 40; round += 1)
              await local.sync.pull();
            if (order === 'shuffled') partner.order = byChange;
            await local.sync.pull();
            for (const { id, expertComment, lastChangedAt } of partner.cases.values()) {
              expect(local.cache.cases.find(id)).toMatchObject({ expertComment, lastChangedAt });
            }
          } finally {
            await local.remove();
          }
        },
      ),
      { numRuns: smokeOrLong(20, 300) },
    );
  });
});
