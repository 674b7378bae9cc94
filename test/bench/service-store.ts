import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { sha256, createPartner, type Partner } from '../main/service/support/partner.ts';
import { startService, temporaryFolder } from '../support/processes.ts';
import { median, printFigure, quantile } from './figures.ts';
import { fillStore } from './fill-store.ts';
import { buildService, pinnedService } from './pinned.ts';

const claims = 100_000;
const searches = 480;

/** From a word that every claim has to one that none has; the same kinds as the engine's bench. */
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

/** Milliseconds of each search at one connection, from its first byte sent to its last received. */
async function searchTimes(baseUrl: string, partner: Partner): Promise<number[]> {
  const token = await partner.token();
  const times: number[] = [];
  for (let call = -60; call < searches; call += 1) {
    const query = queries[(call + 60) % queries.length]?.(((call + 60) * 37) % claims) ?? '';
    const url = `${baseUrl}/v1/experts/cases?${query}`;
    const headers = {
      authorization: `DPoP ${token}`,
      dpop: await partner.proof('GET', url, { ath: sha256(token) }),
    };
    const before = performance.now();
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${query}: ${response.status}`);
    if (call >= 0) times.push(performance.now() - before);
  }
  return times;
}

buildService();
const folder = temporaryFolder();
try {
  const dataDir = join(folder.path, 'store');
  mkdirSync(dataDir);
  const start = () => startService({ dataDir, args: ['--limits', 'off'], program: pinnedService });
  const first = await start();
  await first.stop();
  await fillStore(dataDir, {
    count: claims,
    insurerId: first.credentials.insurer.organizationId,
    expertId: first.credentials.expert.organizationId,
  });

  const service = await start();
  const expert = await createPartner(service.credentials.expert, service.baseUrl);
  const times = await searchTimes(service.baseUrl, expert);
  printFigure({
    what: `list with q (X1), p95 of ${queries.length} kinds of words, at ${claims} claims`,
    figure: quantile(times, 0.95),
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
