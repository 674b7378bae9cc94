import { describe, expect, it } from 'vitest';
import {
  readPageOrParts,
  type KnownOfList,
  type PageQuery,
  type ReadListPage,
} from '#main/partner/pull/page-parts.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';

const place = { host: 'partner.example' };
const refusal = { title: 'no', detail: '', correlationId: '' };
const failed = (status: number) => new DeskError('server_failed', { ...refusal, status });
const refused = (status: number) => new DeskError('server_refused', { ...refusal, status });

/** The failure of the items from a position to another one, if they fail. */
type Fails = (from: number, to: number) => Error | null;

/** A partner with that many items, which are their positions. */
function listOf(count: number, fails: Fails, totalOf = (_items: number) => count) {
  const asked: PageQuery[] = [];
  const read: ReadListPage<number> = (query) => {
    asked.push(query);
    const from = (query.page - 1) * query.size;
    const to = Math.min(count, from + query.size);
    const error = fails(from, from + query.size);
    if (error) return Promise.reject(error);
    const items = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
    return Promise.resolve({
      value: { total: totalOf(items.length), size: query.size, items, unreadable: [] },
      status: 200,
      correlationId: String(asked.length),
      serverDateMs: asked.length,
    });
  };
  /** Reads a page; the parts that it was read in, as `from+size`. */
  const readPage = async (page = 1, known: Partial<KnownOfList> = {}) => {
    const query = { lastChangedSince: 'then', page, size: 200 };
    const list = { pageLength: 200, total: null, isPastEnd: false, ...known };
    return await readPageOrParts(read, query, list);
  };
  const parts = () => asked.slice(1).map(({ page, size }) => `${(page - 1) * size}+${size}`);
  return { asked, parts, readPage };
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
/** Each of these items fails every page that it is on. */
const sick =
  (...places: readonly number[]): Fails =>
  (from, to) =>
    places.some((at) => at >= from && at < to) ? failed(500) : null;
/** Pages above this size fail. */
const above =
  (size: number, error: Error = failed(500)): Fails =>
  (from, to) =>
    to - from > size ? error : null;

it('a page that is answered is read in one request', async () => {
  const list = listOf(3, () => null);
  expect(await list.readPage()).toMatchObject({ isInParts: false, value: { items: [0, 1, 2] } });
  expect(list.asked).toEqual([{ lastChangedSince: 'then', page: 1, size: 200 }]);
});

describe('a page that fails', () => {
  const invalid = new DeskError('answer_invalid', { operation: 'X1', detail: '' });
  it.each([
    failed(500),
    failed(504),
    refused(413),
    refused(400),
    refused(404),
    refused(416),
    refused(422),
    new DeskError('answer_too_large', { ...place, maxMegabytes: 16 }),
    invalid,
    new DeskError('answer_foreign', { ...place, status: 404, found: 'text/html' }),
  ])('is read in parts: %s', async (error) => {
    const list = listOf(150, above(100, error));
    expect(await list.readPage()).toMatchObject({ isInParts: true, value: { items: upTo(150) } });
    expect(list.asked).toEqual(
      [
        [1, 200],
        [1, 100],
        [2, 100],
      ].map(([page, size]) => ({ lastChangedSince: 'then', page, size })),
    );
  });

  it.each([
    failed(502),
    failed(503),
    refused(403),
    refused(409),
    new DeskError('answer_foreign', { ...place, status: 413, found: 'text/html' }),
    new DeskError('connection_lost', place),
    new Error('a fault of the program'),
  ])('fails if a smaller one would, too: %s', async (error) => {
    const list = listOf(150, above(100, error));
    await expect(list.readPage()).rejects.toBe(error);
    expect(list.asked).toHaveLength(1);
    // The same is true of a part.
    const inPart = listOf(150, (from, to) => (to - from > 100 ? failed(500) : error));
    await expect(inPart.readPage()).rejects.toBe(error);
    expect(inPart.asked).toHaveLength(2);
  });

  it('after the last is refused, and not read in parts', async () => {
    const error = refused(404);
    const list = listOf(200, () => error);
    await expect(list.readPage(2, { isPastEnd: true, total: 200 })).rejects.toBe(error);
    expect(list.asked).toHaveLength(1);
    const failing = listOf(201, above(100));
    const found = await failing.readPage(2, { isPastEnd: true, total: 200 });
    expect(found.value.items).toEqual([200]);
  });
});

describe('the parts', () => {
  it('become smaller around a record that fails, which alone is left out', async () => {
    const list = listOf(230, sick(77));
    const { value } = await list.readPage();
    expect(value.items).toEqual(upTo(200).filter((at) => at !== 77));
    expect(list.parts()).toEqual([
      '0+100',
      '0+50',
      '50+50',
      '50+25',
      '75+25',
      '75+5',
      '75+1',
      '76+1',
      '77+1',
      '78+1',
      '79+1',
      '80+5',
      '85+5',
      '90+5',
      '95+5',
      '100+100',
    ]);
  });

  it.each([
    [50, '50+25'],
    [60, '60+5'],
    [7, '7+1'],
  ])('begin where the page began at a partner that caps pages at %i', async (pageLength, first) => {
    const list = listOf(400, above(pageLength - 1));
    const { value } = await list.readPage(2, { pageLength });
    expect(list.parts()[0]).toBe(first);
    expect(value.items).toEqual(upTo(2 * pageLength).slice(pageLength));
  });

  it('are one page, of the time of the first, with the highest Total and what is unreadable', async () => {
    let count = 0;
    const totals = [7, 9, 8, 9];
    const read: ReadListPage<string> = ({ size }) => {
      if (size === 200) return Promise.reject(failed(500));
      const number = count++;
      const bad = { id: `bad${number}`, place: '', json: null };
      const items = Array.from({ length: 99 }, () => `item${number}`);
      return Promise.resolve({
        value: { total: 1000 + (totals[number] ?? 0), size, items, unreadable: [bad] },
        status: 200 + number,
        correlationId: `id${number}`,
        serverDateMs: number,
      });
    };
    const known = { pageLength: 200, total: null, isPastEnd: false };
    const found = await readPageOrParts(read, { page: 1, size: 200 }, known);
    expect(found).toMatchObject({ status: 200, correlationId: 'id0', serverDateMs: 0 });
    const { items, unreadable, ...rest } = found.value;
    expect([rest, new Set(items), items.length]).toEqual([
      { total: 1009, size: 200 },
      new Set(['item0', 'item1']),
      198,
    ]);
    expect(unreadable.map(({ id }) => id)).toEqual(['bad0', 'bad1']);
  });

  it('end with a page that is empty, or not full and the last by its Total', async () => {
    for (const [count, parts] of [
      [10, ['0+50']],
      [50, ['0+50', '50+50']],
      [100, ['0+50', '50+50', '100+50']],
    ] as const) {
      const list = listOf(count, above(50), () => 0);
      await list.readPage();
      expect(list.parts().filter((part) => part.endsWith('+50'))).toEqual(parts);
    }
    // The partner counts more, so a short page is not the last.
    const short = listOf(60, above(50), () => 61);
    expect((await short.readPage()).value.items).toEqual(upTo(60));
    expect(short.parts().slice(-2)).toEqual(['100+100', '100+50']);
    const empty = listOf(60, above(50), () => 1000);
    await empty.readPage();
    expect(empty.parts().slice(-2)).toEqual(['100+100', '100+50']);
    const last = listOf(60, above(50));
    await last.readPage();
    expect(last.parts().slice(-1)).toEqual(['50+50']);
  });
});

describe('a server that fails as a whole', () => {
  it('is asked nine times, and its first failure counts', async () => {
    const errors: Error[] = [];
    const list = listOf(230, () => {
      const error = failed(500);
      errors.push(error);
      return error;
    });
    await expect(list.readPage()).rejects.toBe(errors[0]);
    expect(list.asked).toHaveLength(9);
  });

  it('is not one that fails at many records, with others between them', async () => {
    const places = upTo(200).filter((at) => at % 3 === 0);
    const { value } = await listOf(230, sick(...places)).readPage();
    expect(value.items).toEqual(upTo(200).filter((at) => at % 3 !== 0));
  });
});

describe('a partner that refuses pages after the last', () => {
  /** It fails at large pages. */
  const refusing =
    (count: number, error = refused(404)): Fails =>
    (from, to) =>
      to - from > 50 ? failed(500) : from >= count ? error : null;

  it('ends the parts', async () => {
    const list = listOf(100, refusing(100));
    expect((await list.readPage()).value.items).toEqual(upTo(100));
    expect(list.parts().slice(-1)).toEqual(['100+50']);
    // It stated the Total once, and none later.
    const forgetful = listOf(100, refusing(100), (items) =>
      forgetful.asked.length < 4 ? 100 : items,
    );
    expect((await forgetful.readPage()).value.items).toEqual(upTo(100));
  });

  it('refuses the page if it has no part', async () => {
    const error = refused(404);
    const list = listOf(200, refusing(200, error));
    await expect(list.readPage(2, { total: 200 })).rejects.toBe(error);
    expect(list.parts()).toEqual(['200+100', '200+50']);
  });

  it('fails at the page if it counts more, or has counted nothing', async () => {
    for (const total of [300, null]) {
      const whole: Error[] = [];
      const list = listOf(200, (from, to) => {
        const error = refusing(200)(from, to);
        if (error) whole.push(error);
        return error;
      });
      await expect(list.readPage(2, { total })).rejects.toBe(whole[0]);
      expect(list.asked).toHaveLength(9);
    }
  });

  it('may also refuse one before the last, of which the others are read', async () => {
    const fails =
      (place: number): Fails =>
      (from, to) =>
        to - from > 50 ? failed(500) : from <= place && place < to ? refused(400) : null;
    const list = listOf(150, fails(60));
    const without = (place: number) => upTo(150).filter((at) => at !== place);
    expect((await list.readPage()).value.items).toEqual(without(60));
    // It stated the Total of the list before, and counts the page alone now.
    const ofPage = listOf(150, fails(110), (items) => items);
    expect((await ofPage.readPage(1, { total: 150 })).value.items).toEqual(without(110));
  });
});
