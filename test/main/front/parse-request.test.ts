import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  assertNoContentCoding,
  assertPlainJson,
  errorsOf,
  idempotencyKeyOf,
  parseBody,
  parseQuery,
  parseWith,
} from '#main/front/parse-request.ts';
import { Problem } from '#main/front/problem.ts';

/** What these functions read of a request. */
interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly query?: unknown;
  readonly body?: unknown;
  /** The values of the header Idempotency-Key, as they were sent. */
  readonly keys?: readonly string[];
}
const requestOf = ({ headers = {}, url = '/', query = {}, body, keys = [] }: Asked) =>
  ({
    headers: keys.length === 0 ? headers : { ...headers, 'idempotency-key': keys.join(', ') },
    url,
    query,
    body,
    raw: { headersDistinct: keys.length === 0 ? {} : { 'idempotency-key': keys } },
  }) as unknown as FastifyRequest;

/** The detail and the fields of a refusal. */
function refusalOf(run: () => unknown) {
  try {
    return { value: run() };
  } catch (error) {
    if (!(error instanceof Problem) || error.title !== 'invalid_request') throw error;
    return { detail: error.detail, errors: error.errors };
  }
}
/** Why a schema refuses a value. */
function errorOf(schema: z.ZodType, value: unknown): z.ZodError {
  const { error } = schema.safeParse(value);
  if (!error) throw new Error('the value is accepted');
  return error;
}
const json = { 'content-type': 'application/json' };
const text = z.object({ Text: z.string('must be a text.'), Size: z.number().optional() });

describe('a part of a request', () => {
  test('is its value, or undefined without a schema', () => {
    expect(parseWith(text, { Text: 'a', other: 1 }, 'body')).toEqual({ Text: 'a' });
    expect(refusalOf(() => parseWith(undefined, { Text: 'a' }, 'body'))).toEqual({});
  });

  test('has all fields at fault named, with all their messages', () => {
    expect(refusalOf(() => parseWith(text, { Size: 'a' }, 'path'))).toEqual({
      detail: 'the path is not as the operation expects it',
      errors: { Text: ['must be a text.'], Size: [expect.any(String) as string] },
    });
    const nested = z.object({
      list: z.array(z.string('must be a text.').refine(() => false, 'is wrong.')),
    });
    expect(errorsOf(errorOf(nested, { list: [1, 'a'] }))).toEqual({
      'list.0': ['must be a text.'],
      'list.1': ['is wrong.'],
    });
    const twice = z.string().min(3, 'is short.').regex(/b/, 'has no b.');
    expect(errorsOf(errorOf(z.object({ a: twice }), { a: 'a' }))).toEqual({
      a: ['is short.', 'has no b.'],
    });
  });

  test('is named itself if it is at fault as a whole', () => {
    const error = errorOf(z.object({}, 'is odd.'), 1);
    expect(errorsOf(error)).toEqual({ body: ['must be a JSON object.'] });
    expect(errorsOf(error, 'query')).toEqual({ query: ['is odd.'] });
  });
});

describe('the name of a member', () => {
  const wrong = {
    detail: 'the body is not as the operation expects it',
    errors: { text: ['is called Text.'], SIZE: ['is called Size.'] },
  };

  test.each([
    ['of a body', text],
    ['of a body that may be missing', text.optional()],
    ['of a body with a default', text.default({ Text: '' })],
    ['of a body that may be null', text.nullable()],
  ])('%s differs from a known one by more than its case', (_name, schema) => {
    const body = { text: 'a', SIZE: 1, Text: 'b', other: 1 };
    expect(refusalOf(() => parseWith(schema, body, 'body'))).toEqual(wrong);
  });

  test('is free in the query, in what is no object, and where no name is known', () => {
    expect(refusalOf(() => parseWith(text, { text: 'a', Text: 'b' }, 'query'))).toEqual({
      value: { Text: 'b' },
    });
    for (const value of [null, 'text', 1])
      expect(refusalOf(() => parseWith(text, value, 'body'))).toMatchObject({
        errors: { body: ['must be a JSON object.'] },
      });
    expect(parseWith(z.any(), { text: 'a' }, 'body')).toEqual({ text: 'a' });
    expect(parseWith(z.array(z.any()), ['a'], 'body')).toEqual(['a']);
  });
});

describe('the query', () => {
  const schema = z.object({ q: z.string().optional() });
  const parse = (url: string, query: object = { q: 'ü' }) =>
    refusalOf(() => parseQuery(schema, requestOf({ url, query })));
  const notEncoded = (name: string) => ({
    detail: 'the query is not as the operation expects it',
    errors: { [name]: ['must be percent-encoded UTF-8.'] },
  });

  test.each(['/a?q=%C3%BC', '/a?q=b&p=%20', '/a', '/%FC/a', '/a%FC', '/a?q=50'])(
    'is taken in UTF-8: %s',
    (url) => {
      expect(parse(url)).toEqual({ value: { q: 'ü' } });
    },
  );

  test.each([
    ['/a?q=%FC', 'q'],
    ['/a?p=%20&q=%FC', 'q'],
    ['/a?%C3%BC=%FC', 'ü'],
    ['/a?q=50%', 'q'],
    ['/a?q=%FC=1', 'q'],
    ['/a?%FC=1', 'query'],
    ['?q=%FC', 'q'],
  ])('names the field whose encoding is another: %s', (url, name) => {
    expect(parse(url)).toEqual(notEncoded(name));
  });

  test('is not read by an operation that takes none', () => {
    expect(refusalOf(() => parseQuery(undefined, requestOf({ url: '/a?q=%FC' })))).toEqual({});
  });

  test('is checked as such', () => {
    expect(parse('/a', { q: 1 })).toMatchObject({
      detail: 'the query is not as the operation expects it',
    });
  });
});

describe('the body', () => {
  const parse = (
    body: string | Buffer | undefined,
    headers: Readonly<Record<string, string>> = json,
  ) =>
    refusalOf(() =>
      parseBody(
        text,
        requestOf({ headers, body: typeof body === 'string' ? Buffer.from(body) : body }),
      ),
    );

  test('is JSON in UTF-8', () => {
    expect(parse('{"Text":"ü"}')).toEqual({ value: { Text: 'ü' } });
    const refused = {
      detail: 'the body is not JSON',
      errors: { body: ['must be JSON in UTF-8.'] },
    };
    expect(parse('{"Text":')).toEqual(refused);
    expect(parse(Buffer.from('{"Text":"ü"}', 'latin1'))).toEqual(refused);
  });

  test('has a member that is written otherwise named', () => {
    expect(parse('{"Text":"a","size":1}')).toEqual({
      detail: 'the body is not as the operation expects it',
      errors: { size: ['is called Size.'] },
    });
  });

  test('is required, unless its schema takes none', () => {
    const refused = { detail: 'the request has no body', errors: { body: ['is required.'] } };
    expect(parse(undefined)).toEqual(refused);
    expect(parse('')).toEqual(refused);
    const optional = text.optional();
    for (const body of [undefined, Buffer.alloc(0)])
      expect(parseBody(optional, requestOf({ body }))).toBeUndefined();
    const given = { headers: json, body: Buffer.from('{"Text":"a"}') };
    expect(parseBody(optional, requestOf(given))).toEqual({ Text: 'a' });
    expect(refusalOf(() => parseBody(undefined, requestOf({ body: Buffer.from('x') })))).toEqual(
      {},
    );
  });

  test.each(['application/json', 'Application/JSON; charset=utf-8', ' application/json ;a'])(
    'is sent as JSON: %s',
    (type) => {
      expect(parse('{"Text":"a"}', { 'content-type': type })).toEqual({ value: { Text: 'a' } });
    },
  );

  test.each([{}, { 'content-type': 'text/plain' }, { 'content-type': 'application/jsonx' }])(
    'is refused as another type: %o',
    (headers) => {
      expect(refusalOf(() => assertPlainJson(requestOf({ headers })))).toEqual({
        detail: 'the body must be sent as application/json',
        errors: { 'Content-Type': ['must be application/json.'] },
      });
      expect(parse('{"Text":"a"}', headers)).toMatchObject({
        errors: { 'Content-Type': expect.any(Array) as unknown },
      });
    },
  );

  test.each(['gzip', 'identity, gzip', 'br,identity', 'x'])('is not compressed: %s', (coding) => {
    const headers = { ...json, 'content-encoding': coding };
    const refused = {
      detail: 'the body must be sent without a content coding',
      errors: { 'Content-Encoding': ['must be left out, or identity.'] },
    };
    expect(refusalOf(() => assertNoContentCoding(requestOf({ headers })))).toEqual(refused);
    expect(refusalOf(() => assertPlainJson(requestOf({ headers })))).toEqual(refused);
  });

  test.each(['', 'identity', ' Identity , ', ','])(
    'may say that it has no coding: "%s"',
    (coding) => {
      const headers = { 'content-encoding': coding };
      expect(refusalOf(() => assertNoContentCoding(requestOf({ headers })))).toEqual({});
    },
  );
});

describe('the Idempotency-Key', () => {
  const keyOf = (...keys: string[]) => refusalOf(() => idempotencyKeyOf(requestOf({ keys })));

  test.each(['a', 'a, b', ' ~', 'x'.repeat(255)])('is printable: %s', (key) => {
    expect(keyOf(key)).toEqual({ value: key });
  });

  test('may be missing', () => {
    expect(idempotencyKeyOf(requestOf({}))).toBeUndefined();
  });

  test.each(['', 'x'.repeat(256), 'ü', 'a\tb', '\x7f', 'a\u0000'])('is refused: %j', (key) => {
    expect(keyOf(key)).toEqual({
      detail: 'the Idempotency-Key is not a usable key',
      errors: { 'Idempotency-Key': ['must be 1 to 255 printable characters.'] },
    });
  });

  test('is given once', () => {
    expect(keyOf('a', 'b')).toEqual({
      detail: 'the request has more than one Idempotency-Key',
      errors: { 'Idempotency-Key': ['must be given once.'] },
    });
  });
});
