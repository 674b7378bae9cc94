import fc from 'fast-check';
import { expect, test, afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { createTokenBucket } from '#main/front/limits/limits-in-memory.ts';
import { createFakeClock } from '../../service/support/fake-clock.ts';
import { operationIds } from '#shared/api/routes.ts';
import type { Partner, PartnerAnswer } from '../../service/support/partner.ts';
import { startService, type ServiceForTest } from '../../service/support/service.ts';

/** Milliseconds before each request: bursts, with stretches between them in which nobody asks. */
const waits = fc
  .array(
    fc.record({
      idleMs: fc.integer({ min: 0, max: 90_000 }),
      burst: fc.integer({ min: 1, max: 25 }),
    }),
    { maxLength: 10 },
  )
  .map((bursts) =>
    bursts.flatMap(({ idleMs, burst }) => [idleMs, ...Array.from({ length: burst - 1 }, () => 7)]),
  );
const limit = { capacity: 10, refillPerMinute: 20 };

test('limits: in no stretch of time are there more than burst and refill', () => {
  fc.assert(
    fc.property(waits, (gaps) => {
      const clock = createFakeClock();
      const bucket = createTokenBucket(limit, clock);
      const taken: number[] = [];
      for (const ms of gaps) {
        clock.advance(ms);
        if (bucket.take('client') === 0) taken.push(clock.monotonic());
      }
      for (const [first, from] of taken.entries()) {
        for (const [count, until] of taken.slice(first).entries()) {
          // A hundredth of a request may be owed, see limits-in-memory.ts.
          const allowed =
            limit.capacity + ((until - from) * limit.refillPerMinute) / 60_000 + 0.011;
          expect(count + 1).toBeLessThanOrEqual(allowed);
        }
      }
    }),
  );
});

test('limits: a request after Retry-After is let through', () => {
  fc.assert(
    fc.property(waits, (gaps) => {
      const clock = createFakeClock();
      const bucket = createTokenBucket(limit, clock);
      for (const ms of gaps) {
        clock.advance(ms);
        const waitMs = bucket.take('client');
        if (waitMs === 0) continue;
        clock.advance(waitMs);
        expect(bucket.take('client')).toBe(0);
      }
    }),
  );
});

describe('the buckets of a server', () => {
  const id = '8b0d4b2e-6f6a-4b6e-9d6b-0c1f0e2d3a4b';
  const claims = '/v1/insurers/claims';
  const cases = '/v1/experts/cases';
  const reports = '/v1/experts/reports';

  /** The decisions' tables, "Paths" and "Limits", written out: what draws on which bucket. */
  const drawing = {
    I1: ['GET', claims, 'standard'],
    I2: ['POST', claims, 'standard'],
    I4: ['GET', `${claims}/${id}`, 'standard'],
    I5: ['GET', `${claims}/${id}/documents`, 'documents'],
    I6: ['POST', `${claims}/${id}/documents`, 'documents'],
    I7: ['GET', `${claims}/${id}/documents/${id}`, 'documents'],
    I8: ['GET', `${claims}/${id}/reports`, 'standard'],
    I9: ['GET', `${claims}/${id}/reports/${id}/documents`, 'documents'],
    X1: ['GET', cases, 'standard'],
    X2: ['GET', `${cases}/${id}`, 'standard'],
    X3: ['PUT', `${cases}/${id}/expert-comment`, 'standard'],
    X4: ['PUT', `${cases}/${id}/amounts`, 'standard'],
    X5: ['POST', `${cases}/${id}:reopen`, 'standard'],
    X6: ['GET', `${cases}/${id}/documents`, 'documents'],
    X7: ['GET', `${cases}/${id}/documents/${id}`, 'documents'],
    X8: ['POST', `${cases}/${id}/reports:draft`, 'standard'],
    X9: ['PUT', `${cases}/${id}/reports:draft`, 'standard'],
    X10: ['GET', `${cases}/${id}/reports`, 'standard'],
    X11: ['GET', `${cases}/${id}/reports/${id}`, 'standard'],
    X12: ['GET', `${reports}/${id}/documents`, 'documents'],
    X13: ['POST', `${reports}/${id}/documents`, 'documents'],
    X14: ['DELETE', `${reports}/${id}/documents/${id}`, 'documents'],
    X15: ['POST', `${reports}/${id}/submit`, 'standard'],
  } as const;
  const operations = Object.entries(drawing).map(([name, row]) => [name, ...row] as const);

  const sizes = { standard: 20, documents: 10 };
  const policies = {
    standard: 'standard; token-bucket; 60/min; burst=20',
    documents: 'documents; token-bucket; 20/min; burst=10',
  };

  let service: ServiceForTest;
  let insurer: Partner;
  let expert: Partner;

  beforeAll(async () => {
    service = await startService({ limits: 'on' });
    [insurer, expert] = await Promise.all([service.partner('insurer'), service.partner('expert')]);
  });
  afterAll(() => service.remove());

  beforeEach(async () => {
    // To the beginning of another minute, in which every bucket is full again and no token expires.
    service.clock.advance(120_000 - (service.clock.now() % 60_000));
    await Promise.all([insurer.freshToken(), expert.freshToken()]);
  });

  /** How often something is let through before its limit is reached, and whose limit that was. */
  async function letThrough(ask: () => Promise<PartnerAnswer>) {
    for (let count = 0; count <= 20; count += 1) {
      const answer = await ask();
      if (answer.status === 429) return [count, answer.headers['x-ratelimit-policy']];
    }
    return ['more than 20'];
  }

  test('limits: every operation but token and validate is in the table', () => {
    const others = operationIds.filter((name) => !(name in drawing));
    expect(others).toEqual(['token', 'I3']);
  });

  test.each(operations)('limits: %s, %s %s, draws on the %s bucket alone', async (...row) => {
    const [name, method, path, bucket] = row;
    const partner = name.startsWith('I') ? insurer : expert;
    const ask = () => partner.request(method, path, { ...(method !== 'GET' && { body: {} }) });
    expect(await letThrough(ask)).toEqual([sizes[bucket], policies[bucket]]);
    const other = bucket === 'documents' ? 'standard' : 'documents';
    const base = partner === insurer ? claims : cases;
    const elsewhere = other === 'documents' ? `${base}/${id}/documents` : base;
    expect(await letThrough(() => partner.request('GET', elsewhere))).toEqual([
      sizes[other],
      policies[other],
    ]);
  });

  test.each([
    ['standard', cases],
    ['documents', `${cases}/${id}/documents`],
  ] as const)(
    'limits: a request whose proof is refused draws on the %s bucket of its address, not of its client',
    async (bucket, path) => {
      const refused = () => expert.request('GET', path, { proof: { htm: 'PUT' } });
      expect((await refused()).status).toBe(401);
      expect(await letThrough(refused)).toEqual([sizes[bucket] - 1, policies[bucket]]);
      expect(await letThrough(() => expert.request('GET', path))).toEqual([
        sizes[bucket],
        policies[bucket],
      ]);
    },
  );

  test('idempotency: 429 is not stored', async () => {
    const path = `${cases}/${id}:reopen`;
    const ask = () =>
      expert.request('POST', path, { body: { Reason: 'a' }, idempotencyKey: 'key' });
    await letThrough(() => expert.request('GET', cases));
    expect((await ask()).status).toBe(429);
    service.clock.advance(1000);
    const again = await ask();
    expect(again.status).toBe(404);
    expect(again.headers).not.toHaveProperty('idempotency-replayed');
  });

  test('limits: a request that is refused with 400 or 403 draws like any other', async () => {
    const wrongKind = () => insurer.request('GET', cases);
    expect((await wrongKind()).status).toBe(403);
    expect(await letThrough(wrongKind)).toEqual([sizes.standard - 1, policies.standard]);
    const malformed = () => expert.request('GET', `${cases}?page=0`);
    expect((await malformed()).status).toBe(400);
    expect(await letThrough(malformed)).toEqual([sizes.standard - 1, policies.standard]);
  });
});
