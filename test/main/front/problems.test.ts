import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { problemSchema } from '#shared/api/problem.ts';
import { send, type PartnerAnswer } from '../service/support/partner.ts';
import { shareService } from '../service/support/service.ts';

const { service, expert } = await shareService();

function expectProblem(answer: PartnerAnswer, title: string, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(problemSchema.parse(answer.json)).toMatchObject({
    type: 'about:blank',
    title,
    status,
    instance: answer.headers['x-correlation-id'],
  });
}

const amounts = '/v1/experts/cases/8b0d4b2e-6f6a-4b6e-9d6b-0c1f0e2d3a4b/amounts';

describe('problem documents', () => {
  test('not_found: an unknown route', async () => {
    expectProblem(await send('GET', `${service.baseUrl}/v1/nothing`), 'not_found', 404);
  });

  test('detail is English, whatever Accept-Language asks for', async () => {
    const answer = await send('GET', `${service.baseUrl}/v1/nothing`, {
      headers: { 'accept-language': 'de-CH, de' },
    });
    expect(answer.json).toMatchObject({ detail: 'there is no such address' });
  });

  test.each(['DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND', 'TRACE'])(
    'not_found: the method %s, which is not served',
    async (method) => {
      const answer = await send(method, service.baseUrl + amounts);
      expect(answer.status).toBe(404);
      expect(answer.headers['content-type']).toBe('application/problem+json');
    },
  );

  test('invalid_request: errors name every field at fault', async () => {
    const answer = await expert.request('PUT', amounts, { body: { CostEstimateAmount: '1' } });
    expectProblem(answer, 'invalid_request', 400);
    expect(Object.keys((answer.json as { errors: object }).errors)).toEqual([
      'CostEstimateAmount',
      'ApprovedAmount',
    ]);
  });

  test('invalid_request: errors name a body that is no object', async () => {
    const answer = await expert.request('PUT', amounts, { body: [] });
    expectProblem(answer, 'invalid_request', 400);
    expect(answer.json).toMatchObject({ errors: { body: ['must be a JSON object.'] } });
  });

  test.each([
    ['not JSON', '{"a":'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['missing', undefined],
    ['empty', ''],
    ['a number', '7'],
  ])('invalid_request: a body that is %s', async (_name, body) => {
    const answer = await expert.request('PUT', amounts, { body });
    expectProblem(answer, 'invalid_request', 400);
    expect(answer.json).toMatchObject({ errors: { body: [expect.any(String)] } });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'nonsense'])(
    'invalid_request: a body sent as %s',
    async (type) => {
      const answer = await expert.request('PUT', amounts, {
        body: {},
        headers: { 'content-type': type },
      });
      expectProblem(answer, 'invalid_request', 400);
    },
  );

  test('invalid_request: a malformed address', async () => {
    expectProblem(await send('GET', `${service.baseUrl}/v1/%zz`), 'invalid_request', 400);
  });

  test('org_without_members: an organization nobody is in', async () => {
    const memberless = await service.partner('memberless');
    expectProblem(
      await memberless.request('GET', '/v1/insurers/claims'),
      'org_without_members',
      403,
    );
  });
});

describe('bytes that are no request', () => {
  test.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['too long headers', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'y'.repeat(40_000)}\r\n\r\n`],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  ])('a problem document for %s', async (_name, bytes) => {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.write(bytes);
    await once(socket, 'close');
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(head).toMatch(/content-type: application\/problem\+json/i);
    const { instance, title, errors } = problemSchema.parse(JSON.parse(body));
    // Decisions, "Status code per title": errors name what is at fault.
    expect(Object.keys(errors ?? {})).toHaveLength(title === 'invalid_request' ? 1 : 0);
    expect(head.toLowerCase()).toContain(`x-correlation-id: ${instance}`);
  });
});

describe('correlation id', () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const ask = async (id: string | string[]) =>
    (await expert.request('GET', '/v1/experts/cases', { headers: { 'x-correlation-id': id } }))
      .headers['x-correlation-id'];

  test.each(['a', '!"#$%&()*+,-./:;<=>?@[]^_`{|}~', 'x'.repeat(80)])(
    'X-Correlation-Id: %s is given back (correlationIdMaxLength)',
    async (id) => {
      expect(await ask(id)).toBe(id);
    },
  );

  test.each(['', 'x'.repeat(81), 'a b', 'a\tb', 'é'])(
    'X-Correlation-Id: %j is replaced by a uuid',
    async (id) => {
      expect(await ask(Buffer.from(id).toString('latin1'))).toMatch(uuid);
    },
  );

  test('X-Correlation-Id: two of them are replaced by a uuid', async () => {
    expect(await ask(['one', 'two'])).toMatch(uuid);
  });

  test('X-Correlation-Id: a new one for every request without', async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, () => send('GET', `${service.baseUrl}/nowhere`)),
    );
    expect(new Set(ids.map(({ headers }) => headers['x-correlation-id'])).size).toBe(5);
  });
});
