import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Call, Caller, DeliveryOptions } from '#main/partner/requests/call.ts';
import { about, checked, json, queryOf, requestsOver } from '#main/partner/requests/requests.ts';
import type { Answer } from '#main/partner/requests/transport.ts';

/* What is asked in one request, and what is read of the answer. */

/** The calls that are made, each of which gets this answer. */
function answeredWith(text: string, type = 'application/json', status = 200) {
  const calls: { call: Call<unknown>; options: DeliveryOptions | undefined }[] = [];
  const call: Caller = async (asked, options) => {
    calls.push({ call: asked, options });
    const body: Answer['body'] = Readable.from([Buffer.from(text)]);
    const headers = type === '' ? {} : { 'content-type': type };
    const value = await asked.read({
      answer: { status, headers, body },
      host: 'partner.example',
      correlationId: 'id',
      serverDateMs: null,
      corrected: false,
      nonceOffered: false,
    });
    return { value, status, correlationId: 'id', serverDateMs: null };
  };
  return { calls, ...requestsOver(call) };
}

const problem = (code: string, params: object) => ({ problem: { code, params } });
const schema = z.object({ a: z.object({ b: z.number() }) });
const values = { params: { caseId: 'x' }, query: { q: 'y' }, body: json({ c: 'ü' }) };
const options = { idempotencyKey: 'key' };

test('requests: a question is asked with its values, and its answer is checked', async () => {
  const requests = answeredWith('{"a":{"b":1}}');
  const { value } = await requests.ask('X2', schema, values, options);
  expect(value).toEqual({ a: { b: 1 } });
  expect(requests.calls).toMatchObject([{ call: { operation: 'X2', ...values }, options }]);
  expect(requests.calls[0]?.call.body?.()).toEqual(Buffer.from('{"c":"ü"}'));
  await expect(
    answeredWith('{"a":{"b":"x"}}').ask('X2', schema, values, options),
  ).rejects.toMatchObject(problem('answer_invalid', { operation: 'X2', detail: 'a.b' }));
  await expect(answeredWith('[').ask('X2', schema, values, options)).rejects.toMatchObject(
    problem('answer_invalid', { operation: 'X2', detail: 'JSON' }),
  );
  expect(() => checked('X2', schema, 1)).toThrow(
    expect.objectContaining(problem('answer_invalid', { operation: 'X2', detail: '' })) as Error,
  );
});

test('requests: a list is asked by page, size and what else it is asked by', () => {
  expect(queryOf({ page: 2, size: 50 })).toEqual({ page: '2', size: '50' });
  expect(queryOf({ page: 1, size: 9, lastChangedSince: 'then' })).toEqual({
    page: '1',
    size: '9',
    lastChangedSince: 'then',
  });
});

test.each([
  ['JSON', '{"Status":"Final"}', 'application/json'],
  ['JSON after a byte order mark', '\ufeff{"Status":"Final"}', 'application/json'],
  ['JSON that is called text', '{"Status":"Final"}', 'text/plain; charset=utf-8'],
  ['JSON of no name', '{"Status":"Final"}', ''],
])('requests: the answer to a change is read from %s', async (_, text, type) => {
  const requests = answeredWith(text, type);
  const { value } = await requests.change('X4', values, options);
  expect(value).toMatchObject({ status: 'Final', comment: undefined });
  expect(requests.calls).toMatchObject([
    { call: { operation: 'X4', params: values.params, body: values.body }, options },
  ]);
});

test.each([
  ['nothing', '', ''],
  ['a text', 'OK', 'text/plain'],
  ['a JSON of another kind', '[]', 'application/json'],
  ['null', 'null', 'application/json'],
  ['half of it', '{"Status":', 'application/json'],
])('requests: the answer to a change may be %s', async (_, text, type) => {
  expect((await answeredWith(text, type, 204).change('X4', values, options)).value).toBeNull();
});

test('requests: the page of a portal is no answer to a change', async () => {
  for (const type of ['text/html', 'text/plainer', 'image/png']) {
    const found = { host: 'partner.example', found: type };
    await expect(answeredWith('{}', type).change('X4', values, options)).rejects.toMatchObject(
      problem('captive_portal', found),
    );
  }
});

test('requests: a record is that which was asked for, by the id that it was asked with', () => {
  const id = '00000000-0000-4000-8000-00000000000A';
  const asked = about(id, z.object({ id: z.string(), more: z.number() }));
  expect(asked.parse({ id: id.toLowerCase(), more: 1 })).toEqual({ id, more: 1 });
  expect(asked.safeParse({ id: 'b', more: 1 }).error?.issues).toMatchObject([{ path: ['Id'] }]);
});
