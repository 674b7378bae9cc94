import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { createPartner, send, type Partner } from '../main/service/support/partner.ts';
import { startService, temporaryFolder, type RunningService } from '../support/processes.ts';
import { median, printFigure, quantile } from './figures.ts';
import { fillStore } from './fill-store.ts';
import { openConnection, type KeptConnection } from './kept-connection.ts';
import { signedRequests } from './load.ts';
import { leaveServiceItsCore, pinnedService } from './pinned.ts';
import { createPayloads } from './sample-claims.ts';

const claims = 100_000;
const searches = 480;
/** Between two changes. */
const searchesPerChange = 20;
/** Not measured, as the first ones. */
const warmingChanges = 3;

/** From a word that every claim has to one that none has. */
const queries: readonly ((number: number) => string)[] = [
  () => 'q=zh',
  () => 'q=garage',
  () => 'q=z%C3%BCrich',
  () => 'q=muller',
  (number) => `q=SF-2026-${String(number).padStart(6, '0')}`,
  (number) => `q=zh+${100_000 + number}`,
  (number) => `q=P-${100_000 + number}`,
  () => 'q=favre+gen%C3%A8ve',
  () => 'q=garage&status=Final',
  () => 'q=berdor&category=vehicle',
  () => 'q=skoda&page=3',
  () => 'q=nothing+like+it',
];

/**
 * Milliseconds of each search, one after the other, from its first byte sent to its last received.
 * All of them are signed before the first.
 */
async function searchTimes(
  { baseUrl }: RunningService,
  { partner, connection }: { partner: Partner; connection: KeptConnection },
  searched: readonly string[],
): Promise<number[]> {
  const paths = searched.map((query) => `/v1/experts/cases?${query}`);
  const times: number[] = [];
  for (const request of await signedRequests(partner, baseUrl, paths)) {
    const before = performance.now();
    await connection.ask(request);
    times.push(performance.now() - before);
  }
  return times;
}

/**
 * Makes changes in turn, each of which changes what some searches of the expert find: a claim that
 * comes to it, that claim's acceptance, and its first comment.
 */
async function createChanges({ baseUrl, credentials }: RunningService, expert: Partner) {
  const insurer = await createPartner(credentials.insurer, baseUrl);
  const payloadOf = createPayloads(5);
  let made = 0;
  let id = '';
  const backoffice = async (path: string, body: object) => {
    const answer = await send('POST', `${baseUrl}/_backoffice/claims/${id}/${path}`, {
      headers: {
        authorization: `Bearer ${credentials.backoffice.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  };
  const create = async () => {
    const answer = await insurer.request('POST', '/v1/insurers/claims', {
      body: { Category: 'special', PayloadJson: payloadOf(claims + made, 2500) },
    });
    ({ Id: id } = z.object({ Id: z.string() }).parse(answer.json));
    await backoffice('assign', { ExpertOrganizationId: credentials.expert.organizationId });
  };
  const comment = async () => {
    const path = `/v1/experts/cases/${id}/expert-comment`;
    const answer = await expert.request('PUT', path, { body: { Text: 'Besichtigt.' } });
    if (answer.status >= 300) throw new Error(`X3: ${answer.status} ${answer.text}`);
  };
  const kinds = [create, () => backoffice('accept', {}), comment];
  return {
    create,
    next: async () => {
      await kinds[made % kinds.length]?.();
      made += 1;
    },
  };
}

/** The searches between two changes, in all of their kinds in turn. */
function searchesAfter(change: number): string[] {
  return Array.from({ length: searchesPerChange }, (_, place) => {
    const number = change * searchesPerChange + place;
    return queries[number % queries.length]?.((number * 37) % claims) ?? '';
  });
}

leaveServiceItsCore();
const folder = temporaryFolder();
try {
  const dataDir = join(folder.path, 'store');
  mkdirSync(dataDir);
  const start = (...args: string[]) =>
    startService({ dataDir, args: ['--limits', 'off', ...args], program: pinnedService });
  const first = await start();
  await first.stop();
  await fillStore(dataDir, {
    count: claims,
    insurerId: first.credentials.insurer.organizationId,
    expertId: first.credentials.expert.organizationId,
  });

  const service = await start('--backoffice');
  const expert = await createPartner(service.credentials.expert, service.baseUrl);
  const changes = await createChanges(service, expert);
  const connection = await openConnection(service.baseUrl);
  const searcher = { partner: expert, connection };
  const times: number[] = [];
  for (let change = -warmingChanges; change < searches / searchesPerChange; change += 1) {
    await changes.next();
    const taken = await searchTimes(service, searcher, searchesAfter(change + warmingChanges));
    if (change >= 0) times.push(...taken);
  }
  printFigure({
    what: `list with q (X1), p95 of ${queries.length} kinds of words, at ${claims} claims`,
    figure: quantile(times, 0.95),
    unit: 'ms',
    limit: 10,
    ratio: null,
  });
  const counted: number[] = [];
  for (let search = 0; search < 20; search += 1) {
    await changes.create();
    counted.push(...(await searchTimes(service, searcher, ['q=zh'])));
  }
  printFigure({
    what: `the same for the word that every claim has, each time after a claim has come, p95`,
    figure: quantile(counted, 0.95),
    unit: 'ms',
    limit: 10,
    ratio: null,
  });
  connection.close();
  await service.stop();

  // From the start of the process to its line on stdout.
  const starts: number[] = [];
  for (let run = 0; run < 9; run += 1) {
    const before = performance.now();
    const again = await start();
    starts.push(performance.now() - before);
    await again.stop();
  }
  printFigure({
    what: `service start to listening, on a store with ${claims} claims`,
    figure: median(starts),
    unit: 'ms',
    limit: 250,
    ratio: null,
  });
} finally {
  folder.remove();
}
