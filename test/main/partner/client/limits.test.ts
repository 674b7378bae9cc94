import { describe, expect, it } from 'vitest';
import { emptyPage, grant, json, problem } from '../../../support/partner/hostile-server.ts';
import { problemOf } from '../../engine/support/test-client.ts';
import {
  caseId,
  caseRecord,
  shareHostilePartner,
  submissionId,
  submissionRecord,
} from './hostile-partner.ts';

const { connect, server } = shareHostilePartner();
const hour = { 'retry-after': '3600' };

describe('limits', () => {
  it('429: Retry-After is obeyed, a POST is sent again, and it is counted', async () => {
    const { client, clock } = connect();
    server().next(
      problem(429, 'rate_limited', { 'retry-after': '7' }),
      json(201, submissionRecord),
    );
    const draft = client.createDraft(caseId, 'c');
    await clock.waitsFor((ms) => ms === 7_000);
    expect(server().seen).toHaveLength(1);
    expect(client.slotInMs('standard')).toBe(7_000);
    await clock.advance(7_000);
    expect((await draft).value.id).toBe(submissionId);
    expect(client.counters).toEqual({ requests: 3, throttled: 1 });
  });

  it('429 without Retry-After: waits at least one refill', async () => {
    const { client, clock } = connect();
    server().next(problem(429, 'rate_limited'));
    const list = client.listCases({ page: 1, size: 50 });
    await clock.waitsFor((ms) => ms === 1_000);
    await clock.advance(1_000);
    expect((await list).status).toBe(200);
  });

  it('429 of the token endpoint without Retry-After: waits for a random part of a minute', async () => {
    const { client, clock } = connect({ random: () => 0.6 });
    server().token = problem(429, 'rate_limited');
    const asked = client.getCase(caseId);
    await clock.waitsFor((ms) => ms === 36_000);
    server().token = grant();
    server().always = json(200, caseRecord);
    await clock.advance(36_000);
    expect((await asked).value.id).toBe(caseId);
    expect(server().tokenRequests).toHaveLength(2);
  });

  it('429 with an hour to wait: the call rejects', async () => {
    const { client, clock } = connect();
    server().next(problem(429, 'rate_limited', { 'retry-after': '3600' }));
    const until = new Date(clock.now() + 3_600_000).toISOString();
    const expected = { code: 'rate_limited', params: { retryAfterS: 3600, until } };
    expect(await problemOf(client.createDraft(caseId, ''))).toEqual(expected);
    expect(await problemOf(client.getCase(caseId))).toEqual(expected);
  });

  it('429 with a month to wait: the pause is an hour, survives restarts, and the partner is asked again', async () => {
    const { client, clock, memory } = connect();
    const month = { 'retry-after': '2592000' };
    server().next(problem(429, 'rate_limited', month));
    const hour = { code: 'rate_limited', params: { retryAfterS: 3600 } };
    await expect(client.getCase(caseId)).rejects.toMatchObject(hour);

    await clock.advance(1_800_000);
    const next = connect({ clock, memory });
    expect(next.client.pauseMs('standard')).toBe(1_800_000);
    await expect(next.client.getCase(caseId)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(server().seen).toHaveLength(1);

    // The margin between two clocks is subtracted as well.
    await clock.advance(1_800_000 + 250);
    expect(next.client.pauseMs('standard')).toBeNull();
    server().always = json(200, caseRecord);
    expect((await next.client.getCase(caseId)).value.id).toBe(caseId);
    expect(server().seen).toHaveLength(2);
  });

  it('a token request with a month to wait: the same', async () => {
    const { client, clock, memory } = connect();
    server().token = problem(429, 'rate_limited', { 'retry-after': '2592000' });
    await expect(client.getCase(caseId)).rejects.toMatchObject({ code: 'rate_limited' });
    const next = connect({ clock, memory });
    expect(next.client.pauseMs('documents')).toBe(3_600_000);
    await expect(next.client.getCase(caseId)).rejects.toMatchObject({
      code: 'rate_limited',
      params: { retryAfterS: 3600 },
    });
    expect(server().tokenRequests).toHaveLength(1);
    await clock.advance(3_600_000);
    server().token = grant();
    server().always = json(200, caseRecord);
    expect((await next.client.getCase(caseId)).value.id).toBe(caseId);
    expect(next.client.pauseMs('documents')).toBeNull();
  });

  it.each([
    // The margin between two clocks is subtracted as well.
    ['an operation', 1801, () => server().next(problem(429, 'rate_limited', hour))],
    ['the token endpoint', 1800, () => (server().token = problem(429, 'rate_limited', hour))],
  ])(
    'a pause of %s lasts an hour over restarts, too, if the clock is set back',
    async (_of, retryAfterS, refuse) => {
      const { client, clock, memory } = connect();
      refuse();
      await problemOf(client.getCase(caseId));
      clock.setWall(clock.now() - 365 * 86_400_000);
      server().token = grant();
      server().always = json(200, caseRecord);
      const ask = () => problemOf(connect({ clock, memory }).client.getCase(caseId));
      expect(await ask()).toMatchObject({ code: 'rate_limited' });
      await clock.advance(1_800_000);
      expect(await ask()).toMatchObject({ params: { retryAfterS } });
      await clock.advance(1_800_250);
      expect((await connect({ clock, memory }).client.getCase(caseId)).value.id).toBe(caseId);
    },
  );

  it('returns how long the bucket takes for a number of requests', () => {
    const { client } = connect();
    expect(client.slotInMs('documents', 10)).toBe(0);
    expect(client.slotInMs('documents', 60)).toBe(150_000);
    expect(client.slotInMs('standard', 26)).toBe(6_000);
  });

  it.each([
    ['a call for the user rejects after five of them', 'person', { code: 'rate_limited' }],
    ['work in the background waits longer', 'background', { none: true }],
  ] as const)('429 after 429: %s', async (_what, priority, outcome) => {
    const { client, clock } = connect();
    const refusal = problem(429, 'rate_limited', { 'retry-after': '1' });
    server().next(...Array.from({ length: 8 }, () => refusal));
    let result: unknown = null;
    const asked = problemOf(client.listCases({ page: 1, size: 50 }, { priority })).then(
      (problem) => (result = problem === 'no problem' ? { none: true } : problem),
    );
    for (let waits = 0; result === null && waits < 20; waits += 1) {
      await Promise.race([clock.waitsFor((ms) => ms === 1_000), asked]);
      await clock.advance(1_000);
    }
    await asked;
    expect(result).toMatchObject(outcome);
  });

  it.each([
    ['six pauses of a second', '1', [null, null, null, null, null, 1000]],
    ['a pause of 45 seconds', '45', [45_000]],
  ])('429: %s is reported while the request waits on', async (_what, seconds, pauses) => {
    const reported: (number | null)[] = [];
    const onPause = () => reported.push(made.client.pauseMs('standard'));
    const made = connect({ onPause });
    const { client, clock } = made;
    const refusal = problem(429, 'rate_limited', { 'retry-after': seconds });
    server().next(...pauses.map(() => refusal));
    const asked = client.listCases({ page: 1, size: 50 });
    const pauseMs = Number(seconds) * 1000;
    for (let left = pauses.length; left > 0; left -= 1) {
      await clock.waitsFor((ms) => ms === pauseMs);
      await clock.advance(pauseMs);
    }
    await asked;
    expect(reported).toEqual([...pauses, null]);
    expect(client.pauseMs('standard')).toBeNull();
    expect(client.pauseMs('documents')).toBeNull();
  });

  it.each([
    ['a token', grant(), 'no problem'],
    ['a refusal', problem(401, 'no', {}, { error: 'invalid_client' }), { code: 'sign_in_refused' }],
  ])('429 of the token endpoint: the end by %s is reported, too', async (_by, answer, outcome) => {
    const reported: (number | null)[] = [];
    const onPause = () => reported.push(made.client.pauseMs('standard'));
    const made = connect({ onPause });
    const { client, clock } = made;
    server().token = problem(429, 'rate_limited', { 'retry-after': '45' });
    server().always = json(200, emptyPage);
    const asked = problemOf(client.listCases({ page: 1, size: 50 }));
    await clock.waitsFor((ms) => ms === 45_000);
    server().token = answer;
    await clock.advance(45_000);
    expect([await asked]).toMatchObject([outcome]);
    expect(reported).toEqual([45_000, null]);
  });

  it('429: the end of a pause that no call waits through is reported, too', async () => {
    const reported: (number | null)[] = [];
    const onPause = () => reported.push(made.client.pauseMs('documents'));
    const made = connect({ onPause });
    const { client, clock } = made;
    server().next(problem(429, 'rate_limited', { 'retry-after': '130' }));
    await expect(client.listDocuments(caseId, { page: 1, size: 50 })).rejects.toMatchObject({
      code: 'rate_limited',
    });
    await clock.advance(129_999);
    expect(reported).toEqual([130_000]);
    await clock.advance(1);
    expect(reported).toEqual([130_000, null]);
    server().next(problem(429, 'rate_limited', { 'retry-after': '130' }));
    await client.listDocuments(caseId, { page: 1, size: 50 }).catch(() => undefined);
    await client.close();
    await clock.advance(130_000);
    // A client that is closed reports nothing more.
    expect(reported).toHaveLength(3);
  });

  it('X-RateLimit-Policy: a smaller bucket is learned from it', async () => {
    const { client } = connect();
    const policy = { 'x-ratelimit-policy': 'documents; token-bucket; 2/min; burst=1' };
    server().next(json(200, emptyPage, policy));
    await client.listDocuments(caseId, { page: 1, size: 50 });
    expect(client.slotInMs('documents')).toBeGreaterThan(1_000);
    expect(client.slotInMs('standard')).toBe(0);
  });
});

describe('a refusal that passes', () => {
  it.each([421, 423, 425])('%i is not final, and a POST was not carried out', async (status) => {
    server().always = json(200, caseRecord);
    server().next(problem(status, 'Too Early'));
    const { client, clock } = connect();
    const asked = client.getCase(caseId);
    await clock.waitsFor(() => true);
    await clock.advance(1_000);
    expect((await asked).value.id).toBe(caseId);
    server().next(problem(status, 'Too Early'));
    expect(await problemOf(client.createDraft(caseId, ''))).toMatchObject({
      code: 'server_failed',
      params: { status },
    });
  });

  it('408: a POST may have been carried out', async () => {
    server().next(problem(408, 'Request Timeout'));
    expect(await problemOf(connect().client.createDraft(caseId, ''))).toMatchObject({
      code: 'outcome_unknown',
      params: { cause: 'server_failed' },
    });
  });

  it('a title that names a reason decides before the status', async () => {
    server().next(problem(423, 'invalid_state'));
    expect(await problemOf(connect().client.getCase(caseId))).toMatchObject({
      code: 'server_refused',
      params: { title: 'invalid_state', status: 423 },
    });
  });
});
