/**
 * What the service is held against, in a process of its own: a Fastify with nothing but the proof
 * check in front of two answers. Started by service.ts with a data folder and a file with the items
 * of X1; sends its address and the expert's credentials to its parent.
 */
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { z } from 'zod';
import { authenticate } from '#main/service/front/auth/authenticate.ts';
import { useProof } from '#main/service/front/auth/proof.ts';
import { mountTokenEndpoint } from '#main/service/front/auth/token-endpoint.ts';
import { listen } from '#main/service/run-service.ts';
import { createLog } from '#main/service/front/log.ts';
import { openContext } from '#main/service/context.ts';
import { credentialsTable, ensureCredentials } from '#main/service/organizations/credentials.ts';
import { systemClock } from '#main/service/clock.ts';

const [directory, itemsFile] = z.tuple([z.string(), z.string()]).parse(process.argv.slice(2));
const items = z
  .array(z.string())
  .parse(JSON.parse(readFileSync(itemsFile, 'utf8')))
  .map((item) => Buffer.from(item));

const log = createLog('silent');
const context = await openContext({ directory, limits: 'off', clock: systemClock, log });
const { expert } = await ensureCredentials(context, credentialsTable(context.db));
const app = Fastify();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
mountTokenEndpoint(app, context);
app.get('/hello', async (request) => {
  await useProof(context, (await authenticate(context, request)).proof);
  return { hello: 'world' };
});
app.get('/items', async (request, reply) => {
  await useProof(context, (await authenticate(context, request)).proof);
  const pieces = items.flatMap((item, index) => (index === 0 ? [item] : [Buffer.from(','), item]));
  const body = Buffer.concat([Buffer.from('{"Items":['), ...pieces, Buffer.from(']}')]);
  return reply.type('application/json; charset=utf-8').send(body);
});
const baseUrl = await listen(app, context, { host: '127.0.0.1', port: 0 });
process.send?.({ baseUrl, expert });
process.on('disconnect', () => process.exit());
