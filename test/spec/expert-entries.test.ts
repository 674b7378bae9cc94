import { beforeAll, describe, expect, test } from 'vitest';
import {
  acceptedCase,
  backoffice,
  expectDone,
  titleOf,
  anyString,
} from '../main/service/support/claims.ts';
import { shareService } from '../main/service/support/service.ts';

const { service, insurer, expert } = await shareService();

const casePath = (id: string) => `/v1/experts/cases/${id}`;

async function readCase(id: string) {
  const answer = await expectDone(expert.request('GET', casePath(id)));
  return answer.json as Record<string, unknown>;
}

describe('amounts', () => {
  let id: string;
  beforeAll(async () => {
    id = (await acceptedCase(service, insurer)).Id;
  });
  const put = (body: unknown) => expert.request('PUT', `${casePath(id)}/amounts`, { body });

  test.each([
    ['both', 1000, 800.5, 199.5],
    ['no saving if the estimate is lower', 800, 1000, null],
    ['no saving if both are the same', 800, 800, null],
    ['no saving without an approved amount', 800, null, null],
    ['no saving without an estimate', null, 800, null],
    ['both cleared', null, null, null],
    ['zero', 0, 0, null],
    ['the largest', 999_999_999.99, 0, 999_999_999.99],
    ['cents that floating point would miss', 0.3, 0.1, 0.2],
    ['cents that floating point would miss again', 1.1, 1.02, 0.08],
  ])('X4: %s', async (_, estimate, approved, savings) => {
    const answer = await put({ CostEstimateAmount: estimate, ApprovedAmount: approved });
    expect(answer.status).toBe(204);
    expect(answer.body).toHaveLength(0);
    expect(answer.headers).not.toHaveProperty('content-type');
    expect(await readCase(id)).toMatchObject({
      CostEstimateAmount: estimate,
      ApprovedAmount: approved,
      SavingsAmount: savings,
    });
  });

  test('X4: a number may be written with an exponent, and minus nothing is nothing', async () => {
    const answer = await put('{"CostEstimateAmount":1.25e3,"ApprovedAmount":-0.0}');
    expect(answer.status).toBe(204);
    const record = await readCase(id);
    expect(record).toMatchObject({ CostEstimateAmount: 1250, SavingsAmount: 1250 });
    expect(Object.is(record['ApprovedAmount'], 0)).toBe(true);
  });

  test.each([
    ['three decimals', '1.001'],
    ['a tiny number', '1e-3'],
    ['less than nothing', '-0.01'],
    ['too much', '1000000000'],
    ['too much by a cent', '1000000000.00'],
    ['more than a number can be', '1e400'],
    ['a text', '"12"'],
    ['a list', '[1]'],
    ['yes', 'true'],
  ])('X4: %s is refused and named (amountMaxRappen)', async (_, written) => {
    const before = await readCase(id);
    const answer = await put(`{"CostEstimateAmount":1,"ApprovedAmount":${written}}`);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      title: 'invalid_request',
      errors: { ApprovedAmount: [anyString] },
    });
    expect(await readCase(id)).toEqual(before);
  });

  test.each(['1000000000', '12345678901234567890', '1e300'])(
    'X4: %s is told to be too large',
    async (written) => {
      const answer = await put(`{"CostEstimateAmount":${written},"ApprovedAmount":null}`);
      expect(answer.json).toMatchObject({
        errors: { CostEstimateAmount: ['must be at most 999999999.99.'] },
      });
    },
  );

  test.each([
    ['the estimate missing', '{"ApprovedAmount":1}'],
    ['the approved amount missing', '{"CostEstimateAmount":1}'],
  ])('X4: %s is invalid_request', async (_, body) => {
    const answer = await put(body);
    expect([answer.status, titleOf(answer)]).toEqual([400, 'invalid_request']);
  });
});

describe('comment', () => {
  let id: string;
  beforeAll(async () => {
    id = (await acceptedCase(service, insurer)).Id;
  });
  const put = (body: unknown) => expert.request('PUT', `${casePath(id)}/expert-comment`, { body });

  test.each([
    ['a text', 'Totalschaden «wirtschaftlich»\n– Restwert offen 😀'],
    ['4000 characters', 'ä'.repeat(4000)],
    ['4000 characters beyond the basic plane', '😀'.repeat(4000)],
    ['the empty text, which clears it', ''],
  ])('X3: %s', async (_, text) => {
    expect((await put({ Text: text })).status).toBe(204);
    expect(await readCase(id)).toMatchObject({ ExpertComment: text });
  });

  test.each([
    ['null', { Text: null }],
    ['absent', {}],
  ])('X3: a Text that is %s clears the comment', async (_, body) => {
    await put({ Text: 'before' });
    expect((await put(body)).status).toBe(204);
    expect(await readCase(id)).toMatchObject({ ExpertComment: '' });
  });

  test('X3: without a body it is invalid_request', async () => {
    const answer = await put(undefined);
    expect(answer.json).toMatchObject({ title: 'invalid_request', errors: { body: [anyString] } });
  });

  test.each([
    ['4001 characters', { Text: 'x'.repeat(4001) }],
    ['a number', { Text: 1 }],
    ['half a character', '{"Text":"\\ud83d"}'],
    ['NUL', { Text: 'a\0b' }],
  ])('X3: %s is refused (commentMaxLength)', async (_, body) => {
    const answer = await put(body);
    expect(answer.json).toMatchObject({
      title: 'invalid_request',
      errors: { Text: [anyString] },
    });
  });
});

describe('reopening', () => {
  const reopen = (id: string, body: unknown) =>
    expert.request('POST', `${casePath(id)}:reopen`, { body });

  test.each([
    ['missing', {}],
    ['empty', { Reason: '' }],
    ['blank', { Reason: ' \n\t ' }],
    ['too long', { Reason: 'x'.repeat(4001) }],
    ['a number', { Reason: 7 }],
  ])('X5: a Reason that is %s is refused (reasonMaxLength)', async (_, body) => {
    const { Id } = await acceptedCase(service, insurer);
    expect((await reopen(Id, body)).json).toMatchObject({
      title: 'invalid_request',
      errors: { Reason: [anyString] },
    });
  });
});

describe('LastChangedAt', () => {
  test('LastChangedAt: advances with every change, by 1 ms while the clock stands still', async () => {
    const { Id } = await acceptedCase(service, insurer);
    const changedAt = async () => Date.parse(String((await readCase(Id))['LastChangedAt']));
    const first = await changedAt();
    // Acceptance made it Accepted; the first amount also takes it into work.
    await expectDone(
      expert.request('PUT', `${casePath(Id)}/amounts`, {
        body: { CostEstimateAmount: 1, ApprovedAmount: null },
      }),
    );
    expect(await changedAt()).toBe(first + 1);
    await expectDone(
      expert.request('PUT', `${casePath(Id)}/expert-comment`, { body: { Text: 'x' } }),
    );
    expect(await changedAt()).toBe(first + 2);
    await expectDone(backoffice(service, 'POST', `/claims/${Id}/archive`));
    expect(await changedAt()).toBe(first + 3);
  });

  /** A poller who has read everything: what it is given at its next look. */
  async function readAll(): Promise<() => Promise<string[]>> {
    const list = async (query: string) => {
      const answer = await expectDone(expert.request('GET', `/v1/experts/cases${query}`));
      return (answer.json as { Items: { Id: string; LastChangedAt: string }[] }).Items;
    };
    const seen = (await list('')).map(({ LastChangedAt }) => LastChangedAt);
    const cursor = seen.toSorted().at(-1);
    return async () => (await list(`?lastChangedSince=${cursor}`)).map(({ Id }) => Id);
  }
  const comment = (id: string, Text: string) =>
    expectDone(expert.request('PUT', `${casePath(id)}/expert-comment`, { body: { Text } }));

  test('LastChangedAt: is never before a change of another case, which a partner may have seen', async () => {
    const [busy, other] = [
      await acceptedCase(service, insurer),
      await acceptedCase(service, insurer),
    ];
    // All in one millisecond: the busy one is ahead of the clock.
    for (const text of ['a', 'b', 'c']) await comment(busy.Id, text);
    const lookAgain = await readAll();
    await comment(other.Id, 'd');
    expect(await lookAgain()).toContain(other.Id);
  });

  test('LastChangedAt: goes on from the latest change when the clock was set back', async () => {
    const { Id } = await acceptedCase(service, insurer);
    service.clock.advance(10_000);
    await comment((await acceptedCase(service, insurer)).Id, 'before');
    const lookAgain = await readAll();
    service.clock.advance(-10_000);
    await comment(Id, 'after');
    const created = await acceptedCase(service, insurer);
    expect(await lookAgain()).toEqual(expect.arrayContaining([Id, created.Id]));
  });

  test('LastChangedAt: a PUT of what is there already is no change', async () => {
    const { Id } = await acceptedCase(service, insurer);
    const body = { CostEstimateAmount: 1, ApprovedAmount: null };
    await expectDone(expert.request('PUT', `${casePath(Id)}/amounts`, { body }));
    const before = await readCase(Id);
    await expectDone(expert.request('PUT', `${casePath(Id)}/amounts`, { body }));
    expect(await readCase(Id)).toEqual(before);
  });
});
