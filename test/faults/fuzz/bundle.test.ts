import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemSchema } from '#shared/api/problem.ts';
import type { PartnerAnswer } from '../../main/service/support/partner.ts';
import { buildService, bundledService } from '../../support/bundled-service.ts';
import { startService, temporaryFolder, type RunningService } from '../../support/processes.ts';
import { createFuzzingClient, type FuzzingClient } from './fuzzing-client.ts';
import { fuzzedRequests } from './requests.ts';

/*
 * Nearly every other test of the service is of its sources. What is shipped is a bundle, from which
 * a minifier may leave out what it takes for nothing: it did so with a check of the query.
 */

const count = 1000;
const seed = 20_261_122;
const args = ['--limits', 'off'];

const folder = temporaryFolder();
const services: RunningService[] = [];
const clients: FuzzingClient[] = [];

/** Starts a service over the folder of this name, which is stopped in the end. */
async function start(name: string, program?: readonly string[]): Promise<FuzzingClient> {
  const dataDir = join(folder.path, name);
  const service = await startService({ dataDir, args, ...(program && { program }) });
  services.push(service);
  const client = createFuzzingClient(service);
  clients.push(client);
  return client;
}

let bundle: FuzzingClient;
let sources: FuzzingClient;

beforeAll(async () => {
  buildService();
  const dataDir = join(folder.path, 'bundle');
  mkdirSync(dataDir);
  // Practice claims of two days would be different ones.
  const first = await startService({
    dataDir,
    args: [...args, '--demo', '12'],
    program: bundledService,
  });
  await first.stop();
  cpSync(dataDir, join(folder.path, 'sources'), { recursive: true });
  bundle = await start('bundle', bundledService);
  sources = await start('sources');
});
afterAll(async () => {
  for (const client of clients) client.close();
  for (const service of services) await service.stop();
  folder.remove();
});

const ids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const times = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** What an answer says, without what is each service's or request's own. */
function saidBy({ status, text, json }: PartnerAnswer) {
  if (status < 400) {
    // Of what was made or changed since the store was copied.
    return { status, text: text.replaceAll(ids, 'id').replaceAll(times, 'time') };
  }
  const { title, detail, errors } = problemSchema.parse(json);
  return { status, title, detail, errors };
}

test('fuzz: the bundle answers malformed requests as the sources do', async () => {
  const claimIds = await sources.claimIds();
  expect(claimIds).toHaveLength(12);
  const statuses = new Set<number>();
  for (const fuzzed of fc.sample(fuzzedRequests(claimIds), { seed, numRuns: count })) {
    // One after the other, for what is done changes what comes next.
    const [ours, theirs] = await Promise.all([
      sources.sendFuzzed(fuzzed),
      bundle.sendFuzzed(fuzzed),
    ]);
    expect(saidBy(theirs), JSON.stringify(fuzzed)).toEqual(saidBy(ours));
    statuses.add(ours.status);
  }
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404]));
});
