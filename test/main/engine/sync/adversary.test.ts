import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { SyncResult } from '#shared/desk/delivery/sync.ts';
import type { ClientCase } from '#main/partner/answers/answers.ts';
import { refusal } from '../../../support/partner/faulty-line.ts';
import { TestDesk } from '../support/test-desk.ts';

/* What servers do on their bad days, one story each: nothing is lost, doubled or called what it is not. */

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
let desk: TestDesk;
beforeEach(async () => {
  desk = await TestDesk.open();
});
afterEach(() => desk.remove());

const file = { name: 'a.txt', content: 'aaa' };
const row = (id: number) => desk.work.outbox.rows.get(id);
const sent = (operation: string) => desk.partner.requests.filter((one) => one === operation).length;
const sync = (): Promise<SyncResult | null> =>
  desk.sync.run({ documents: 'none' }).catch(() => null);
/** Rounds as a desk makes them that stays open. */
async function rounds(count: number, minutes = 5): Promise<SyncResult | null> {
  let last: SyncResult | null = null;
  for (let round = 0; round < count; round += 1) {
    last = await sync();
    desk.clock.skip(minutes * minuteMs);
  }
  return last;
}
/** Changes the answers of some operations. */
function answer(...rules: readonly (readonly [string, (value: never) => object | null])[]): void {
  desk.partner.distort = (operation, value) => {
    let changed: unknown = value;
    // The rule knows the answer of its operation.
    for (const [of, rule] of rules) if (of === operation) changed = rule(changed as never);
    return changed as typeof value;
  };
}
const honest = () => {
  desk.partner.distort = (_operation, value) => value;
  desk.partner.fault = () => 'none';
};
const add = (count: number) =>
  Array.from({ length: count }, () => {
    desk.clock.skip(10 * minuteMs);
    return desk.partner.addCase().id;
  });
const isHere = (id: string) =>
  desk.cache.cases.find(id)?.lastChangedAt === desk.partner.cases.get(id)?.lastChangedAt;
interface Page {
  readonly items: readonly ClientCase[];
  readonly total: number;
}

describe('a list', () => {
  it.each([
    ['by seven cases', 7, 'finds all'],
    ['by a page against the reader', 35, 'misses some'],
  ])('that turns %s at each request is never called read', async (_, step, found) => {
    const ids = add(45);
    desk.partner.pageSizeMax = 10;
    let turn = 0;
    desk.partner.order = (items) => {
      turn += 1;
      const shift = (turn * step) % items.length;
      return [...items.slice(shift), ...items.slice(0, shift)];
    };
    const rounds: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const result = await sync();
      const isRead = result?.incomplete === null;
      rounds.push(isRead ? 'is read' : ids.every(isHere) ? 'finds all' : 'misses some');
    }
    expect(rounds).toEqual(Array.from({ length: 4 }, () => found));
    desk.partner.order = (items) => items;
    expect(await sync()).toMatchObject({ incomplete: null });
    expect(ids.every(isHere)).toBe(true);
  });

  it('of which a cache gives the first page in the place of the second', async () => {
    const ids = add(25);
    desk.partner.pageSizeMax = 10;
    let first: Page | null = null;
    let pages = 0;
    answer([
      'X1',
      (page: Page) => {
        pages += 1;
        first ??= page;
        return pages % 2 === 0 ? first : page;
      },
    ]);
    expect((await sync())?.incomplete).not.toBeNull();
    honest();
    expect(await sync()).toMatchObject({ incomplete: null });
    expect(ids.every(isHere)).toBe(true);
  });

  it('that writes ids in capitals at times has no case twice, and its acts arrive', async () => {
    const guid = 'd0b2c8b6-2c43-4a1a-63a8-08d9f9c1f0a5';
    desk.partner.addCase({ id: guid, externalKey: 'G' });
    await sync();
    desk.clock.skip(10 * minuteMs);
    desk.partner.change(guid, { expertComment: 'seen' });
    answer([
      'X1',
      (page: Page) => ({
        ...page,
        items: page.items.map((one) => ({ ...one, id: one.id.toUpperCase() })),
      }),
    ]);
    await sync();
    expect(desk.cache.cases.count()).toBe(1);
    expect(desk.cache.cases.find(guid)?.expertComment).toBe('seen');
    const id = desk.queueComment(guid, 'mine');
    await rounds(2);
    expect(row(id).state).toBe('delivered');
  });

  it('that writes its times with an offset and seven digits is read on from there', async () => {
    const inZurich = (at: string) =>
      new Date(Date.parse(at) + 120 * minuteMs).toISOString().replace('Z', '1234+02:00');
    const ids = add(5);
    answer([
      'X1',
      (page: Page) => ({
        ...page,
        items: page.items.map((one) => ({ ...one, lastChangedAt: inZurich(one.lastChangedAt) })),
      }),
    ]);
    await sync();
    desk.partner.change(ids[0] ?? '', { expertComment: 'new' });
    const before = sent('X1');
    expect(await sync()).toMatchObject({ incomplete: null });
    expect(sent('X1') - before).toBeLessThanOrEqual(3);
    expect(desk.cache.cases.find(ids[0] ?? '')?.expertComment).toBe('new');
  });

  it('whose Total counts everything, also what the filter leaves out, is known as read', async () => {
    const ids = add(30);
    answer(['X1', (page: Page) => ({ ...page, total: desk.partner.cases.size })]);
    await sync();
    desk.clock.skip(60 * minuteMs);
    desk.partner.change(ids[3] ?? '', { expertComment: 'new' });
    await rounds(1);
    expect(isHere(ids[3] ?? '')).toBe(true);
    expect((await rounds(1))?.incomplete).toBeNull();
    const before = sent('X1');
    expect((await rounds(1))?.incomplete).toBeNull();
    expect(sent('X1') - before).toBeLessThan(15);
  });

  it('that does not move LastChangedAt is read again whole, and the change is taken', async () => {
    const [id = ''] = add(3);
    await sync();
    const before = desk.partner.cases.get(id);
    if (before) desk.partner.cases.set(id, { ...before, expertComment: 'careless' });
    desk.clock.skip(dayMs + minuteMs);
    await rounds(2);
    expect(desk.cache.cases.find(id)?.expertComment).toBe('careless');
  });

  it('that has a case many times keeps its newest state', async () => {
    const [id = ''] = add(2);
    answer([
      'X1',
      (page: Page) => ({
        ...page,
        total: page.items.length + 3,
        items: [
          ...page.items,
          ...[1, 2, 3].flatMap((days) =>
            page.items.slice(0, 1).map((one) => ({
              ...one,
              expertComment: 'old',
              lastChangedAt: new Date(Date.parse(one.lastChangedAt) - days * dayMs).toISOString(),
            })),
          ),
        ],
      }),
    ]);
    await rounds(3);
    expect(isHere(id)).toBe(true);
    expect(desk.cache.cases.find(id)?.expertComment).not.toBe('old');
  });

  it('that is refused, and every case is listed without a body: deliveries go out', async () => {
    const ids = add(3);
    await sync();
    const acts = ids.map((id) => desk.queueComment(id, 'x'));
    await desk.restartWith((client) => ({
      ...client,
      listCases: () =>
        Promise.reject(new DeskError('answer_invalid', { operation: 'X1', detail: 'Total' })),
    }));
    const result = await sync();
    expect(result?.incomplete).toMatchObject({ code: 'answer_invalid' });
    expect(acts.map((id) => row(id).state)).toEqual(acts.map(() => 'delivered'));
  });
});

describe('a reading', () => {
  it('from a replica that is a minute behind disputes nothing for good', async () => {
    const [caseId = ''] = add(1);
    await sync();
    const behind = structuredClone(desk.partner.cases.get(caseId));
    const id = desk.queueComment(caseId, 'mine');
    answer(
      ['X2', () => behind ?? {}],
      [
        'X1',
        (page: Page) => ({
          ...page,
          items: page.items.map((one) => (one.id === caseId && behind ? behind : one)),
        }),
      ],
    );
    await sync();
    honest();
    await rounds(3);
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.effects.filter(({ kind }) => kind === 'comment')).toHaveLength(1);
  });

  it('of a report that a replica shows as a draft for a minute disputes nothing for good', async () => {
    const [caseId = ''] = add(1);
    const id = await desk.queueReport(caseId, 'report', [file]);
    interface Reports {
      readonly items: readonly { status: string }[];
    }
    answer([
      'X10',
      (page: Reports) => ({
        ...page,
        items: page.items.map((one) => ({ ...one, status: 'Draft' })),
      }),
    ]);
    await sync();
    honest();
    await rounds(3);
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted' }]);
  });

  it('of lists that are 404 where there is nothing to list leaves the case where it is', async () => {
    const [caseId = ''] = add(1);
    desk.partner.fault = (operation) => {
      const isEmpty = operation === 'X6' || desk.partner.submissions.length === 0;
      if ((operation === 'X6' || operation === 'X10') && isEmpty) throw refusal('not_found', 404);
      return 'none';
    };
    await desk.sync.run({ documents: 'all' });
    await desk.sync.readReports(caseId, 'person').catch(() => undefined);
    expect(desk.cache.cases.find(caseId)?.goneReason).toBeNull();
    const id = await desk.queueReport(caseId, 'first', [file]);
    await rounds(3);
    expect(row(id).state).toBe('delivered');
    expect(desk.cache.cases.find(caseId)?.goneReason).toBeNull();
  });

  it('of a case that cannot be read after its delivery costs few requests', async () => {
    const [caseId = '', other = ''] = add(2);
    await sync();
    const id = desk.queueAmounts(caseId, 100);
    await desk.restartWith((client) => ({
      getCase: (asked, options) =>
        asked === caseId
          ? Promise.reject(new DeskError('answer_invalid', { operation: 'X2', detail: 'x' }))
          : client.getCase(asked, options),
    }));
    const before = desk.partner.requests.length;
    await rounds(4);
    expect(desk.partner.requests.length - before).toBeLessThan(25);
    const healthy = desk.queueAmounts(other, 200);
    await rounds(1);
    expect(row(healthy).state).toBe('delivered');
    expect(['delivered', 'attention']).toContain(row(id).state);
  });

  it('of a comment that the partner escapes needs attention once, with both values', async () => {
    const [caseId = ''] = add(1);
    await sync();
    const id = desk.queueComment(caseId, 'Meier & Söhne');
    desk.partner.fault = (operation) => {
      const now = desk.partner.cases.get(caseId);
      if (operation !== 'X3' && now?.expertComment.includes('& '))
        desk.partner.cases.set(caseId, {
          ...now,
          expertComment: now.expertComment.replace('& ', '&amp; '),
        });
      return 'none';
    };
    await rounds(4);
    expect(row(id)).toMatchObject({
      state: 'attention',
      problem: {
        code: 'server_has_other',
        params: { sent: 'Meier & Söhne', found: 'Meier &amp; Söhne' },
      },
    });
    expect(sent('X3')).toBe(1);
  });

  it('of a text with other line ends and composed letters is no difference', async () => {
    const [caseId = ''] = add(1);
    await sync();
    const id = desk.queueComment(caseId, 'Zeile 1\nGelände ');
    desk.partner.fault = (operation) => {
      const now = desk.partner.cases.get(caseId);
      if (operation !== 'X3' && now?.expertComment.includes('Zeile'))
        desk.partner.cases.set(caseId, {
          ...now,
          expertComment: 'Zeile 1\r\nGelände'.normalize('NFD'),
        });
      return 'none';
    };
    await rounds(2);
    expect(row(id).state).toBe('delivered');
  });
});

describe('a report', () => {
  it('whose submission takes its time is submitted once, and not disputed', async () => {
    const [caseId = ''] = add(1);
    const id = await desk.queueReport(caseId, 'slow', [file]);
    let late = 3;
    const asDraft = <T extends { status: string }>(value: T): T =>
      value.status === 'Submitted' && late-- > 0 ? { ...value, status: 'Draft' } : value;
    answer(['X15', asDraft], ['X11', asDraft]);
    await rounds(4);
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.effects.filter(({ kind }) => kind === 'submit')).toHaveLength(1);
  });

  it('whose lost submission is still under way when it is repeated is not given up', async () => {
    const [caseId = ''] = add(1);
    const id = await desk.queueReport(caseId, 'under way', [file]);
    let tries = 0;
    desk.partner.fault = (operation) => {
      if (operation !== 'X15') return 'none';
      tries += 1;
      // The first is carried out late; until then a repetition meets it.
      if (tries === 1) return 'drop-before';
      if (tries === 2) throw refusal('Conflict', 409);
      return 'none';
    };
    await rounds(4);
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.effects.filter(({ kind }) => kind === 'submit')).toHaveLength(1);
  });

  it('that has another id once it is submitted does not go out twice', async () => {
    const [caseId = ''] = add(1);
    const id = await desk.queueReport(caseId, 'another id', [file]);
    desk.partner.distort = (operation, value) => {
      const submission = desk.partner.submissions.at(-1);
      if (operation === 'X15' && submission) {
        const documents = submission.documents.map((document) => ({ ...document }));
        const other = { ...submission, id: desk.partner.newId(), documents };
        for (const document of documents) Object.assign(document, { submissionId: other.id });
        desk.partner.submissions.splice(-1, 1, other);
      }
      return value;
    };
    await rounds(2);
    expect(row(id)).toMatchObject({ state: 'attention', problem: { code: 'report_not_listed' } });
    desk.work.outbox.retry(id);
    await rounds(2);
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions).toHaveLength(1);
    expect(desk.partner.effects.filter(({ kind }) => kind === 'submit')).toHaveLength(1);
  });

  it('that has another id and a shorter comment once it is submitted is not sent again unasked', async () => {
    const [caseId = ''] = add(1);
    const id = await desk.queueReport(caseId, 'a long comment', [file]);
    desk.partner.distort = (operation, value) => {
      const submission = desk.partner.submissions.at(-1);
      if (operation !== 'X15' || !submission) return value;
      const other = { ...submission, id: desk.partner.newId(), comment: 'a long' };
      for (const document of other.documents) Object.assign(document, { submissionId: other.id });
      desk.partner.submissions.splice(-1, 1, other);
      return value;
    };
    await rounds(2);
    expect(row(id)).toMatchObject({ state: 'attention', problem: { code: 'report_not_listed' } });
    desk.work.outbox.retry(id);
    await rounds(2);
    expect(row(id)).toMatchObject({ state: 'attention', problem: { code: 'resubmission_unsure' } });
    expect(desk.partner.submissions).toHaveLength(1);
    // The user has looked, and wants both.
    honest();
    desk.work.outbox.retry(id, 'submit');
    await rounds(2);
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions).toHaveLength(2);
  });

  it('whose submission is confirmed, and that is cancelled without one, is not called delivered', async () => {
    const [caseId = ''] = add(1);
    const id = await desk.queueReport(caseId, 'cancelled', [file]);
    desk.partner.distort = (operation, value) => {
      const answer = { ...value };
      if (operation === 'X15')
        Object.assign(desk.partner.submissions[0] ?? {}, {
          status: 'Cancelled',
          submittedAt: null,
        });
      return answer;
    };
    await rounds(2);
    expect(row(id)).toMatchObject({ state: 'attention', problem: { code: 'report_cancelled' } });
    // The insurer has corrected it.
    const submittedAt = new Date(desk.clock.now()).toISOString();
    Object.assign(desk.partner.submissions[0] ?? {}, { status: 'Submitted', submittedAt });
    await rounds(1);
    expect(row(id)).toMatchObject({ state: 'delivered', problem: null });
  });

  it.each([
    ['not called delivered, because it never was submitted', 'drop-before', 'attention'],
    ['delivered, because it was submitted before', 'drop-after', 'delivered'],
  ] as const)(
    'that the insurer cancels while its outcome is unknown is %s',
    async (_, how, end) => {
      const [caseId = ''] = add(1);
      const id = await desk.queueReport(caseId, 'cancelled', [file]);
      desk.partner.fault = (operation) => {
        const [submission] = desk.partner.submissions;
        if (operation === 'X11' && submission) submission.status = 'Cancelled';
        return operation === 'X15' && submission?.status === 'Draft' ? how : 'none';
      };
      await rounds(4);
      expect(desk.partner.submissions).toMatchObject([{ status: 'Cancelled' }]);
      expect(row(id).state).toBe(end);
    },
  );

  describe('whose ids the lists write in capitals', () => {
    let caseId: string;
    beforeEach(() => {
      let ids = 0;
      desk.partner.newId = () => `abcdef00-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
      [caseId = ''] = add(1);
      const inCapitals = <T extends { readonly items: readonly object[] }>(page: T): T => ({
        ...page,
        items: page.items.map((one) =>
          Object.fromEntries(
            Object.entries(one).map(([name, value]: [string, unknown]) => [
              name,
              /id$/i.test(name) ? String(value).toUpperCase() : value,
            ]),
          ),
        ),
      });
      answer(['X10', inCapitals], ['X12', inCapitals]);
    });

    it.each([
      ['once', []],
      ['once if the answer to its draft is lost', ['X8']],
      ['once if the answer to its upload is lost', ['X13']],
      ['once if the answer to its submission is lost', ['X15']],
    ])('is delivered %s', async (_, lost) => {
      const id = await desk.queueReport(caseId, 'capitals', [file]);
      const coming = new Set(lost);
      desk.partner.fault = (operation) => (coming.delete(operation) ? 'drop-after' : 'none');
      await rounds(4);
      expect(row(id)).toMatchObject({ state: 'delivered', problem: null });
      expect(['X8', 'X13', 'X15'].map(sent)).toEqual([1, 1, 1]);
      expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', documents: [{}] }]);
    });

    it('leaves its draft with its file to the next one if it is given up', async () => {
      const first = await desk.queueReport(caseId, 'first', [file]);
      desk.partner.fault = (operation) => (operation === 'X15' ? 'refused' : 'none');
      await rounds(1);
      desk.work.outbox.discard(first);
      desk.partner.fault = () => 'none';
      const second = await desk.queueReport(caseId, 'second', [{ name: 'b.txt', content: 'b' }]);
      await rounds(3);
      expect(row(second)).toMatchObject({ state: 'delivered', problem: null });
      expect(desk.partner.submissions).toMatchObject([
        { comment: 'second', documents: [{ fileName: 'b.txt' }] },
      ]);
    });

    it('is not begun again if its uploads alone are refused as missing', async () => {
      const id = await desk.queueReport(caseId, 'there', [file]);
      desk.partner.fault = (operation) => {
        if (operation === 'X13') throw refusal('not_found', 404);
        return 'none';
      };
      await rounds(4);
      expect(row(id)).toMatchObject({
        state: 'attention',
        problem: { code: 'server_refused', params: { status: 404 } },
      });
      expect(sent('X8')).toBe(1);
    });
  });

  it('of which each upload is stored twice has each document once', async () => {
    const [caseId = ''] = add(1);
    const id = await desk.queueReport(caseId, 'twice', [file, { name: 'b.txt', content: 'bbb' }]);
    answer([
      'X13',
      (value: { id: string }) => {
        const documents = desk.partner.submissions.at(-1)?.documents;
        const last = documents?.at(-1);
        if (last) documents?.push({ ...last, id: desk.partner.newId() });
        return value;
      },
    ]);
    await rounds(3);
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', documents: [{}, {}] }]);
  });

  it('whose files the partner renames needs attention, and is not uploaded for ever', async () => {
    const [caseId = ''] = add(1);
    const id = await desk.queueReport(caseId, 'renamed', [{ name: 'Schäden.txt', content: 'x' }]);
    answer([
      'X13',
      (value: { fileName: string }) => {
        const documents = desk.partner.submissions.at(-1)?.documents;
        const last = documents?.at(-1);
        if (last) documents?.splice(-1, 1, { ...last, fileName: 'Schaeden.txt' });
        return { ...value, fileName: 'Schaeden.txt' };
      },
    ]);
    await rounds(4);
    expect(row(id).state).toBe('attention');
    expect(row(id).problem?.code).not.toBe('internal');
    expect(sent('X13')).toBeLessThan(6);
    expect(sent('X15')).toBe(0);
  });

  it('whose draft is refused as there while it is not listed yet is delivered once', async () => {
    const [caseId = ''] = add(1);
    const id = await desk.queueReport(caseId, 'lag', [file]);
    let refusals = 2;
    desk.partner.fault = (operation) => {
      if (operation === 'X8' && refusals-- > 0) throw refusal('invalid_state', 409);
      return 'none';
    };
    for (let tries = 0; tries < 3 && row(id).state !== 'delivered'; tries += 1) {
      await rounds(1);
      if (row(id).state === 'attention') desk.work.outbox.retry(id);
    }
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', documents: [{}] }]);
  });

  it('whose key answers 500 for a day is delivered once after it', async () => {
    const [caseId = ''] = add(1);
    const id = await desk.queueReport(caseId, 'stored 500', [file]);
    const from = desk.clock.now();
    desk.partner.fault = (operation) =>
      operation === 'X8' && desk.clock.now() - from < dayMs ? 'busy' : 'none';
    await rounds(6);
    for (let day = 0; day < 2; day += 1) {
      desk.clock.skip(dayMs);
      if (row(id).state === 'attention') desk.work.outbox.retry(id);
      await rounds(3);
    }
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', documents: [{}] }]);
  });

  it('whose partner is restored between upload and submit is delivered whole', async () => {
    const [caseId = ''] = add(1);
    await sync();
    const backup = desk.partner.backup();
    const id = await desk.queueReport(caseId, 'restored', [file]);
    let isRestored = false;
    desk.partner.fault = (operation) => {
      if (operation === 'X15' && !isRestored) {
        isRestored = true;
        desk.partner.restore(backup);
      }
      return 'none';
    };
    await rounds(4);
    if (row(id).state === 'attention') desk.work.outbox.retry(id);
    await rounds(2);
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', documents: [{}] }]);
  });

  it('that is listed twice, as a draft and as submitted, is delivered', async () => {
    const [caseId = ''] = add(1);
    const id = await desk.queueReport(caseId, 'double', [file]);
    interface Reports {
      readonly total: number;
      readonly items: readonly { id: string; status: string }[];
    }
    answer([
      'X10',
      (page: Reports) => ({
        ...page,
        total: page.total * 2,
        items: page.items.flatMap((one) => [one, { ...one, status: 'Draft' }]),
      }),
    ]);
    await rounds(2);
    honest();
    await rounds(2);
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.effects.filter(({ kind }) => kind === 'submit')).toHaveLength(1);
  });
});

describe('a partner', () => {
  it('that is restored from a backup has the acts that it lost named, and takes them again', async () => {
    const ids = add(3);
    await sync();
    const backup = desk.partner.backup();
    const acts = ids.map((id) => desk.queueComment(id, 'before'));
    await rounds(2);
    desk.partner.restore(backup);
    await rounds(3);
    expect(acts.map((id) => row(id).state)).toEqual(acts.map(() => 'attention'));
    for (const id of acts) desk.work.outbox.retry(id);
    await rounds(2);
    expect(acts.map((id) => row(id).state)).toEqual(acts.map(() => 'delivered'));
    expect(ids.map((id) => desk.partner.cases.get(id)?.expertComment)).toEqual(
      ids.map(() => 'before'),
    );
  });

  it('that is restored has a report named that it lost, also on a case that changed since', async () => {
    const [caseId = '', other = ''] = add(2);
    await sync();
    const backup = desk.partner.backup();
    const report = await desk.queueReport(caseId, 'lost', [file]);
    const comment = desk.queueComment(other, 'lost too');
    await rounds(1);
    desk.partner.restore(backup);
    const later = desk.queueComment(caseId, 'later');
    await rounds(4);
    expect([report, comment, later].map((id) => row(id).state)).toEqual([
      'attention',
      'attention',
      'delivered',
    ]);
    for (const id of [report, comment]) desk.work.outbox.retry(id);
    await rounds(3);
    expect([report, comment].map((id) => row(id).state)).toEqual(['delivered', 'delivered']);
    expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', comment: 'lost' }]);
    expect(desk.partner.cases.get(other)?.expertComment).toBe('lost too');
  });

  it('that is restored to a time before a case has the acts on it named', async () => {
    add(2);
    await sync();
    const backup = desk.partner.backup();
    const [fresh = ''] = add(1);
    await sync();
    const report = await desk.queueReport(fresh, 'on a new case', [file]);
    const comment = desk.queueComment(fresh, 'too');
    await rounds(2);
    expect([report, comment].map((id) => row(id).state)).toEqual(['delivered', 'delivered']);
    desk.partner.restore(backup);
    await rounds(3);
    expect([report, comment].map((id) => [row(id).state, row(id).problem?.code])).toEqual([
      ['attention', 'server_case_gone'],
      ['attention', 'server_case_gone'],
    ]);
    expect(desk.cache.cases.find(fresh)?.goneReason).toBe('not_found');
  });

  it('that is restored is remembered by a desk that dies before it has compared', async () => {
    const [caseId = '', other = ''] = add(2);
    await sync();
    const backup = desk.partner.backup();
    const report = await desk.queueReport(caseId, 'lost', [file]);
    await rounds(2);
    desk.partner.restore(backup);
    await desk.sync.pull();
    await desk.restart();
    desk.partner.change(other, { expertComment: 'since' });
    await rounds(2);
    expect(row(report)).toMatchObject({
      state: 'attention',
      problem: { code: 'report_not_listed' },
    });
  });

  it('one of whose nodes refuses every third request has everything once', async () => {
    const ids = add(6);
    await sync();
    let requests = 0;
    desk.partner.fault = () => {
      requests += 1;
      if (requests % 3 === 0)
        throw new DeskError('unauthorized', { title: 'unauthorized', detail: '' });
      return 'none';
    };
    const acts = ids.map((id) => desk.queueComment(id, 'x'));
    const report = await desk.queueReport(ids[0] ?? '', 'r', [file]);
    await rounds(8);
    honest();
    for (const id of [...acts, report])
      if (row(id).state === 'attention') desk.work.outbox.retry(id);
    await rounds(3);
    expect([...acts, report].map((id) => row(id).state)).toEqual(
      [...acts, report].map(() => 'delivered'),
    );
    expect(desk.partner.effects.filter(({ kind }) => kind === 'submit')).toHaveLength(1);
  });

  it('that forgets a case and has it again loses no act on it', async () => {
    const [caseId = ''] = add(2);
    await sync();
    const record = desk.partner.cases.get(caseId);
    const id = desk.queueComment(caseId, 'later');
    desk.partner.cases.delete(caseId);
    await rounds(3);
    expect(row(id).state).toBe('attention');
    if (record) desk.partner.cases.set(caseId, record);
    desk.work.outbox.retry(id);
    await rounds(2);
    expect(row(id).state).toBe('delivered');
    expect(desk.cache.cases.find(caseId)?.goneReason).toBeNull();
  });
});
