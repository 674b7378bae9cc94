import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WholeResponse } from '#main/service/whole-response.ts';

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
let close: () => void = () => undefined;
afterEach(() => close());

async function answered(answer: (response: ServerResponse) => void) {
  const server = createServer({ ServerResponse: WholeResponse }, (_request, response) =>
    answer(response),
  );
  close = () => server.close();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
  const body = Buffer.from(await response.arrayBuffer());
  return { body, length: response.headers.get('content-length') };
}

for (const [name, times] of [
  ['short', 4],
  ['at the limit', 32],
  ['long', 33],
] as const) {
  test(`a body that is ${name} comes byte for byte`, async () => {
    const sent = Buffer.concat(Array<Buffer>(times).fill(everyByte));
    const { body, length } = await answered((response) => response.end(sent));
    expect(body.equals(sent)).toBe(true);
    expect(length).toBe(String(sent.length));
  });
}

test('text, a callback, and no body work as they do without it', async () => {
  expect((await answered((response) => response.end('Zürich'))).body.toString()).toBe('Zürich');
  expect((await answered((response) => response.end('74', 'hex'))).body.toString()).toBe('t');
  const ended = Promise.withResolvers<undefined>();
  const { body } = await answered((response) => {
    response.write('a');
    response.end(Buffer.from('b'), () => ended.resolve(undefined));
  });
  expect(body.toString()).toBe('ab');
  await ended.promise;
  expect((await answered((response) => response.end())).body).toHaveLength(0);
});
