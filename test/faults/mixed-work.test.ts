import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { queueItemSchema, type QueueItem } from '#shared/desk/delivery/queue.ts';
import { createSessionVault } from '#main/engine/keys/vault.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { endsWithTests } from '../support/children.ts';
import { seededRandom } from '../main/engine/support/seeded-random.ts';
import { smokeOrLong } from '../support/long.ts';
import { root, type RunningService, serviceFolder } from '../support/processes.ts';
import { makeLargeJpeg, writeSample } from '../support/sample-files.ts';
import { openServerView, type ServerView, sha256Hex } from '../support/server-view.ts';
import {
  planKinds,
  planSizes,
  planTrouble,
  type Plan,
  type PlannedAct,
  type PlannedFile,
} from './support/plan.ts';
import { faultLog } from '../support/fault-log.ts';

/** A run is the same for the same seed; FAULT_SEED begins with another. */
const runs = smokeOrLong(1, 300);
const firstSeed = Number(process.env['FAULT_SEED'] ?? 1);
const openStatuses = ['Accepted', 'InProgress', 'ExpertCompleted', 'AdminReturned'];

const doneSchema = z.object({ event: z.literal('done'), items: z.array(queueItemSchema) });

/** Runs a desk over a plan; kills it at its sign of life `killAt`. Null if it was killed. */
async function runDeskOver(
  planFile: string,
  killAt: number | undefined,
  onSign: (count: number) => void,
): Promise<QueueItem[] | null> {
  const child = endsWithTests(
    spawn(process.execPath, [join(root, 'test/faults/support/desk-worker.ts'), planFile], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const ended = once(child, 'close');
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  let signs = 0;
  let items: QueueItem[] | null = null;
  for await (const line of createInterface({ input: child.stdout })) {
    const message: unknown = JSON.parse(line);
    const done = doneSchema.safeParse(message);
    if (done.success) items = done.data.items;
    signs += 1;
    onSign(signs);
    if (signs === killAt) child.kill('SIGKILL');
  }
  await ended;
  if (child.signalCode === 'SIGKILL') return null;
  if (child.exitCode !== 0 || !items) throw new Error(`the desk ended with: ${stderr}`);
  return items;
}

describe('mixed work under faults of the network, the service and the desk', () => {
  const folder = serviceFolder();
  const home = folder.at('home');
  const secrets = new Map<string, string>();
  let service: RunningService;
  let server: ServerView;
  const pool = { open: [] as string[], closed: [] as string[] };
  let marks = 100;
  const markers = () => String((marks += 1));

  const start = async () => {
    const demo = String(Math.max(120, runs * 6));
    const args = ['--demo', demo, '--limits', 'x1000', '--backoffice'];
    service = await folder.start(...args);
  };

  beforeAll(async () => {
    mkdirSync(home);
    await start();
    server = await openServerView(service.credentials);
    for (const found of await server.cases()) {
      const status = String(found['Status']);
      if (openStatuses.includes(status)) pool.open.push(String(found['Id']));
      else if (status === 'Final') pool.closed.push(String(found['Id']));
    }
    const engine = await openEngine({
      home,
      vault: { ...createSessionVault(secrets), kind: 'passphrase' },
      clock: systemClock,
      random: systemRandom,
      log: faultLog,
    });
    const { baseUrl, audience, expert } = service.credentials;
    const { clientId, privateKeyPem: privateKey } = expert;
    await engine.workspaces.connect({ baseUrl, audience, clientId, privateKey });
    await engine.sync.run({ documents: 'none' });
    await engine.close();
    // 1,800 practice claims in the long form.
  }, 900_000);
  afterAll(folder.end);

  function makeFiles(dir: string, marker: string, sizes: readonly number[]): PlannedFile[] {
    return sizes.map((size, index) => {
      const isPhoto = size > 20_000;
      const fileName = `${marker}-${index}.${isPhoto ? 'jpg' : 'txt'}`;
      const bytes = isPhoto
        ? makeLargeJpeg(size)
        : Buffer.from(`${marker} `.repeat(size).slice(0, size));
      const path = writeSample(dir, fileName, bytes);
      return { fileName, path, isSalvageSale: index === 3, sha256: sha256Hex(bytes) };
    });
  }

  function planActs(random: () => number, dir: string): PlannedAct[] {
    const open = [0, 1].map(() => pool.open[Math.floor(random() * pool.open.length)] ?? '');
    const closed = pool.closed.splice(0, 1);
    const acts = planKinds(random, { open, closed }).map(({ kind, caseId }): PlannedAct => {
      const marker = markers();
      if (kind !== 'report') return { kind, caseId, marker };
      return { kind, caseId, marker, files: makeFiles(dir, marker, planSizes(random)) };
    });
    pool.open.push(...closed);
    return acts;
  }

  /** The server's data of a case without its reports. */
  const reasonsOf = async (caseId: string) => {
    const events = await server.backoffice('GET', `/_backoffice/claims/${caseId}/events`);
    const list = z.array(z.looseObject({ Name: z.string(), Detail: z.string() })).parse(events);
    return list.filter(({ Name }) => Name === 'reopened_by_expert').map(({ Detail }) => Detail);
  };

  async function expectEffects(acts: readonly PlannedAct[], queue: readonly QueueItem[]) {
    const open = queue.filter(({ state }) => state !== 'delivered' && state !== 'discarded');
    expect(open.map(({ kind, state, problem }) => ({ kind, state, problem }))).toEqual([]);
    for (const caseId of new Set(acts.map((act) => act.caseId))) {
      const ofCase = acts.filter((act) => act.caseId === caseId);
      const last = (kind: string) => ofCase.findLast((act) => act.kind === kind)?.marker;
      const [amount, comment] = [last('amounts'), last('comment')];
      expect(await server.case(caseId)).toMatchObject({
        ...(amount !== undefined && { CostEstimateAmount: Number(amount) }),
        ...(comment !== undefined && { ExpertComment: comment }),
      });

      const reopened = ofCase.filter(({ kind }) => kind === 'reopen').map(({ marker }) => marker);
      const reasons = reopened.length > 0 ? await reasonsOf(caseId) : [];
      expect(reasons.filter((reason) => reopened.includes(reason))).toEqual(reopened);
      await expectReports(caseId, ofCase, queue);

      // In the order of the acts.
      const delivered = queue.filter((item) => item.caseId === caseId && item.delivered);
      const times = delivered.sort((a, b) => a.id - b.id).map((item) => item.delivered?.at ?? '');
      expect(times).toEqual(times.toSorted());
    }
  }

  async function expectReports(
    caseId: string,
    ofCase: readonly PlannedAct[],
    queue: readonly QueueItem[],
  ) {
    const planned = ofCase.flatMap((act) => (act.kind === 'report' ? [act] : []));
    const wanted = new Set(planned.map(({ marker }) => marker));
    const reports = (await server.reports(caseId))
      .filter((report) => wanted.has(String(report['Comment'])) || report['Status'] === 'Draft')
      .sort((a, b) => Number(a['SequenceNo']) - Number(b['SequenceNo']));
    expect(reports.map(({ Comment, Status }) => ({ Comment, Status }))).toEqual(
      planned.map(({ marker }) => ({ Comment: marker, Status: 'Submitted' })),
    );
    for (const [index, { marker, files }] of planned.entries()) {
      const documents = await server.documents(String(reports[index]?.['Id']));
      expect(
        documents.map(({ fileName, isSalvageSale, sha256 }) => ({
          fileName,
          isSalvageSale,
          sha256,
        })),
      ).toEqual(
        files
          .map(({ fileName, isSalvageSale, sha256 }) => ({ fileName, isSalvageSale, sha256 }))
          .sort((a, b) => a.fileName.localeCompare(b.fileName)),
      );
      const row = queue.find(({ act }) => act.kind === 'report' && act.comment === marker);
      const proofs = row?.steps.flatMap(({ fileName, delivered }) =>
        fileName === null ? [] : [{ fileName, sha256: delivered?.sha256 }],
      );
      expect(proofs).toEqual(files.map(({ fileName, sha256 }) => ({ fileName, sha256 })));
    }
  }

  const seeds = Array.from({ length: runs }, (_, index) => firstSeed + index);
  it.each(seeds)(
    'seed %i: every act has its effect exactly once, in order, and its proof',
    async (seed) => {
      const random = seededRandom(seed);
      const dir = folder.at(`run-${seed}`);
      mkdirSync(dir);
      const acts = planActs(random, dir);
      const { rules, killsAt, restartAt } = planTrouble(random);
      const plan: Plan = { home, secrets: Object.fromEntries(secrets), acts };
      const planFile = join(dir, 'plan.json');
      writeFileSync(planFile, JSON.stringify(plan));
      await server.backoffice('PUT', '/_backoffice/faults', { Rules: rules });

      let restarting = Promise.resolve();
      const restart = async () => {
        await service.kill();
        await start();
      };
      let items: QueueItem[] | null = null;
      for (const [index, killAt] of [...killsAt, undefined].entries()) {
        items = await runDeskOver(planFile, killAt, (count) => {
          if (index === 0 && count === restartAt) restarting = restart();
        });
        await restarting;
      }
      // A kill in every desk but the last, unless it was done before that.
      if (!items) throw new Error('the last desk did not end');
      await server.backoffice('PUT', '/_backoffice/faults', { Rules: [] });
      await expectEffects(acts, items);
      rmSync(dir, { recursive: true });
    },
  );
});
