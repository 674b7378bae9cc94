import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
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
