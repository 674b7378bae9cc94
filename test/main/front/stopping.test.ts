import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { send } from '../service/support/partner.ts';
import { startService } from '../service/support/service.ts';

test('stopping: ends once the request under way is answered, although its connection could stay', async () => {
  const arrived = Promise.withResolvers<undefined>();
  const answer = Promise.withResolvers<string>();
  let app: FastifyInstance | undefined;
  const server = await startService({
    mount: (mounted) => {
      app = mounted.get('/slow', () => {
        arrived.resolve(undefined);
        return answer.promise;
      });
    },
  });
  const agent = new Agent({ keepAlive: true });
  const asked = once(get(`${server.baseUrl}/slow`, { agent }), 'response');
  await arrived.promise;
  const stopping = server.remove();
  // From then on idle connections were closed, and this one was not idle.
  while (app?.server.listening === true) await setImmediate();
  answer.resolve('answered');
  const [response] = (await asked) as [IncomingMessage];
  expect(await response.setEncoding('utf8').toArray()).toEqual(['answered']);
  await stopping;
  agent.destroy();
});

test('draining: what the proxy repeats elsewhere is refused, everything else is still answered', async () => {
  const service = await startService();
  const insurer = await service.partner('insurer');
  const ask = (headers: Record<string, string>) =>
    send('GET', `${service.baseUrl}/v1/schemas/claims/special.json`, { headers }).then(
      ({ status, headers: answered }) => `${String(status)} ${String(answered['connection'])}`,
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
    );
  const repeats = { 'x-proxy-repeats': 'GET' };
  expect(await ask(repeats)).toBe('200 keep-alive');
  await insurer.token();
  service.context.draining.isOn = true;
  expect(await ask(repeats)).toBe('ECONNRESET');
  expect(await ask({})).toBe('200 close');
  const write = insurer.request('POST', '/v1/insurers/claims:validate', {
    body: { Category: 'special', PayloadJson: '{}' },
    headers: repeats,
  });
  expect((await write).status).toBe(200);
  await service.remove();
});
