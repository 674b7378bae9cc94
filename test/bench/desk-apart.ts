import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Engine } from '#main/engine/engine.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { endsWithTests } from '../support/children.ts';
import { createMemoryVault } from '../support/desk-in-process.ts';
import { faultLog } from '../support/fault-log.ts';
import { type RunningService, startService, temporaryFolder } from '../support/processes.ts';

/*
 * A bench whose desk runs in a separate process, so that what is measured is the desk's alone: the
 * bench's file runs a second time there, and the service in a third process.
 */

export interface Apart {
  readonly file: string;
  /** Practice cases of the service. */
  readonly cases: number;
  /** Makes in the first process what the desk does not have to make. */
  readonly prepare: (dir: string, service: RunningService) => void | Promise<void>;
  /** In the desk's process. */
  readonly measure: (dir: string, desk: Engine) => Promise<void>;
}

export async function benchApart(bench: Apart): Promise<void> {
  const [, script, dir, credentialsFile] = process.argv;
  if (script !== bench.file || dir === undefined || credentialsFile === undefined) {
    await startBoth(bench);
    return;
  }
  const desk = await openDesk(dir, credentialsFile);
  await bench.measure(dir, desk);
  await desk.close();
}

async function startBoth({ file, cases, prepare }: Apart): Promise<void> {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'service');
  mkdirSync(dataDir);
  const service = await startService({
    dataDir,
    args: ['--demo', String(cases), '--limits', 'off', '--port', '0'],
  });
  try {
    await prepare(folder.path, service);
    const args = [file, folder.path, service.credentialsPath];
    await once(endsWithTests(spawn(process.execPath, args, { stdio: 'inherit' })), 'close');
  } finally {
    await service.stop();
    folder.remove();
  }
}

const credentialsSchema = z.object({
  baseUrl: z.string(),
  audience: z.string(),
  expert: z.object({ clientId: z.string(), privateKeyPem: z.string() }),
});
const unlimited = { capacity: 10_000, refillPerMinute: 600_000 };

async function openDesk(dir: string, credentialsFile: string): Promise<Engine> {
  const { baseUrl, audience, expert } = credentialsSchema.parse(
    JSON.parse(readFileSync(credentialsFile, 'utf8')),
  );
  const desk = await openEngine({
    home: join(dir, 'home'),
    vault: createMemoryVault(),
    policy: { limits: { standard: unlimited, documents: unlimited } },
    clock: systemClock,
    random: systemRandom,
    log: faultLog,
  });
  await desk.workspaces.connect({
    baseUrl,
    audience,
    clientId: expert.clientId,
    privateKey: expert.privateKeyPem,
  });
  await desk.sync.run({ documents: 'none' });
  return desk;
}

/** This process's resident memory in MB: now, or its peak since the last reset (Linux). */
export function memoryMb(name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync('/proc/self/status', 'latin1');
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}
