/**
 * What the user feels of a home with many cases, in a separate process: started by engine.ts with
 * the folder of a workspace and the key of its databases; without them it is loaded and ends.
 */
import { generateKeyPairSync } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { CaseListInput } from '#shared/desk/cases/cases.ts';
import { defaultDocumentRule } from '#shared/desk/setup/storage.ts';
import { openWorkspace, type OpenWorkspace } from '#main/engine/workspace/open-workspace.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { printFigure, quantile } from './figures.ts';
import { faultLog } from '../support/fault-log.ts';
import { listCases } from '#main/engine/cases/list-cases.ts';

const [dir = '', keyHex = ''] = process.argv.slice(2);
if (dir === '') process.exit();
/** What the window asks with: rows at once, the exact numbers when the user has stopped typing. */
const countMax = 1000;

function timed(task: () => void): number {
  const start = performance.now();
  task();
  return performance.now() - start;
}

const queries: readonly ((number: number) => CaseListInput)[] = [
  () => ({ q: 'm' }),
  () => ({ q: 'zür' }),
  () => ({ q: 'muller' }),
  (number) => ({ q: `SF-2026-${String(number).padStart(6, '0')}` }),
  (number) => ({ q: `zh${100_000 + number}` }),
  (number) => ({ q: `ZH ${String(100_000 + number).slice(0, 4)}` }),
  (number) => ({ q: `P-${100_000 + number}` }),
  () => ({ q: 'favre genève' }),
  () => ({ q: 'garage', status: 'Final' }),
  () => ({ q: 'berdor', category: 'vehicle' }),
  // In names and texts of documents alone, and in both.
  () => ({ q: 'guta' }),
  () => ({ q: 'gutachten 999' }),
  () => ({ q: 'offerte garage' }),
  () => ({ q: 'nothing like it' }),
];

/** Not newest first: every hit must be known before the first row is. */
const sorted = () => ({ q: 'skoda', sort: 'inspectionDate' }) as const;

const pages: readonly ((number: number) => CaseListInput)[] = [
  () => ({}),
  () => ({ status: 'Accepted' }),
  () => ({ category: 'fraud' }),
  () => ({ inspectionType: 'workshop' }),
  () => ({ status: 'InProgress', category: 'vehicle', inspectionType: 'estimate_review' }),
  () => ({ status: 'Final', sort: 'createdAt', descending: false }),
  () => ({ category: 'special', sort: 'externalKey' }),
  () => ({ status: 'Assigned', sort: 'inspectionDate' }),
  (number) => ({ status: 'Accepted', offset: number % 500 }),
  (number) => ({ inspectionType: 'workshop', offset: number % 2000 }),
];

/** Milliseconds of each list call; every input comes as often, after 50 calls to warm up. */
function latencies(
  workspace: OpenWorkspace,
  inputs: readonly ((number: number) => CaseListInput)[],
  calls: number,
): number[] {
  const found: number[] = [];
  for (let call = -50; call < calls; call += 1) {
    const input = inputs[(call + 50) % inputs.length]?.((call + 50) * 37) ?? {};
    const ms = timed(() => listCases(workspace, input));
    if (call >= 0) found.push(ms);
  }
  return found;
}

const key = (curve: string) => generateKeyPairSync('ec', { namedCurve: curve }).privateKey;
// Nothing is sent, so no key signs anything.
const keys = { database: keyHex, privateKey: key('P-256'), dpopKey: key('P-256') };
const workspace = await openWorkspace({
  record: {
    id: 'bench',
    kind: 'connection',
    name: 'Bench',
    baseUrl: 'http://127.0.0.1:9',
    audience: 'http://127.0.0.1:9/v1/oauth/token',
    clientId: 'bench',
    scope: null,
    htuWithoutQuery: false,
    changedSinceParameter: null,
  },
  dir,
  keys,
  policy: {},
  documentRule: () => defaultDocumentRule,
  auditFile: `${dir}/audit.log`,
  log: faultLog,
  onRequest: undefined,
  onDamage: () => undefined,
  clock: systemClock,
  random: systemRandom,
  emit: () => undefined,
});
const count = listCases(workspace, {}).total;
const isLarge = count > 20_000;

const byQuery = [...queries, sorted].map((query) =>
  latencies(workspace, [(number) => ({ ...query(number), countMax })], 100),
);
printFigure({
  what: `search of ${count} cases, p95 of the slowest of ${byQuery.length} kinds of words`,
  figure: Math.max(...byQuery.map((found) => quantile(found, 0.95))),
  unit: 'ms',
  limit: isLarge ? 100 : 50,
});
printFigure({
  what: `list of ${count} cases, a page of 100 rows with filters, p95`,
  figure: quantile(latencies(workspace, pages, 1000), 0.95),
  unit: 'ms',
  limit: 100,
});
// What strips types takes 29 MB of it, if a script changed since it was compiled. Node's types
// do not have this list.
const { moduleLoadList } = process as NodeJS.Process & { moduleLoadList: readonly string[] };
const strips = moduleLoadList.some((name) => name.includes('/amaro/'));
printFigure({
  what: `resident memory of a process with ${count} cases open, after all that${strips ? ', and with what strips types' : ''}`,
  figure: process.memoryUsage.rss() / 1024 / 1024,
  unit: 'MB',
  limit: 200,
});
await workspace.close();
