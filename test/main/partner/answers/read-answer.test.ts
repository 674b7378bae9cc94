import { Readable } from 'node:stream';
import { describe, expect, it, test } from 'vitest';
import {
  discardBody,
  isServerFailure,
  isThrottle,
  isUnauthorized,
  maxWeight,
  mayBeJson,
  mediaTypeOf,
  missingPath,
  parseJsonObject,
  passingRefusal,
  readJson,
  readRefusal,
  readShortBody,
  readText,
  refusalError,
  tokenRefusalError,
  type Refusal,
} from '#main/partner/answers/read-answer.ts';
import type { Answer } from '#main/partner/requests/transport.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { problemOf } from '../../engine/support/test-client.ts';

const host = 'partner.example';
const megabyte = 1024 * 1024;

function answerOf(
  body: string | Iterable<Buffer> | AsyncIterable<Buffer>,
  { status = 200, type = 'application/json' }: { status?: number; type?: string | null } = {},
): Answer {
  return {
    status,
    headers: type === null ? {} : { 'content-type': type },
    body: Readable.from(typeof body === 'string' ? [Buffer.from(body)] : body),
  };
}

/** Pieces that are counted as they are taken; `ended` is set if all were taken. */
function countedPieces(sizes: readonly number[]) {
  const found = { taken: 0, ended: false };
  async function* pieces() {
    for (const size of sizes) {
      found.taken += 1;
      yield await Promise.resolve(Buffer.alloc(size, 'x'));
    }
    found.ended = true;
  }
  const answer: Answer = { status: 200, headers: {}, body: pieces() };
  return { answer, found };
}

async function* breaksOffAfter(text: string) {
  yield await Promise.resolve(Buffer.from(text));
  throw new DeskError('connection_lost', { host });
}

describe('the media type', () => {
  it('is that of the header, without parameters, in lower case', () => {
    expect(mediaTypeOf(answerOf('', { type: ' Text/HTML ; charset=utf-8' }))).toBe('text/html');
    expect(mediaTypeOf(answerOf('', { type: null }))).toBe('');
  });

  it.each([
    [null, true],
    ['application/json', true],
    ['text/json; charset=utf-8', true],
    ['application/problem+json', true],
    ['application/json-lines', false],
    ['application/problem+jsonp', false],
    ['application/+json', false],
    ['application/a/b+json', false],
    ['x-application/problem+json', false],
    ['text/problem+json', false],
    ['text/html', false],
  ])('%s may be JSON: %s', (type, expected) => {
    expect(mayBeJson(answerOf('', { type }))).toBe(expected);
  });
});

describe('the size of an answer', () => {
  const tooLarge = (maxMegabytes: number) => ({
    code: 'answer_too_large',
    params: { host, maxMegabytes },
  });
  const stringOf = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;

  it('is 16 MB at most', async () => {
    const text = stringOf(16 * megabyte);
    expect((await readText(answerOf(text), host)).length).toBe(16 * megabyte);
    expect(await problemOf(readText(answerOf(`${text} `), host))).toEqual(tooLarge(16));
    expect(await problemOf(readText(answerOf(stringOf(16 * megabyte + 1)), host))).toEqual(
      tooLarge(16),
    );
  });

  it('is bounded also by the work of parsing it', async () => {
    const text = ' '.repeat(maxWeight);
    expect(await readText(answerOf(text), host)).toBe(text);
    expect(await problemOf(readText(answerOf(`${text} `), host))).toEqual(tooLarge(16));
  });

  it.each(['X1', 'X6', 'X10'])('of a list (%s) leaves long strings out', async (operation) => {
    const [whole, long] = [stringOf(6 * megabyte), stringOf(6 * megabyte + 1)];
    const value = await readJson(answerOf(`[${whole},${long}]`), host, operation);
    expect(value).toEqual([JSON.parse(whole), { tooLong: long.length }]);
    const many = `[${[whole, whole, whole].join(',')}]`;
    expect(await problemOf(readJson(answerOf(many), host, operation))).toEqual(tooLarge(16));
  });

  it.each(['X2', undefined])('of a record (%s) has its long strings', async (operation) => {
    const long = stringOf(6 * megabyte + 1);
    expect(await readJson(answerOf(long), host, operation)).toHaveLength(long.length - 2);
  });

  it('of a list is 512 MB at most, whatever is left out', async () => {
    const piece = Buffer.alloc(megabyte, 'x');
    function* pieces(count: number, more: string) {
      yield Buffer.from('"');
      for (let left = count; left > 0; left -= 1) yield piece;
      yield Buffer.from(more);
    }
    const most = pieces(511, `${'x'.repeat(megabyte - 2)}"`);
    expect(await readJson(answerOf(most), host, 'X1')).toEqual({ tooLong: 512 * megabyte });
    const more = pieces(511, `${'x'.repeat(megabyte - 1)}"`);
    expect(await problemOf(readJson(answerOf(more), host, 'X1'))).toEqual(tooLarge(512));
  });
});

describe('a text', () => {
  it('loses the mark that it begins with, and no other', async () => {
    expect(await readText(answerOf('\ufeffa\ufeffb'), host)).toBe('a\ufeffb');
    expect(await readShortBody(answerOf('\ufeffa\ufeffb'))).toBe('a\ufeffb');
    expect(parseJsonObject('\ufeff{"a":1}', answerOf(''), host)).toEqual({ a: 1 });
  });

  it('is put together before its letters are decoded', async () => {
    const bytes = Buffer.from('Zürich');
    const halves = () => answerOf([bytes.subarray(0, 2), bytes.subarray(2)]);
    expect(await readText(halves(), host)).toBe('Zürich');
    expect(await readShortBody(halves())).toBe('Zürich');
  });
});

describe('a text that is no JSON', () => {
  const invalid = { code: 'answer_invalid', params: { operation: 'X2', detail: 'JSON' } };
  const lost = { code: 'connection_lost', params: { host } };
  const page = (found: string) => ({ code: 'captive_portal', params: { host, found } });

  it.each([
    ['{"Id":', 'application/json', lost],
    [' {"Id":"}" ', 'application/json', lost],
    ['{"Id":', null, lost],
    ['{"Id":}', 'application/json', invalid],
    ['{"Id":}\n', 'application/json', invalid],
    ['', 'application/json', invalid],
    ['sign in', 'application/json', invalid],
    ['', null, invalid],
    [' \n', null, invalid],
    ['sign in', null, page('no-json')],
    ['<html>', 'application/json', page('application/json')],
    ['\n <html>', 'application/json', page('application/json')],
  ])('%j, sent as %s', async (text, type, expected) => {
    expect(await problemOf(readJson(answerOf(text, { type }), host, 'X2'))).toEqual(expected);
  });

  it('and whose server need not be the partner comes from another', async () => {
    const type = 'application/json';
    expect(await problemOf(readJson(answerOf('no'), host))).toEqual(page(type));
    expect(await problemOf(readJson(answerOf('{'), host))).toEqual(lost);
  });

  it('keeps the error of the parser for the log', async () => {
    for (const text of ['{', 'no']) {
      await expect(readJson(answerOf(text), host, 'X2')).rejects.toMatchObject({
        cause: expect.any(SyntaxError) as unknown,
      });
    }
  });

  it('by its type is a page of another server, and its body is discarded', async () => {
    const { answer, found } = countedPieces([10, 10]);
    const html = { ...answer, headers: { 'content-type': 'text/html' } };
    expect(await problemOf(readJson(html, host, 'X2'))).toEqual(page('text/html'));
    expect(found).toEqual({ taken: 2, ended: true });
  });

  it('because it is a list without content is empty', async () => {
    const none = () => answerOf('', { status: 204, type: null });
    for (const operation of ['X1', 'X6', 'X10'])
      expect(await readJson(none(), host, operation)).toEqual({ Total: 0, Items: [] });
    expect(await problemOf(readJson(none(), host, 'X2'))).toEqual(invalid);
    const other = answerOf('', { type: null });
    expect(await problemOf(readJson(other, host, 'X1'))).toMatchObject({ code: 'answer_invalid' });
  });
});

describe('a body that is not needed', () => {
  it('is read to its end if it is short, so that the connection can be used again', async () => {
    const short = countedPieces([32 * 1024, 32 * 1024]);
    expect(await readShortBody(short.answer)).toBe('x'.repeat(64 * 1024));
    expect(short.found).toEqual({ taken: 2, ended: true });
    const long = countedPieces([32 * 1024, 32 * 1024 + 1, 1]);
    expect(await readShortBody(long.answer)).toBe('');
    expect(long.found).toEqual({ taken: 2, ended: false });
  });

  it('may break off', async () => {
    expect(await readShortBody(answerOf(breaksOffAfter('half')))).toBe('');
    await expect(discardBody(answerOf(breaksOffAfter('half')))).resolves.toBeUndefined();
  });
});

const refusal = (status: number, title = '', more: Partial<Refusal> = {}): Refusal => ({
  status,
  title,
  detail: '',
  sentence: '',
  errors: {},
  correlationId: 'theirs',
  oauthError: '',
  foreign: null,
  ...more,
});

describe('a refusal', () => {
  const read = (status: number, body: unknown, type: string | null = 'application/problem+json') =>
    readRefusal(answerOf(JSON.stringify(body), { status, type }), host, 'theirs');

  it('has what its problem document says', async () => {
    const body = {
      title: 'invalid_payload',
      detail: 'It is wrong.',
      instance: 'instance',
      errors: { Text: ['too long', 'too wide'], Comment: ['absent'] },
      more: 1,
    };
    expect(await read(400, body)).toEqual({
      status: 400,
      title: 'invalid_payload',
      detail: 'It is wrong.\ntoo long\ntoo wide\nabsent',
      sentence: 'It is wrong.',
      errors: body.errors,
      correlationId: 'theirs',
      oauthError: '',
      foreign: null,
    });
    const errors = { Text: ['too long'] };
    expect(await read(400, { errors })).toMatchObject({ title: '', detail: 'too long', errors });
  });

  it('has what an error of OAuth says, if there is no title', async () => {
    const body = { error: 'invalid_client', error_description: 'unknown client' };
    expect(await read(401, body)).toMatchObject({
      title: 'invalid_client',
      detail: 'unknown client',
      sentence: 'unknown client',
      oauthError: 'invalid_client',
    });
    expect(await read(401, { ...body, title: 'no', detail: 'not you' })).toMatchObject({
      title: 'no',
      detail: 'not you',
      oauthError: 'invalid_client',
    });
  });

  it('has the correlation id of the header before that of its document', async () => {
    const answer = () => answerOf('{"instance":"instance"}', { status: 400 });
    expect((await readRefusal(answer(), host, '')).correlationId).toBe('instance');
    expect((await readRefusal(answer(), host, 'header')).correlationId).toBe('header');
    expect((await readRefusal(answerOf('{}', { status: 400 }), host, '')).correlationId).toBe('');
  });

  it('loses only the member that has another form', async () => {
    const wrong = { title: 1, detail: [], instance: {}, errors: ['no'], error: 2 };
    const bare = refusal(400);
    expect(await read(400, { ...wrong, error_description: 3 })).toEqual(bare);
    expect(await read(400, { ...wrong, title: 'kept' })).toEqual({ ...bare, title: 'kept' });
    expect(await read(400, { title: null, detail: null, instance: null, errors: null })).toEqual(
      bare,
    );
  });

  it('says 2000 characters at most', async () => {
    expect((await read(400, { detail: 'x'.repeat(3000) })).detail).toHaveLength(2000);
  });

  it('is its status alone if its document cannot be read', async () => {
    const bare = refusal(400);
    expect(await readRefusal(answerOf('no', { status: 400 }), host, 'theirs')).toEqual(bare);
    expect(await read(400, [])).toEqual(bare);
    const broken = answerOf(breaksOffAfter('{"title":"x"}'), { status: 400 });
    expect(await readRefusal(broken, host, 'theirs')).toEqual(bare);
  });

  it.each([
    [302, 'application/json', { code: 'redirect_refused', params: { host } }],
    [399, null, { code: 'redirect_refused', params: { host } }],
    [400, 'application/json', null],
    [407, 'application/json', { code: 'proxy_sign_in', params: { host } }],
    [407, 'text/html', { code: 'proxy_sign_in', params: { host } }],
    [511, 'text/plain', { code: 'captive_portal', params: { host, found: 'text/plain' } }],
    [511, null, { code: 'captive_portal', params: { host, found: 'no-json' } }],
    [403, 'text/html', { code: 'captive_portal', params: { host, found: 'text/html' } }],
    [413, 'text/html', null],
    [403, 'text/plain', null],
  ])('with the status %i, sent as %s', async (status, type, expected) => {
    const found = await read(status, {}, type);
    expect(found.foreign?.problem ?? null).toEqual(expected);
    expect({ ...found, foreign: null }).toEqual(refusal(status));
  });

  it.each([
    [302, 'text/html'],
    [407, 'text/html'],
    [511, 'text/html'],
    [403, 'text/html'],
    [403, 'text/plain'],
  ])('of %i (%s) leaves the connection free', async (status, type) => {
    const { answer, found } = countedPieces([10, 10]);
    await readRefusal({ ...answer, status, headers: { 'content-type': type } }, host, '');
    expect(found.ended).toBe(true);
  });
});

describe('what a refusal means', () => {
  test.each([
    [refusal(500), { mayHaveRun: true }],
    [refusal(503), { mayHaveRun: true }],
    [refusal(400, 'upstream_timeout'), { mayHaveRun: true }],
    [refusal(400, 'upstream_error'), { mayHaveRun: true }],
    [refusal(400, 'internal_error'), { mayHaveRun: true }],
    [refusal(408), { mayHaveRun: true }],
    [refusal(421), { mayHaveRun: false }],
    [refusal(423, 'Locked'), { mayHaveRun: false }],
    [refusal(425), { mayHaveRun: false }],
    [refusal(423, 'invalid_state'), null],
    [refusal(499), null],
    [refusal(511), null],
    [refusal(404), null],
  ])('$status "$title" passes: %j', (given, expected) => {
    expect(passingRefusal(given)).toEqual(expected);
    const isFailure = given.status === 500 || given.status === 503 || given.status === 400;
    expect(isServerFailure(given)).toBe(isFailure);
  });

  it('is too many requests by its status or its title', () => {
    const throttles = [refusal(429), refusal(400, 'rate_limited'), refusal(428, 'Too Many')];
    expect(throttles.map(isThrottle)).toEqual([true, true, false]);
  });

  it('is a refused token or proof by its status or its title', () => {
    const given = [
      refusal(401, 'no'),
      refusal(400, 'invalid_dpop'),
      refusal(403, 'unauthorized'),
      refusal(403, 'forbidden'),
    ];
    expect(given.map(isUnauthorized)).toEqual([true, true, true, false]);
  });
});

describe('the error of a refusal', () => {
  const foreign = new DeskError('proxy_sign_in', { host });

  it.each([
    [
      refusal(503, 'down', { foreign }),
      { code: 'server_failed', params: { title: 'down', status: 503, correlationId: 'theirs' } },
    ],
    [refusal(407, '', { foreign }), foreign.problem],
    [refusal(401, 'invalid_org_context'), { code: 'organization_kind_wrong', params: {} }],
    [
      refusal(401, 'no', { detail: 'why' }),
      { code: 'unauthorized', params: { title: 'no', detail: 'why' } },
    ],
  ])('%#', (given, expected) => {
    expect(refusalError(given).problem).toEqual(expected);
  });

  it('of another refusal has all of it, and the operation that was refused a read', () => {
    const given = refusal(409, 'invalid_state', { detail: 'not now' });
    const params = {
      title: 'invalid_state',
      status: 409,
      detail: 'not now',
      correlationId: 'theirs',
    };
    const error = refusalError(given);
    expect(error.problem).toEqual({ code: 'server_refused', params });
    expect(error.cause).toBe(given);
    expect(refusalError(given, 'X2').problem.params).toEqual({ ...params, operation: 'X2' });
  });

  it('is that of the address if nothing is where the request names no record', () => {
    const url = new URL('https://partner.example/api/v1/experts/cases?q=Muster');
    const params = { address: 'https://partner.example/api/v1/experts/cases' };
    for (const status of [404, 405, 410]) {
      for (const operation of ['token', 'X1']) {
        const given = refusal(status);
        const error = missingPath(operation, url, given);
        expect(error?.problem).toEqual({ code: 'path_unknown', params: { ...params, status } });
        expect(error?.cause).toBe(given);
      }
      expect(missingPath('X2', url, refusal(status))).toBeNull();
    }
    expect(missingPath('X1', url, refusal(403))).toBeNull();
  });
});

describe('a refused token request', () => {
  const who = { clientId: 'client-1', audience: 'https://partner.example/token', offsetMs: 89_000 };
  const code = (detail: string) => tokenRefusalError(refusal(401, '', { detail }), who).code;

  it.each([
    ['The access was revoked.', 'access_revoked'],
    ['the revoked key', 'access_revoked'],
    ['unrevokedly', 'sign_in_refused'],
    ['The aud is wrong', 'audience_wrong'],
    ['Audience', 'audience_wrong'],
    ['a fraud', 'sign_in_refused'],
    ['audit', 'sign_in_refused'],
    ['the iat is wrong', 'clock_wrong'],
    ['the nbf is wrong', 'clock_wrong'],
    ['the exp is wrong', 'clock_wrong'],
    ['export', 'sign_in_refused'],
    ['assertion expired', 'clock_wrong'],
    ['issued in the future', 'clock_wrong'],
    ['check the clock', 'clock_wrong'],
    ['signature', 'key_rejected'],
    ['a wrong key', 'key_rejected'],
    ['no keys', 'key_rejected'],
    ['the kid', 'key_rejected'],
    ['monkeys kidding', 'sign_in_refused'],
    ['the client_id', 'client_id_unknown'],
    ['a client id', 'client_id_unknown'],
    ['the iss', 'client_id_unknown'],
    ['the sub', 'client_id_unknown'],
    ['unknown client', 'client_id_unknown'],
    ['no such client', 'client_id_unknown'],
    ['client authentication failed', 'sign_in_refused'],
    ['a missing subject', 'sign_in_refused'],
    ['', 'sign_in_refused'],
  ])('that says "%s"', (detail, expected) => {
    expect(code(detail)).toBe(expected);
  });

  it('is named with what may be wrong', () => {
    const problem = (detail: string) =>
      tokenRefusalError(refusal(401, '', { detail }), who).problem.params;
    expect(problem('aud')).toEqual({ audience: who.audience });
    expect(problem('exp')).toEqual({ offsetMinutes: 1 });
    expect(problem('iss')).toEqual({ clientId: 'client-1' });
    expect(problem('no')).toEqual({ clientId: 'client-1', audience: who.audience });
  });

  it('is one of the client by its status, title or code, unless the server failed', () => {
    const given = [
      refusal(401),
      refusal(400, 'invalid_client'),
      refusal(400, 'no', { oauthError: 'invalid_client' }),
      refusal(400, 'no'),
      refusal(503, 'invalid_client'),
      refusal(401, 'internal_error'),
    ];
    expect(given.map((each) => tokenRefusalError(each, who).code)).toEqual([
      'sign_in_refused',
      'sign_in_refused',
      'sign_in_refused',
      'server_refused',
      'server_failed',
      'server_failed',
    ]);
  });
});
