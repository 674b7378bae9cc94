import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createPartner, send, type Partner } from '../main/service/support/partner.ts';
import { startService, temporaryFolder, type RunningService } from '../support/processes.ts';
import { printFigure } from './figures.ts';
import { compare, signedRequests, type Contestant } from './load.ts';
import { leaveServiceItsCore, pinnedService, startCounterpart } from './pinned.ts';
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

function reading({ baseUrl, partner }: Side, paths: readonly string[]): Contestant {
  return { baseUrl, makeRequests: () => signedRequests(partner, baseUrl, paths) };
}

async function startBare(dir: string, items: readonly unknown[]) {
  mkdirSync(join(dir, 'bare'));
  const itemsFile = join(dir, 'items.json');
  writeFileSync(itemsFile, JSON.stringify(items.map((item) => JSON.stringify(item))));
  const bare = await startCounterpart('bare-service.ts', [join(dir, 'bare'), itemsFile]);
  const { baseUrl, expert } = bareSchema.parse(bare.message);
  const side: Side = { baseUrl, partner: await createPartner(expert, baseUrl) };
  return { side, stop: () => bare.stop() };
}

leaveServiceItsCore();
const folder = temporaryFolder();
const closers: (() => unknown)[] = [];
try {
  const dataDir = join(folder.path, 'own');
  mkdirSync(dataDir);
  const service = await startService({ dataDir, args, program: pinnedService });
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
  const readPaths = Array.from({ length: 200 }, (_, n) => `/v1/experts/cases/${ids[n % cases]}`);
  const reads = await compare({
    own: reading(own, readPaths),
    bare: reading(
      bare.side,
      readPaths.map(() => '/hello'),
    ),
  });
  printFigure({
    what: 'GET of a case (X2) with token and proof, against a bare hello behind the same check',
    ...reads,
    unit: 'requests/s',
    limit: 0.8,
  });

  // The bare side holds the bytes of each case in memory and concatenates them at each request.
  const lists = await compare({
    own: reading(own, Array<string>(100).fill(listPath)),
    bare: reading(bare.side, Array<string>(100).fill('/items')),
  });
  printFigure({
    what: `list of ${cases} cases of 4 KB (X1), against a bare concatenation of the same bytes`,
    ...lists,
    unit: 'requests/s',
    limit: 0.6,
  });
} finally {
  for (const close of closers.reverse()) await close();
  folder.remove();
}
