import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptedCase } from '../service/support/claims.ts';
import { send, sha256 } from '../service/support/partner.ts';
import { shareService, startService } from '../service/support/service.ts';
import { fromSchema, toSchema } from '#main/front/request-schemas.ts';

const mib = 1024 * 1024;
const id = '8b0d4b2e-6f6a-4b6e-9d6b-0c1f0e2d3a4b';
const cases = '/v1/experts/cases';
const uploads = `/v1/experts/reports/${id}/documents`;

const { service, insurer, expert } = await shareService();
const { Id: caseId } = await acceptedCase(service, insurer);

/** Head of a request of the expert's, signed; `line` is what stands for the path in its first line. */
async function head(
  method: string,
  path: string,
  { line = path, headers = [] as readonly string[] } = {},
): Promise<string> {
  const token = await expert.token();
  const proof = await expert.proof(method, service.baseUrl + path, { ath: sha256(token) });
  const lines = [
    `${method} ${line} HTTP/1.1`,
    'Host: x',
    'Content-Type: application/json',
    `Authorization: DPoP ${token}`,
    `DPoP: ${proof}`,
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** The last request of a connection. */
const last = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/**
 * Sends everything over one connection before it reads anything, as many a client does.
 * @returns what came back, to the connection's end.
 */
async function exchange(...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').pause();
  const sendAll = async () => {
    for (const part of parts) {
      await new Promise<void>((resolve, reject) => {
        socket.write(part, (error) => (error ? reject(error) : resolve()));
      });
    }
    socket.on('data', (piece: string) => (text += piece)).resume();
  };
  await Promise.all([once(socket, 'close'), sendAll()]);
  return text;
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, one]) => one);
const titles = (text: string) => [...text.matchAll(/"title":"([^"]+)"/g)].map(([, one]) => one);

/** A body of this size that is not JSON, with the header that announces it. */
function declared(bytes: number): { headers: string[]; body: Buffer } {
  return { headers: [`Content-Length: ${bytes}`], body: Buffer.alloc(bytes, 'x') };
}
function chunked(bytes: number): { headers: string[]; body: Buffer } {
  const size = Buffer.from(`${bytes.toString(16)}\r\n`);
  const body = Buffer.concat([size, Buffer.alloc(bytes, 'x'), Buffer.from('\r\n0\r\n\r\n')]);
  return { headers: ['Transfer-Encoding: chunked'], body };
}

describe('a body that is refused', () => {
  test.each([
    ['a JSON body over 1 MiB', 'POST', `${cases}/${id}:reopen`, declared(8 * mib)],
    ['one in chunks', 'POST', `${cases}/${id}:reopen`, chunked(8 * mib)],
    ['a token request over 64 KiB', 'POST', '/v1/oauth/token', declared(8 * mib)],
    ['an upload over 80 MiB', 'POST', uploads, declared(81 * mib)],
  ])(
    'size_limit_exceeded: %s is told to who sends it all first, and the connection goes on',
    async (_, method, path, { headers, body }) => {
      const text = await exchange(await head(method, path, { headers }), body, last);
      expect([statuses(text), titles(text)]).toEqual([['400', '200'], ['size_limit_exceeded']]);
    },
    120_000,
  );

  test('upload: one over 80 MiB that was refused before its end leaves the connection usable', async () => {
    const { headers, body } = chunked(81 * mib);
    const text = await exchange(await head('POST', uploads, { headers }), body, last);
    expect([statuses(text), titles(text)]).toEqual([['400', '200'], ['invalid_request']]);
  });

  test('unauthorized: before the body is read, and the connection goes on', async () => {
    const { headers, body } = declared(8 * mib);
    const bare = ['POST ' + uploads + ' HTTP/1.1', 'Host: x', ...headers].join('\r\n');
    const text = await exchange(`${bare}\r\n\r\n`, body, last);
    expect([statuses(text), titles(text)]).toEqual([['401', '200'], ['unauthorized']]);
  });
});

describe('Content-Encoding', () => {
  const comment = () => `${cases}/${caseId}/expert-comment`;
  const compressed = gzipSync('{"Text":"compressed"}');
  const refusal = {
    status: 400,
    json: {
      title: 'invalid_request',
      errors: { 'Content-Encoding': ['must be left out, or identity.'] },
    },
  };

  test.each(['gzip', 'GZIP', 'br', 'identity, gzip', 'x'])(
    'invalid_request: a body that says it is %s',
    async (coding) => {
      const answer = await expert.request('PUT', comment(), {
        body: compressed,
        headers: { 'content-encoding': coding },
      });
      expect(answer).toMatchObject(refusal);
      // The coding is what is wrong, even if the body is JSON.
      const plain = await expert.request('PUT', comment(), {
        body: { Text: 'compressed' },
        headers: { 'content-encoding': coding },
      });
      expect(plain).toMatchObject(refusal);
      const { text } = await expert.request('GET', `${cases}/${caseId}`);
      expect(text).not.toContain('compressed');
    },
  );

  test.each(['identity', 'Identity', '', 'identity,identity'])(
    'a body that says it is %j is taken',
    async (coding) => {
      const answer = await expert.request('PUT', comment(), {
        body: { Text: `Besichtigt: ${coding}` },
        headers: { 'content-encoding': coding },
      });
      expect(answer.status).toBe(204);
    },
  );

  test('invalid_request: an upload in gzip, and nothing is kept of it', async () => {
    const path = `/v1/insurers/claims/${caseId}/documents`;
    const insurer = await service.partner('insurer');
    const file = { FileName: 'a.txt', ContentType: 'text/plain', ContentBase64: 'YQ==' };
    const answer = await insurer.request('POST', path, {
      body: gzipSync(JSON.stringify(file)),
      headers: { 'content-encoding': 'gzip' },
    });
    expect(answer).toMatchObject(refusal);
    expect((await insurer.request('GET', path)).json).toMatchObject({ Total: 0 });
    const rows = await service.context.db.selectFrom('contents').selectAll().execute();
    expect(rows).toEqual([]);
  });

  test('invalid_request: a token request in gzip', async () => {
    const url = `${service.baseUrl}/v1/oauth/token`;
    const answer = await send('POST', url, {
      body: gzipSync('grant_type=client_credentials'),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'content-encoding': 'gzip',
        dpop: await expert.proof('POST', url),
      },
    });
    expect(answer).toMatchObject({
      ...refusal,
      json: { ...refusal.json, error: 'invalid_request' },
    });
  });
});

describe('an escaped colon', () => {
  test.each([
    ['I3', 'POST', () => '/v1/insurers/claims%3Avalidate', '"Valid":'],
    ['X8', 'POST', () => `${cases}/${caseId}/reports%3adraft`, '"SequenceNo":'],
    ['X5', 'POST', () => `${cases}/${caseId}%3Areopen`, 'invalid_state'],
  ])(
    'DPoP htu: an escaped colon of %s is one, and the proof is of what was sent',
    async (id, method, pathOf, quoted) => {
      const path = pathOf();
      const body = JSON.stringify({
        Category: 'vehicle',
        PayloadJson: '{}',
        Reason: 'a',
        Comment: '',
      });
      const headers = [`Content-Length: ${body.length}`];
      const text = await exchange((await head(method, path, { headers })) + body, last);
      expect(text).toContain(quoted);
      // The specification: htu is the exact request URL.
      const plain = path.replace(/%3a/i, ':');
      const other = await exchange(
        (await head(method, plain, { headers, line: path })) + body,
        last,
      );
      // I3 needs no token, so it is answered all the same.
      expect(titles(other)).toEqual(id === 'I3' ? [] : ['invalid_dpop']);
    },
  );

  test('idempotency: an escaped colon is the same path', async () => {
    const headers = ['Idempotency-Key: escaped', 'Content-Length: 14'];
    const requests = [':', '%3A'].map((colon) =>
      head('POST', `${cases}/${caseId}${colon}reopen`, { headers }),
    );
    const body = '{"Reason":"a"}';
    const text = await exchange(`${(await Promise.all(requests)).join(body)}${body}${last}`);
    expect(titles(text)).toEqual(['invalid_state', 'invalid_state']);
    expect(text.match(/idempotency-replayed: true/gi)).toHaveLength(1);
  });

  test('not_found: a percent sign that is escaped escapes no colon', async () => {
    const { headers, body } = declared(2);
    const path = '/v1/insurers/claims%253Avalidate';
    const text = await exchange(await head('POST', path, { headers }), body, last);
    expect([statuses(text), titles(text)]).toEqual([['404', '200'], ['not_found']]);
  });
});

describe('date-times of a filter', () => {
  const zone = process.env['TZ'];
  // Far from UTC, so that a date-time taken as local time would show.
  beforeAll(() => {
    process.env['TZ'] = 'Pacific/Auckland';
  });
  afterAll(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  test.each([
    ['2026-07-01T12:00:00Z', '2026-07-01T12:00:00.000Z'],
    ['2026-07-01T12:00:00', '2026-07-01T12:00:00.000Z'],
    ['2026-07-01T12:00:00.5', '2026-07-01T12:00:00.500Z'],
    ['2026-07-01T12:00:00+02:00', '2026-07-01T10:00:00.000Z'],
    ['2026-07-01T12:00:00.123-11:30', '2026-07-01T23:30:00.123Z'],
  ])('%s', (text, utc) => {
    // The test itself must be run in another zone than UTC.
    expect(new Date(0).getTimezoneOffset()).not.toBe(0);
    expect(fromSchema.parse(text)).toBe(Date.parse(utc));
    expect(toSchema.parse(text)).toBe(Date.parse(utc));
  });
});

describe('HEAD', () => {
  test('is served where GET is, with its headers and no body, and elsewhere it is not found', async () => {
    const [got, asked] = [await expert.request('GET', cases), await expert.request('HEAD', cases)];
    expect([asked.status, asked.text]).toEqual([200, '']);
    expect(asked.headers['content-length']).toBe(String(got.body.length));
    expect((await expert.request('HEAD', `${cases}/${caseId}/amounts`)).status).toBe(404);
  });
});

describe('a request without Host', () => {
  test('gets the problem document and its correlation id', async () => {
    const text = await exchange('GET /health HTTP/1.1\r\nX-Correlation-Id: mine\r\n\r\n', last);
    expect([statuses(text), titles(text)]).toEqual([['400', '200'], ['invalid_request']]);
    expect(text).toContain('"Host":["is required."]');
    expect(text).toContain('"instance":"mine"');
  });

  test('of HTTP/1.0 needs none', async () => {
    expect(statuses(await exchange('GET /health HTTP/1.0\r\n\r\n'))).toEqual(['200']);
  });
});

describe('members of another case', () => {
  const comment = `${cases}/${caseId}/expert-comment`;
  test.each([{ text: 'lost' }, { TEXT: 'lost' }, { Text: 'one', text: 'other' }])(
    'are refused by name, and nothing is emptied (%j)',
    async (body) => {
      expect((await expert.request('PUT', comment, { body: { Text: 'kept' } })).status).toBe(204);
      const refused = await expert.request('PUT', comment, { body });
      const name = Object.keys(body).at(-1) ?? '';
      expect([refused.status, refused.json]).toMatchObject([
        400,
        { title: 'invalid_request', errors: { [name]: ['is called Text.'] } },
      ]);
      const read = await expert.request('GET', `${cases}/${caseId}`);
      expect(read.json).toMatchObject({ ExpertComment: 'kept' });
    },
  );

  test('are refused in an optional body and in an upload too', async () => {
    const draft = await expert.request('POST', `${cases}/${caseId}/reports:draft`, {
      body: { comment: 'lost' },
    });
    expect(draft.json).toMatchObject({ errors: { comment: ['is called Comment.'] } });
    const upload = await expert.request('POST', uploads, {
      body: {
        FileName: 'a.pdf',
        ContentType: 'application/pdf',
        ContentBase64: 'QQ==',
        issalvagesale: true,
      },
    });
    expect(upload.json).toMatchObject({ errors: { issalvagesale: ['is called IsSalvageSale.'] } });
  });

  test('members that no operation knows are ignored', async () => {
    const body = { Text: 'kept', Remark: 'x' };
    expect((await expert.request('PUT', comment, { body })).status).toBe(204);
  });
});

test('q: a NUL alone is refused, and does not find everything', async () => {
  const refused = await expert.request('GET', `${cases}?q=%00`);
  expect([refused.status, refused.json]).toMatchObject([
    400,
    { errors: { q: ['must be more than NUL.'] } },
  ]);
});

test.each([
  ['2026-01-15', 'the time is missing, as in 2026-01-15T08:00:00Z'],
  ['2026-01-15 08:00:00', 'a T belongs between date and time'],
  ['2026-01-15T08:00:00+01:00', 'the + of its zone has to be escaped as %2B'],
])('a date-time %s: the refusal names what it lacks', async (text, lack) => {
  const expert = await service.partner('expert');
  const path = `/v1/experts/cases?createdFrom=${text.replace(' ', '%20')}`;
  const answer = await expert.request('GET', path);
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({
    errors: { createdFrom: [`must be a date-time (ISO 8601); ${lack}.`] },
  });
});

test('an address that is too long is named as that', async () => {
  const answer = await send('GET', `${service.baseUrl}/v1/experts/cases?q=${'x'.repeat(20_000)}`);
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({
    detail: 'the address and the headers of the request are longer than 16 KiB.',
    errors: { headers: ['and the address are longer than 16 KiB.'] },
  });
});

test('a caller that stops reading is cut off after the same time as one that stops sending', async () => {
  let server: Server | undefined;
  const own = await startService({ mount: (app) => void ({ server } = app) });
  expect([server?.timeout, server?.requestTimeout]).toEqual([15 * 60_000, 15 * 60_000]);
  await own.remove();
});
