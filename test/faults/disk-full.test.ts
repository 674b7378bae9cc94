import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { queueItemSchema } from '#shared/desk/delivery/queue.ts';
import { endsWithTests } from '../support/children.ts';
import { smokeOrLong } from '../support/long.ts';
import { root, temporaryFolder } from '../support/processes.ts';
import { type ServiceHere, serviceFolderHere } from '../support/service-here.ts';
import { makePdf, writeSample } from '../support/sample-files.ts';
import { openServerView, type ServerView, sha256Hex } from '../support/server-view.ts';

const doneSchema = z.object({
  failures: z.record(z.string(), z.int()),
  delivered: z.array(queueItemSchema),
  checks: z.array(z.string()),
  workspaces: z.array(z.string()),
  cases: z.int(),
});

const refusalsSchema = z.array(
  z.object({ command: z.string(), code: z.int().nullable(), stderr: z.string() }),
);

/**
 * Runs a script of support/ on a real disk of 24 MB or as given, in a separate mount namespace: the disk is
 * invisible outside and disappears with the process.
 */
async function runOnSmallDisk(
  script: string,
  args: readonly string[],
  { dir, signal, size = '24m' }: { dir: string; signal: AbortSignal; size?: string },
) {
  const mount = `mount -t tmpfs -o size=${size},mode=700 tmpfs "$0" || exit 99; exec "$@"`;
  // Without root a user namespace lets a process mount for itself.
  const namespace = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m'];
  const program = [process.execPath, join(root, 'test/faults/support', script), dir, ...args];
  const child = endsWithTests(
    spawn('unshare', [...namespace, 'sh', '-c', mount, dir, ...program], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    }),
  );
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const failed = once(child, 'error').then(([error]: unknown[]) => String(error));
  const ended = once(child, 'close').then(() => null);
  const problem = await Promise.race([failed, ended]);
  if (problem !== null || child.exitCode === 99 || stderr.startsWith('unshare:')) {
    throw new Error(
      `This test needs a small disk of its own, which only Linux gives to root or in a user namespace: ${problem ?? stderr}`,
    );
  }
  if (child.exitCode !== 0) throw new Error(stderr);
  return stdout;
}

describe('the first start', () => {
  const endSchema = z.object({ code: z.int().nullable(), stderr: z.string() });
  const folder = temporaryFolder();
  afterAll(folder.remove);

  // The home, the practice service's store and the databases are what finds no room.
  it.for(smokeOrLong(['4k', '2m'], ['4k', '400k', '2m']))(
    'on a disk with room for %s says that it is full',
    async (size, { signal }) => {
      const output = await runOnSmallDisk('first-start-worker.ts', [], {
        dir: folder.path,
        signal,
        size,
      });
      expect(endSchema.parse(JSON.parse(output))).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^The disk is full\.[^\n]*\n$/) as string,
      });
    },
  );

  it.each(smokeOrLong([36], [24, 36]))(
    'with %i open files says that the system gives no more',
    (limit) => {
      const worker = join(root, 'test/faults/support/first-start-worker.ts');
      const home = join(folder.path, `files-${String(limit)}`);
      // The limit holds for the desk alone, which the worker starts.
      const started = spawnSync(process.execPath, [worker, home, String(limit)], {
        cwd: root,
        encoding: 'utf8',
      });
      expect(endSchema.parse(JSON.parse(started.stdout))).toEqual({
        code: 1,
        stderr: expect.stringMatching(
          /^The operating system gives [^\n]*ulimit -n[^\n]*\n$/,
        ) as string,
      });
    },
  );
});

describe('a disk that is', () => {
  const folder = serviceFolderHere();
  const small = folder.at('small');
  let service: ServiceHere;
  let server: ServerView;

  beforeAll(async () => {
    mkdirSync(small);
    service = await folder.start('--demo', '40', '--limits', 'x1000');
    server = await openServerView(service.credentials);
  });
  afterAll(folder.end);

  it('full at any write leaves everything as it was, and everything goes on with room', async ({
    signal,
  }) => {
    const cases = await server.cases();
    const open = cases
      .filter(({ Status }) => Status === 'Accepted' || Status === 'InProgress')
      .map(({ Id }) => String(Id));
    const pdf = Buffer.concat([await makePdf('Gutachten'), Buffer.alloc(300_000, 'x')]);
    const file = writeSample(folder.path, 'Gutachten.pdf', pdf);
    const args = [service.credentialsPath, file, open.slice(0, 2).join(',')];
    const done = doneSchema.parse(
      JSON.parse(await runOnSmallDisk('full-disk-worker.ts', args, { dir: small, signal })),
    );

    // Each was struck at several points before it got through.
    for (const [name, count] of Object.entries(done.failures)) {
      expect(count, name).toBeGreaterThan(1);
    }
    expect(done.workspaces).toHaveLength(1);
    expect(done.checks).toEqual(['ok', 'ok']);
    expect(done.cases).toBe(cases.length);

    // Nothing lost, nothing doubled.
    expect(done.delivered.map(({ kind, state }) => [kind, state])).toEqual(
      expect.arrayContaining([
        ['amounts', 'delivered'],
        ['comment', 'delivered'],
        ['report', 'delivered'],
      ]),
    );
    expect(done.delivered).toHaveLength(3);
    const [caseId = ''] = open;
    expect(await server.case(caseId)).toMatchObject({
      CostEstimateAmount: 1300,
      ApprovedAmount: 900,
      ExpertComment: 'Seen at the garage.',
    });
    const reports = (await server.reports(caseId)).filter(({ Comment }) => Comment === 'One');
    expect(reports).toHaveLength(1);
    const documents = await server.documents(String(reports[0]?.['Id']));
    expect(documents.map(({ sha256 }) => sha256)).toEqual([sha256Hex(pdf)]);
  });

  it('read-only refuses every command in a sentence and breaks nothing', async ({ signal }) => {
    const [found] = (await server.cases()).filter(({ Status }) => Status === 'Accepted');
    const args = [service.credentialsPath, String(found?.['Id'])];
    const output = await runOnSmallDisk('read-only-worker.ts', args, { dir: small, signal });
    const refusals = refusalsSchema.parse(JSON.parse(output));
    expect(refusals.map(({ command, code }) => [command, code])).toEqual([
      ['cases', 1],
      ['queue', 1],
      ['comment', 1],
      ['sync', 1],
      ['start', 1],
    ]);
    for (const { stderr } of refusals) {
      expect(stderr).toBe(
        'The folder of Appraiser Desk cannot be written to: the disk is read-only. Check its permissions. For another folder: --home.',
      );
    }
  });
});
