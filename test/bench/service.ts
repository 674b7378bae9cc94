import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { createPartner, send, type Partner } from '../main/service/support/partner.ts';
import { startService, temporaryFolder, type RunningService } from '../support/processes.ts';
import { median, printFigure } from './figures.ts';
import { requestsPerSecond, signedRequests } from './load.ts';
import { createPayloads } from './sample-claims.ts';

const cases = 50;
const args = ['--limits', 'off', '--backoffice'];
const bareSchema = z.object({
  baseUrl: z.string(),
  expert: z.object({ clientId: z.string(), privateKeyPem: z.string() }),
});

interface Side {
  readonly baseUrl: string;
  readonly partner: Partner;
}

/** Cases of 4 KB, claimed by the insurer and accepted by the expert; their ids. */
async function fill({ baseUrl, credentials }: RunningService): Promise<string[]> {
  const insurer = await createPartner(credentials.insurer, baseUrl);
  const payloadOf = createPayloads(2);
  const backoffice = async (path: string, body?: object) => {
    const answer = await send('POST', `${baseUrl}/_backoffice${path}`, {
      headers: {
        authorization: `Bearer ${credentials.backoffice.token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  };
  const ids: string[] = [];
  for (let number = 0; number < cases; number += 1) {
    const answer = await insurer.request('POST', '/v1/insurers/claims', {
      body: { Category: 'special', PayloadJson: payloadOf(number, 4096) },
    });
    if (answer.status !== 201) throw new Error(`I2: ${answer.status} ${answer.text}`);
    const { Id: id } = z.object({ Id: z.string() }).parse(answer.json);
    await backoffice(`/claims/${id}/assign`, {
      ExpertOrganizationId: credentials.expert.organizationId,
    });
    await backoffice(`/claims/${id}/accept`);
    ids.push(id);
  }
  return ids;
}

async function startBare(dir: string, items: readonly unknown[]) {
  mkdirSync(join(dir, 'bare'));
  const itemsFile = join(dir, 'items.json');
  writeFileSync(itemsFile, JSON.stringify(items.map((item) => JSON.stringify(item))));
  const file = join(import.meta.dirname, 'bare-service.ts');
  const child: ChildProcess = fork(file, [join(dir, 'bare'), itemsFile]);
  const failed = once(child, 'exit').then(() => {
    throw new Error('the bare service ended before it was ready');
  });
  const messages: unknown[] = await Promise.race([once(child, 'message'), failed]);
  const { baseUrl, expert } = bareSchema.parse(messages[0]);
  const side: Side = { baseUrl, partner: await createPartner(expert, baseUrl) };
  const stop = async () => {
    if (child.connected) child.disconnect();
    await failed.catch(() => undefined);
  };
  return { side, stop };
}

/**
 * Requests a second of both sides, five rounds in turn after one to warm up, medians. Proofs are
 * signed before each round, not in it.
 */
async function compare(
  own: Side & { paths: readonly string[] },
  bare: Side & { paths: readonly string[] },
) {
  const rates: Record<'own' | 'bare', number[]> = { own: [], bare: [] };
  for (let round = 0; round < 6; round += 1) {
    for (const [name, side] of Object.entries({ own, bare }) as ['own' | 'bare', typeof own][]) {
      const requests = await signedRequests(side.partner, side.baseUrl, side.paths);
      const rate = await requestsPerSecond(side.baseUrl, requests);
      if (round > 0) rates[name].push(rate);
    }
  }
  return { figure: median(rates.own), ratio: median(rates.own) / median(rates.bare) };
}

const folder = temporaryFolder();
const closers: (() => unknown)[] = [];
try {
  const dataDir = join(folder.path, 'own');
  mkdirSync(dataDir);
  const service = await startService({ dataDir, args });
  closers.push(() => service.kill());
  const ids = await fill(service);
  const expert = await createPartner(service.credentials.expert, service.baseUrl);
  const own: Side = { baseUrl: service.baseUrl, partner: expert };
  const listPath = `/v1/experts/cases?size=${cases}`;
  const list = await expert.request('GET', listPath);
  const { Items } = z.object({ Items: z.array(z.unknown()).length(cases) }).parse(list.json);
  const bare = await startBare(folder.path, Items);
  closers.push(bare.stop);

  // One case after the other, each of 4 KB, against two words from a bare Fastify.
  const readPaths = Array.from({ length: 1500 }, (_, n) => `/v1/experts/cases/${ids[n % cases]}`);
  const reads = await compare(
    { ...own, paths: readPaths },
    { ...bare.side, paths: readPaths.map(() => '/hello') },
  );
  printFigure({
    what: 'GET of a case (X2) with token and proof, against a bare hello behind the same check',
    ...reads,
    unit: 'requests/s',
    limit: 0.8,
  });

  // The bare side holds the bytes of each case in memory and concatenates them at each request.
  const lists = await compare(
    { ...own, paths: Array<string>(600).fill(listPath) },
    { ...bare.side, paths: Array<string>(600).fill('/items') },
  );
  printFigure({
    what: `list of ${cases} cases of 4 KB (X1), against a bare concatenation of the same bytes`,
    ...lists,
    unit: 'requests/s',
    limit: 0.6,
  });
  await bare.stop();
  await service.stop();

  // From the start of the process to its line on stdout, on the store of above; median of seven.
  const starts: number[] = [];
  for (let run = 0; run < 7; run += 1) {
    const before = performance.now();
    const again = await startService({ dataDir, args: ['--limits', 'off'] });
    starts.push(performance.now() - before);
    await again.stop();
  }
  printFigure({
    what: `service start to listening, on a store with ${cases} cases`,
    figure: median(starts),
    unit: 'ms',
    limit: 250,
    ratio: null,
  });
} finally {
  for (const close of closers.reverse()) await close();
  folder.remove();
}
