import { beforeAll, describe, expect, test } from 'vitest';
import { caseSchema, claimSchema } from '#shared/api/case.ts';
import { pageOf } from '#shared/api/conventions.ts';
import {
  acceptedCase,
  backoffice,
  createClaimOver,
  expectDone,
  handIn,
  anyString,
  at,
} from '../main/service/support/claims.ts';
import { shareService } from '../main/service/support/service.ts';

const { service, insurer, expert } = await shareService();
/** Ids in the order of their creation, an hour apart. */
const ids: string[] = [];
const createdAt: number[] = [];

const hourMs = 3_600_000;

beforeAll(async () => {
  const places = ['Bülach', 'Genève', 'Lugano', 'Chur', 'Basel'];
  for (const city of places) {
    createdAt.push(service.clock.now());
    const inspectionType = city === 'Chur' ? 'invoice_review' : 'estimate_review';
    const claim = await acceptedCase(service, insurer, {
      inspectionType,
      remarks: `Besichtigung in ${city}, Tor 12/7`,
      claimType: city === 'Basel' ? 'Überschwemmung' : 'collision',
    });
    ids.push(claim.Id);
    service.clock.advance(hourMs);
  }
  // The first is closed at once, and reopened, and closed again a day later.
  await closeCase(at(ids, 0));
  service.clock.advance(24 * hourMs);
  await expectDone(
    expert.request('POST', `/v1/experts/cases/${at(ids, 0)}:reopen`, { body: { Reason: 'x' } }),
  );
  await closeCase(at(ids, 0));
  service.clock.advance(hourMs);
});

async function closeCase(id: string): Promise<void> {
  const submissionId = await handIn(expert, id);
  await expectDone(backoffice(service, 'POST', `/reports/${submissionId}/approve`));
  await expectDone(backoffice(service, 'POST', `/claims/${id}/finalize`));
}

async function list(query: string, partner = expert) {
  const path = partner === expert ? '/v1/experts/cases' : '/v1/insurers/claims';
  const answer = await expectDone(partner.request('GET', `${path}${query}`));
  return pageOf(partner === expert ? caseSchema : claimSchema).parse(answer.json);
}

/** Numbers of the claims in a page, in its order: 0 is the oldest. */
async function numbers(query: string, partner = expert): Promise<number[]> {
  return (await list(query, partner)).Items.map(({ Id }) => ids.indexOf(Id));
}

const iso = (ms: number) => new Date(ms).toISOString();

describe.each(['X1', 'I1'])('%s', (operationId) => {
  const partner = () => (operationId === 'X1' ? expert : insurer);

  test(`${operationId} order: the newest first`, async () => {
    expect(await numbers('', partner())).toEqual([4, 3, 2, 1, 0]);
  });

  test(`${operationId} order: with lastChangedSince the oldest change first`, async () => {
    expect(await numbers(`?lastChangedSince=${iso(0)}`, partner())).toEqual([1, 2, 3, 4, 0]);
  });

  test(`${operationId} lastChangedSince: the comparison is inclusive`, async () => {
    const { Items } = await list('?size=1', partner());
    const changedAt = Date.parse(at(Items, 0).LastChangedAt);
    expect(await numbers(`?lastChangedSince=${iso(changedAt)}`, partner())).toEqual([4, 0]);
    expect(await numbers(`?lastChangedSince=${iso(changedAt + 1)}`, partner())).toEqual([0]);
  });

  test.each([
    ['created', 'createdFrom and createdTo are inclusive', 1, 3, [3, 2, 1]],
    ['created', 'ranges that exclude each other give an empty page', 3, 1, []],
  ])(`${operationId} %s: %s`, async (_, __, from, to, expected) => {
    const query = `?createdFrom=${iso(at(createdAt, from))}&createdTo=${iso(at(createdAt, to))}`;
    expect(await numbers(query, partner())).toEqual(expected);
  });

  test(`${operationId} created: a date-time without a zone is UTC, one with a zone is understood`, async () => {
    const zoneless = iso(at(createdAt, 4)).slice(0, -1);
    expect(await numbers(`?createdFrom=${zoneless}`, partner())).toEqual([4]);
    const zoned = `${iso(at(createdAt, 4) + 2 * hourMs).slice(0, -1)}%2B02:00`;
    expect(await numbers(`?createdFrom=${zoned}`, partner())).toEqual([4]);
  });

  test(`${operationId} created: a date-time without seconds is ISO 8601, and taken with 0`, async () => {
    const minute = iso(at(createdAt, 4)).slice(0, 16);
    const found = await numbers(`?createdFrom=${minute}`, partner());
    expect(found).toContain(4);
    expect(found).toEqual(await numbers(`?createdFrom=${minute}:00Z`, partner()));
  });

  test(`${operationId} created: a bound finer than a millisecond is rounded into the range`, async () => {
    const finer = `${iso(at(createdAt, 4)).slice(0, -1)}001Z`;
    expect(await numbers(`?createdFrom=${finer}`, partner())).toEqual([]);
    expect(await numbers(`?createdTo=${finer}&size=1`, partner())).toEqual([4]);
  });

  test(`${operationId} completed: the most recent closing counts`, async () => {
    const firstClosing = iso(at(createdAt, 4) + 2 * hourMs);
    expect(await numbers(`?completedFrom=${iso(0)}`, partner())).toEqual([0]);
    expect(await numbers(`?completedTo=${firstClosing}`, partner())).toEqual([]);
    expect(await numbers(`?completedFrom=${firstClosing}`, partner())).toEqual([0]);
  });

  test.each([
    ['status=Final', [0]],
    ['status=Created', []],
    ['status=Accepted&size=2', [4, 3]],
    ['category=special&page=3&size=2', [0]],
    ['category=fraud', []],
  ])(`${operationId} filter: %s`, async (query, expected) => {
    expect(await numbers(`?${query}`, partner())).toEqual(expected);
  });

  test.each([
    ['bulach', [0]],
    ['GENEVE', [1]],
    ['besichtigung lugano', [2]],
    ['lugano besichtigung', [2]],
    ['besichtigung Bern', []],
    ['uberschwemmung', [4]],
    // A part of a word, at its beginning, its middle and its end.
    ['besich', [4, 3, 2, 1, 0]],
    ['schwemm', [4]],
    ['nève', [1]],
    ['ü', [4, 3, 2, 1, 0]],
    ['ch ge', [4, 3, 2, 1, 0]],
    ['12/7 Chur', [3]],
    ['7/12 Chur', []],
    // Case folding in full: the payload has Bahnhofstrasse, and ß is ss.
    ['BAHNHOFSTRASSE', [4, 3, 2, 1, 0]],
    ['bahnhofstraße', [4, 3, 2, 1, 0]],
    // Every sign stands for itself.
    ['"Chur', []],
    ['Chur*', []],
    ['Ch_r', []],
    ['Chur OR Basel', []],
    // The end of one value and the beginning of the next are no word.
    ['8400-Winterthur', []],
    ['8400Winterthur', []],
    ['', [4, 3, 2, 1, 0]],
    ['-', [4, 3, 2, 1, 0]],
    ['Chur -', [3]],
  ])(`${operationId} q: %s`, async (q, expected) => {
    expect(await numbers(`?q=${encodeURIComponent(q)}`, partner())).toEqual(expected);
  });

  test(`${operationId} q: finds the external key, and a part of it`, async () => {
    const { Items } = await list('?size=1&page=2', partner());
    const key = at(Items, 0).ExternalKey;
    expect(await numbers(`?q=${key.toLowerCase()}`, partner())).toEqual([3]);
    expect(await numbers(`?q=${key.slice(-5)}`, partner())).toEqual([3]);
  });

  test(`${operationId} updatedSince: is refused and names lastChangedSince`, async () => {
    const path = partner() === expert ? '/v1/experts/cases' : '/v1/insurers/claims';
    const answer = await partner().request('GET', `${path}?updatedSince=${iso(0)}&other=1`);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      title: 'invalid_request',
      errors: { updatedSince: ['is called lastChangedSince.'] },
    });
  });

  test(`${operationId} other parameters: are ignored, those of the other list too`, async () => {
    const other =
      operationId === 'X1' ? `lastReportApprovedSince=${iso(0)}` : 'inspectionType=workshop';
    expect((await list(`?other=1&${other}`, partner())).Total).toBe(5);
    expect((await list(`?${other}&${other}`, partner())).Total).toBe(5);
  });

  test(`${operationId} page: Total, Page and Size (pageSizeDefault) are there`, async () => {
    const page = await list('?page=2&size=2', partner());
    expect([page.Total, page.Page, page.Size, page.Items.length]).toEqual([5, 2, 2, 2]);
    expect((await list('', partner())).Size).toBe(50);
    const beyond = await list('?page=2147483647&size=200', partner());
    expect([beyond.Total, beyond.Items]).toEqual([5, []]);
  });

  test(`${operationId} size: more than 200 is lowered to 200 (pageSizeMax)`, async () => {
    expect((await list('?size=201', partner())).Size).toBe(200);
    expect((await list('?size=2147483647', partner())).Size).toBe(200);
  });

  test.each(['q=Z%FCrich', 'q=100%', 'q=%zz', 'status=%ff', 'other=a?%C3'])(
    `${operationId} invalid_request: %s, which is no UTF-8`,
    async (query) => {
      const path = partner() === expert ? '/v1/experts/cases' : '/v1/insurers/claims';
      const answer = await partner().request('GET', `${path}?size=1&${query}`);
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({
        title: 'invalid_request',
        errors: { [at(query.split('='), 0)]: ['must be percent-encoded UTF-8.'] },
      });
    },
  );

  test.each([
    'page=0',
    'page=-1',
    'page=x',
    'page=1.5',
    'page=',
    'page=2147483648',
    'page=1&page=2',
    'size=0',
    'size=ten',
    'status=final',
    'status=',
    'status=Final&status=Created',
    'category=boat',
    'category=',
    'createdFrom=yesterday',
    'createdTo=2026-02-30T00:00:00Z',
    'completedFrom=2026-01-01',
    'lastChangedSince=2026-01-01T25:00:00Z',
    'q=a&q=b',
  ])(`${operationId} invalid_request: %s`, async (query) => {
    const path = partner() === expert ? '/v1/experts/cases' : '/v1/insurers/claims';
    const answer = await partner().request('GET', `${path}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      title: 'invalid_request',
      errors: { [at(query.split('='), 0)]: [anyString] },
    });
  });
});

describe('filters of one side', () => {
  test('X1 inspectionType', async () => {
    expect(await numbers('?inspectionType=invoice_review')).toEqual([3]);
    expect(await numbers('?inspectionType=workshop')).toEqual([]);
    expect(await numbers('?inspectionType=live_expertise')).toEqual([]);
  });

  test.each(['', 'boat', 'Workshop', '%00', 'workshop&inspectionType=onsite'])(
    'X1 inspectionType: %j is invalid_request',
    async (value) => {
      const answer = await expert.request('GET', `/v1/experts/cases?inspectionType=${value}`);
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({
        title: 'invalid_request',
        errors: { inspectionType: [anyString] },
      });
    },
  );

  test('I1 lastReportApprovedSince: inclusive, and never a claim without an approved report', async () => {
    const { Items } = await list('?status=Final', insurer);
    const claim = claimSchema.parse(Items[0]);
    const changedAt = Date.parse(claim.LastReportApprovedAt ?? '');
    expect(await numbers(`?lastReportApprovedSince=${iso(0)}`, insurer)).toEqual([0]);
    expect(await numbers(`?lastReportApprovedSince=${iso(changedAt)}`, insurer)).toEqual([0]);
    expect(await numbers(`?lastReportApprovedSince=${iso(changedAt + 1)}`, insurer)).toEqual([]);
  });

  test.each([
    ['X1', 'X2', '/v1/experts/cases', () => expert],
    ['I1', 'I4', '/v1/insurers/claims', () => insurer],
  ] as const)(
    '%s, %s (X2 as X1, I4 as I1): a record is the same in its list and by itself',
    async (_, _id, path, who) => {
      const page = (await who().request('GET', path)).json as { Items: { Id: string }[] };
      expect(page.Items.length).toBeGreaterThan(1);
      for (const item of page.Items) {
        const answer = await who().request('GET', `${path}/${item.Id}`);
        expect([answer.status, answer.json]).toEqual([200, item]);
      }
    },
  );

  test('I1: Expert is null until the claim is assigned; the expert does not see it before', async () => {
    const { Id } = await createClaimOver(insurer);
    const answer = await insurer.request('GET', `/v1/insurers/claims/${Id}`);
    expect(answer.json).toMatchObject({ Expert: null, LastReportApprovedAt: null });
    expect(answer.json).not.toHaveProperty('Insurer');
    const page = await list('?size=200');
    expect(page.Items.map((item) => item.Id)).not.toContain(Id);
  });
});
