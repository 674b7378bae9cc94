import { describe, expect, test } from 'vitest';
import { zurichDay, addDays } from '#shared/lib/zurich-day.ts';
import { mismatchMessage } from '#shared/payload/validate.ts';
import { specialPayload, titleOf, anyString } from '../main/service/support/claims.ts';
import { send } from '../main/service/support/partner.ts';
import { shareService } from '../main/service/support/service.ts';

const { service, insurer } = await shareService();

const create = (body: unknown) => insurer.request('POST', '/v1/insurers/claims', { body });
/** I3 without a token. */
const validate = (body: unknown) =>
  send('POST', `${service.baseUrl}/v1/insurers/claims:validate`, {
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const calls = { I2: create, I3: validate };
const valid = JSON.stringify(specialPayload());
const tomorrowButOne = () => addDays(zurichDay(service.clock.now()), 2);

describe('I2', () => {
  test('I2, I4: creates a claim and gives back key, status and payload byte for byte', async () => {
    const PayloadJson = ` ${valid.replace('Feldweg', String.raw`\u0046eldweg «€😀» \/`)}\n`;
    const answer = await create({ Category: 'special', PayloadJson });
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({
      Id: anyString,
      ExternalKey: expect.stringMatching(/^SF-\d{4}-\d{6}$/) as unknown,
      Category: 'special',
      Status: 'Created',
      PayloadJson,
    });
    const { Id } = answer.json as { Id: string };
    const read = await insurer.request('GET', `/v1/insurers/claims/${Id}`);
    expect(read.json).toMatchObject({ PayloadJson, Status: 'Created', ArchiveState: false });
  });

  test('I2: a payload that breaks its rules: One or more validation errors occurred.', async () => {
    const payload = specialPayload({ policyNumber: '', incidentDate: tomorrowButOne() });
    const answer = await create({ Category: 'special', PayloadJson: JSON.stringify(payload) });
    expect([answer.status, titleOf(answer)]).toEqual([
      400,
      'One or more validation errors occurred.',
    ]);
    const { errors } = answer.json as { errors: { PayloadJson: string[] } };
    expect(errors.PayloadJson[0]).toBe(mismatchMessage);
    expect(errors.PayloadJson.join('\n')).toMatch(/policyNumber: [\s\S]*incidentDate: /);
  });
});

describe('I3', () => {
  test('I3: a valid payload is Valid, without a token', async () => {
    const answer = await validate({ Category: 'special', PayloadJson: valid });
    expect([answer.status, answer.json]).toEqual([200, { Valid: true }]);
  });

  test('I3: an invalid payload answers 200 with the messages of I2', async () => {
    const body = { Category: 'appraiser', PayloadJson: valid };
    const answer = await validate(body);
    expect(answer.status).toBe(200);
    const { errors } = (await create(body)).json as { errors: object };
    expect(answer.json).toEqual({ Valid: false, Errors: errors });
  });

  test('I3: today is the day in Zurich, which comes an hour or two before UTC', async () => {
    // To 23:30 UTC: half past midnight in Zurich, or later.
    const dayMs = 24 * 3_600_000;
    const untilMs = (dayMs + 23.5 * 3_600_000 - (service.clock.now() % dayMs)) % dayMs;
    service.clock.advance(untilMs);
    const now = new Date(service.clock.now());
    const [utc, next] = [now, new Date(now.getTime() + dayMs)].map((at) =>
      at.toISOString().slice(0, 10),
    );
    expect(now.toISOString()).toBe(`${utc}T23:30:00.000Z`);
    const answer = await validate({
      Category: 'special',
      PayloadJson: JSON.stringify(specialPayload({ incidentDate: '2999-01-01' })),
    });
    expect(answer.json).toMatchObject({
      Errors: {
        PayloadJson: [
          mismatchMessage,
          `incidentDate: the incident date cannot be in the future — got 2999-01-01, today is ${next} (Europe/Zurich).`,
        ],
      },
    });
  });

  test('I3: an Idempotency-Key that is none is refused, without a token too', async () => {
    const answer = await send('POST', `${service.baseUrl}/v1/insurers/claims:validate`, {
      headers: { 'content-type': 'application/json', 'idempotency-key': 'x'.repeat(256) },
      body: JSON.stringify({ Category: 'special', PayloadJson: valid }),
    });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      title: 'invalid_request',
      errors: { 'Idempotency-Key': [anyString] },
    });
  });

  test.each([
    ['that is none', 'DPoP nonsense'],
    ['of another scheme', 'Bearer nonsense'],
  ])('I3: a token %s is as good as none', async (_, authorization) => {
    const answer = await send('POST', `${service.baseUrl}/v1/insurers/claims:validate`, {
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify({ Category: 'special', PayloadJson: valid }),
    });
    expect([answer.status, answer.json]).toEqual([200, { Valid: true }]);
  });

  test('I3: creates nothing', async () => {
    const total = async () =>
      ((await insurer.request('GET', '/v1/insurers/claims')).json as { Total: number }).Total;
    const before = await total();
    await validate({ Category: 'special', PayloadJson: valid });
    expect(await total()).toBe(before);
  });
});

describe.each(['I2', 'I3'] as const)('%s', (id) => {
  test.each([
    ['an unknown category', { Category: 'boat', PayloadJson: valid }, 'invalid_category'],
    ['a category in capitals', { Category: 'Special', PayloadJson: valid }, 'invalid_category'],
    ['no category', { PayloadJson: valid }, 'invalid_category'],
    ['no payload', { Category: 'special' }, 'invalid_payload'],
    ['a payload of null', { Category: 'special', PayloadJson: null }, 'invalid_payload'],
    ['an empty payload', { Category: 'special', PayloadJson: '' }, 'invalid_payload'],
    ['an object', { Category: 'special', PayloadJson: specialPayload() }, 'invalid_payload'],
    ['no JSON', { Category: 'special', PayloadJson: '{"a":}' }, 'invalid_payload'],
    ['a list', { Category: 'special', PayloadJson: '[]' }, 'invalid_payload'],
    ['JSON null', { Category: 'special', PayloadJson: 'null' }, 'invalid_payload'],
    [
      'half a character',
      '{"Category":"special","PayloadJson":"{\\"a\\":\\"\\ud83d\\"}"}',
      'invalid_payload',
    ],
    ['a body that is no object', '[]', 'invalid_request'],
    ['a body that is no JSON', '{', 'invalid_request'],
  ])(
    `${id}: %s is refused (invalid_category, invalid_payload or invalid_request)`,
    async (_, body, title) => {
      const answer = await calls[id](body);
      expect([answer.status, titleOf(answer)]).toEqual([400, title]);
    },
  );

  test(`${id}: a payload nested more deeply than functions can call`, async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const PayloadJson = `${valid.slice(0, -1)},"extra":${deep}}`;
    expect((await calls[id]({ Category: 'special', PayloadJson })).status).toBeLessThan(300);
  });
});
