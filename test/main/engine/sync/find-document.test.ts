import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { findDocument } from '#main/engine/sync/find-document.ts';

type Search = Parameters<typeof findDocument>[0];
type Page = Awaited<ReturnType<Search['read']>>;

const refusedPage = (status: number) =>
  new DeskError('server_refused', { title: 'Not Found', status });

interface List {
  /**
   * The documents of the submission, one on a page, or several with `+`; one that ends with `?`
   * cannot be read.
   */
  readonly names: readonly string[];
  /** What the server says; the true number if it is absent. */
  readonly total?: number;
  /** What is thrown for a page after the last; an empty page if it is absent. */
  readonly afterLast?: Error;
  /** The last page that the server gives; it gives this one again for each later number. */
  readonly lastPage?: number;
}

/** A submission at the server, and the pages that were asked for. */
function listOf({ names, total = names.length, afterLast, lastPage = Infinity }: List) {
  const asked: number[] = [];
  const read: Search['read'] = ({ page, size }) => {
    asked.push(page);
    expect(size).toBe(1);
    const name = names[Math.min(page, lastPage) - 1];
    if (name === undefined && page > 1 && afterLast) return Promise.reject(afterLast);
    const ids = name === undefined ? [] : name.split('+');
    const items = ids.filter((id) => !id.endsWith('?')).map((id) => ({ id }));
    const unreadable = ids.filter((id) => id.endsWith('?')).map((id) => ({ id, place: 'Size' }));
    // Other values of the answer are not looked at.
    return Promise.resolve({ value: { items, unreadable, total } } as unknown as Page);
  };
  return { read, asked };
}

/** Searches `wanted`. @returns the id of what was found, or what was thrown */
async function search(list: List, known = 0) {
  const { read, asked } = listOf(list);
  const found = await findDocument({
    read,
    known,
    matches: ({ id }) => id === 'wanted',
    proofOf: (_, { id }) => ({ serverId: id }) as Awaited<ReturnType<Search['proofOf']>>,
  }).then(
    (proof) => proof && proof.serverId,
    (error: unknown) => error,
  );
  return { found, asked };
}

const endless = { code: 'answer_invalid', params: { operation: 'X12', detail: 'Total' } };
const unreadable = { code: 'answer_invalid', params: { operation: 'X12', detail: 'Size' } };

describe('a document is found', () => {
  it('in any place, from the last to the second after the first', async () => {
    expect(await search({ names: ['wanted', 'b', 'c'] })).toEqual({ found: 'wanted', asked: [1] });
    expect(await search({ names: ['a', 'b', 'wanted'] })).toEqual({
      found: 'wanted',
      asked: [1, 3],
    });
    expect(await search({ names: ['a', 'wanted', 'c', 'd'] })).toEqual({
      found: 'wanted',
      asked: [1, 4, 3, 2],
    });
  });

  it('if Total is too high and the page after the last is empty', async () => {
    const { found } = await search({ names: ['a', 'b', 'wanted'], total: 9 });
    expect(found).toBe('wanted');
  });

  test.each([400, 404, 416, 422])('if Total is too high and a %i is after the last', async (by) => {
    const list = { names: ['a', 'b', 'wanted'], total: 9, afterLast: refusedPage(by) };
    expect((await search(list)).found).toBe('wanted');
  });

  it('also beside one that cannot be read', async () => {
    expect((await search({ names: ['a?', 'wanted', 'c'] })).found).toBe('wanted');
  });

  it('if pages are longer than asked for and share a document', async () => {
    const { found } = await search({ names: ['a+b', 'b+c', 'c+wanted'], total: 9 });
    expect(found).toBe('wanted');
  });

  it('wherever it is, and not if it is not there', async () => {
    const others = fc.uniqueArray(fc.integer({ min: 0, max: 99 }).map(String), { maxLength: 20 });
    const ends = fc.constantFrom({}, { afterLast: refusedPage(404) });
    await fc.assert(
      fc.asyncProperty(others, fc.nat(20), fc.nat(5), ends, async (names, place, surplus, end) => {
        const total = names.length + surplus;
        const { found, asked } = await search({ names, total, ...end });
        expect(found).toBeNull();
        expect(asked.length).toBeLessThanOrEqual(names.length + 3);
        const withIt = names.toSpliced(place, 0, 'wanted');
        expect((await search({ names: withIt, total: total + 1, ...end })).found).toBe('wanted');
      }),
    );
  });
});

describe('a document is not there', () => {
  it('if there is none, or if the report has delivered all that there are', async () => {
    expect(await search({ names: [] })).toEqual({ found: null, asked: [1] });
    expect(await search({ names: ['a', 'b'] }, 2)).toEqual({ found: null, asked: [1] });
    expect(await search({ names: ['a', 'b', 'c'] }, 2)).toEqual({ found: null, asked: [1, 3, 2] });
  });
});

describe('a document may be there', () => {
  it('if one of them cannot be read', async () => {
    expect((await search({ names: ['a', 'b?', 'c'] })).found).toMatchObject(unreadable);
    expect((await search({ names: ['a', 'b?', 'c'], total: 5 })).found).toMatchObject(unreadable);
  });

  it('if each page is the same', async () => {
    const { found, asked } = await search({ names: ['a'], total: 5, lastPage: 1 });
    expect(found).toMatchObject(endless);
    expect(asked).toEqual([1, 5, 2]);
  });

  it('if the pages behind the second repeat it', async () => {
    const { found, asked } = await search({ names: ['a', 'b'], total: 5, lastPage: 2 });
    expect(found).toMatchObject(endless);
    expect(asked).toEqual([1, 5, 4, 2, 3]);
  });

  it('if the list is far longer than the report', async () => {
    const names = Array.from({ length: 200 }, (_, place) => String(place));
    const { found, asked } = await search({ names }, 2);
    expect(found).toMatchObject(endless);
    // The documents of the report and thirty others, each read twice.
    expect(asked).toHaveLength(64);
  });

  test.each([
    ['the first page is refused', { names: [], afterLast: refusedPage(404) }, true],
    ['a page fails', { names: ['a'], total: 3, afterLast: refusedPage(403) }, false],
  ])('if %s', async (_, list, isFirst) => {
    const { read } = listOf(list);
    const found = findDocument({
      read: (page) => (isFirst ? Promise.reject(list.afterLast) : read(page)),
      known: 0,
      matches: () => false,
      proofOf: () => {
        throw new Error('nothing was found');
      },
    });
    await expect(found).rejects.toBe(list.afterLast);
  });
});
