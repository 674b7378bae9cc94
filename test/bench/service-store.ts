import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { sha256, createPartner, send, type Partner } from '../main/service/support/partner.ts';
import { startService, temporaryFolder, type RunningService } from '../support/processes.ts';
import { median, printFigure, quantile } from './figures.ts';
import { fillStore } from './fill-store.ts';
import { buildService, leaveServiceItsCore, pinnedService } from './pinned.ts';
import { createPayloads } from './sample-claims.ts';

const claims = 100_000;
const searches = 480;
/** Between two changes. */
const searchesPerChange = 20;

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

/** Milliseconds of a search, from its first byte sent to its last received. */
async function searchTime(baseUrl: string, partner: Partner, query: string): Promise<number> {
  const token = await partner.token();
  const url = `${baseUrl}/v1/experts/cases?${query}`;
  const headers = {
    authorization: `DPoP ${token}`,
    dpop: await partner.proof('GET', url, { ath: sha256(token) }),
  };
  const before = performance.now();
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${query}: ${response.status}`);
  return performance.now() - before;
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

/** Milliseconds of each search at one connection, with a change after every twentieth. */
async function searchTimes(
  baseUrl: string,
  partner: Partner,
  change: () => Promise<void>,
): Promise<number[]> {
  const times: number[] = [];
  for (let call = -60; call < searches; call += 1) {
    const number = call + 60;
    if (number % searchesPerChange === 0) await change();
    const query = queries[number % queries.length]?.((number * 37) % claims) ?? '';
    const time = await searchTime(baseUrl, partner, query);
    if (call >= 0) times.push(time);
  }
  return times;
}

buildService();
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
  const times = await searchTimes(service.baseUrl, expert, changes.next);
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
    counted.push(await searchTime(service.baseUrl, expert, 'q=zh'));
  }
  printFigure({
    what: `the same for the word that every claim has, each time after a claim has come, p95`,
    figure: quantile(counted, 0.95),
    unit: 'ms',
    limit: 10,
    ratio: null,
  });
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
