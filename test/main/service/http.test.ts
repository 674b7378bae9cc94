import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptedCase } from './support/claims.ts';
import { send, sha256, type Partner } from './support/partner.ts';
import { startService, type ServiceForTest } from './support/service.ts';

const mib = 1024 * 1024;
const id = '8b0d4b2e-6f6a-4b6e-9d6b-0c1f0e2d3a4b';
const cases = '/v1/experts/cases';
const uploads = `/v1/experts/reports/${id}/documents`;

let service: ServiceForTest;
let expert: Partner;
let caseId: string;

beforeAll(async () => {
  service = await startService();
  expert = await service.partner('expert');
  caseId = (await acceptedCase(service, await service.partner('insurer'))).Id;
});
afterAll(() => service.remove());

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

/** A body of so many bytes that is no JSON, with the header that announces it. */
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
  );

  test('upload: one over 80 MiB that was refused before its end leaves the connection usable', async () => {
    const { headers, body } = chunked(81 * mib);
    const text = await exchange(await head('POST', uploads, { headers }), body, last);
    expect([statuses(text), titles(text)]).toEqual([['400', '200'], ['invalid_request']]);
  });

  test.each([
    ['an unknown address', 'POST', '/v1/experts/report'],
    ['a method that is not served', 'PATCH', uploads],
  ])('not_found: %s, however large the body', async (_, method, path) => {
    const { headers, body } = declared(8 * mib);
    const text = await exchange(await head(method, path, { headers }), body, last);
    expect([statuses(text), titles(text)]).toEqual([['404', '200'], ['not_found']]);
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
      // The coding is what is wrong, even where the body is JSON after all.
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

describe('request targets', () => {
  test.each([
    ['the service’s own address', () => service.baseUrl],
    ['another host', () => 'http://other.example:8080'],
    ['capitals', () => service.baseUrl.replace('http', 'HTTP')],
  ])('DPoP htu: a target in absolute form, with %s, is its path', async (_, origin) => {
    // RFC 9112 section 3.2.2: a server must accept it; its authority counts as little as Host.
    const path = `${cases}?size=1`;
    const line = origin() + path;
    const text = await exchange(await head('GET', path, { line }), last);
    expect(statuses(text)).toEqual(['200', '200']);
    expect(text).toContain('"Size":1');
  });

  test('idempotency: a target in absolute form is the same path', async () => {
    const path = `${cases}/${caseId}:reopen`;
    const headers = ['Idempotency-Key: absolute', 'Content-Length: 14'];
    const body = '{"Reason":"a"}';
    const text = await exchange(
      (await head('POST', path, { headers })) + body,
      (await head('POST', path, { headers, line: service.baseUrl + path })) + body,
      last,
    );
    expect(titles(text)).toEqual(['invalid_state', 'invalid_state']);
    expect(text.match(/idempotency-replayed: true/gi)).toHaveLength(1);
  });

  test.each([
    ['I3', 'POST', () => '/v1/insurers/claims%3Avalidate', '"Valid":'],
    ['X8', 'POST', () => `${cases}/${caseId}/reports%3adraft`, '"SequenceNo":'],
    ['X5', 'POST', () => `${cases}/${caseId}%3Areopen`, 'invalid_state'],
    ['X5 in absolute form', 'POST', () => `${cases}/${caseId}%3Areopen`, 'invalid_state'],
  ])(
    'DPoP htu: an escaped colon of %s is one, and the proof is of what was sent',
    async (id, method, pathOf, said) => {
      const path = pathOf();
      const body = JSON.stringify({
        Category: 'vehicle',
        PayloadJson: '{}',
        Reason: 'a',
        Comment: '',
      });
      const options = {
        headers: [`Content-Length: ${body.length}`],
        ...(id.includes('absolute') && { line: service.baseUrl + path }),
      };
      const text = await exchange((await head(method, path, options)) + body, last);
      expect(text).toContain(said);
      // The specification: htu is the exact request URL.
      const plain = path.replace(/%3a/i, ':');
      const other = await exchange(
        (await head(method, plain, { ...options, line: path })) + body,
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

  test.each(['http://x', 'http://x?y', '*'])('not_found: the target %s', async (line) => {
    const text = await exchange(await head('GET', '/', { line }), last);
    expect([statuses(text), titles(text)]).toEqual([['404', '200'], ['not_found']]);
  });
});

test('HTTP: requests of one connection are done one after the other', async () => {
  // RFC 9112 section 9.3.2: in parallel only where all of them are safe.
  const path = `${cases}/${caseId}/expert-comment`;
  const comments = await Promise.all(
    ['a', 'b'].map(async (text) => {
      const body = JSON.stringify({ Text: text });
      const headers = [`Content-Length: ${body.length}`];
      return (await head('PUT', path, { headers })) + body;
    }),
  );
  const read = await head('GET', `${cases}/${caseId}`);
  const text = await exchange(comments.join('') + read + last);
  expect(statuses(text)).toEqual(['204', '204', '200', '200']);
  expect(text).toContain('"ExpertComment":"b"');
});

describe('bytes that are no request', () => {
  const broken = ['Transfer-Encoding: chunked', '', 'no chunk', ''].join('\r\n');

  test('HTTP: where the request was answered already there is no second answer', async () => {
    const text = await exchange(`POST /nowhere HTTP/1.1\r\nHost: x\r\n${broken}\r\n`);
    expect([statuses(text), titles(text)]).toEqual([['404'], ['not_found']]);
  });

  test('HTTP: where the request waits for its body they are its answer', async () => {
    const path = `${cases}/${caseId}/expert-comment`;
    const start = (await head('PUT', path)).slice(0, -2);
    const text = await exchange(`${start}${broken}\r\n`);
    expect([statuses(text), titles(text)]).toEqual([['400'], ['invalid_request']]);
  });

  test('HTTP: the request before them gets its answer first', async () => {
    const body = '{"Text":"before nonsense"}';
    const headers = [`Content-Length: ${body.length}`];
    const start = await head('PUT', `${cases}/${caseId}/expert-comment`, { headers });
    const text = await exchange(`${start}${body}nonsense\r\n\r\n`);
    expect([statuses(text), titles(text)]).toEqual([['204', '400'], ['invalid_request']]);
  });
});

test.each(['/docs', '/openapi.json', '/health', '/nowhere'])(
  'HTTP: %s closes the connection where the caller asks for it',
  async (path) => {
    const text = await exchange(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(text.match(/^connection: .*$/gim)).toEqual(['Connection: close']);
  },
);
