import { type LongWork, onLongWork } from '#main/log/long-work.ts';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { onTestFinished, afterAll, beforeAll, expect } from 'vitest';
import type { PracticeInsurer } from '#shared/desk/setup/practice.ts';
import { byKind, sentFields } from '#shared/desk/cases/case-fields.ts';
import type { Engine, EngineOptions, Practice } from '#main/engine/engine.ts';
import { createSessionVault, type Vault } from '#main/engine/keys/vault.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { runPractice, type RunningPractice } from '#main/service/run-practice.ts';
import { openCache, type Cache } from '#main/engine/cache/open-cache.ts';
import { openWork, type Work, type WorkOptions } from '#main/engine/work/open-work.ts';
import type { CaseInput } from '#main/engine/cache/case-records.ts';
import { faultLog } from '../../../support/fault-log.ts';

/** Creates a vault in memory that the engine treats as the machine's keychain. */
export const testKeychain = (secrets?: Map<string, string>): Vault => ({
  ...createSessionVault(secrets),
  kind: 'keychain',
});

/**
 * Opens an engine on the machine's clock, with the given changes. It is closed after the running
 * test.
 */
export async function openTestEngine(
  options: Partial<EngineOptions> & Pick<EngineOptions, 'home'>,
): Promise<Engine> {
  const engine = await openEngine({
    vault: testKeychain(),
    clock: systemClock,
    random: systemRandom,
    log: faultLog,
    ...options,
  });
  const long: LongWork[] = [];
  const unwatch = onLongWork((work) => long.push(work));
  onTestFinished(async () => {
    unwatch();
    await engine.close();
    // The limit is far above the one for a log entry, because first calls and garbage collection
    // count.
    expect(long.filter(({ ms }) => ms > 1000)).toEqual([]);
  });
  return engine;
}

/** Higher limits, so that no test waits for a bucket to fill up. */
const limitsFactor = 1000;
const bucket = { capacity: 10_000, refillPerMinute: 20_000 };

/**
 * The files of a store with the cases of a first start, by name. Filling a store takes a second, so
 * each worker does it once, and each of its test files gets a copy.
 */
let filled: Promise<ReadonlyMap<string, Buffer>> | undefined;

async function fillStore(): Promise<ReadonlyMap<string, Buffer>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'appraiser-desk-test-'));
  try {
    await (await runPracticeIn(dataDir)).stop();
    const names = readdirSync(dataDir, { withFileTypes: true }).filter((entry) => entry.isFile());
    return new Map(names.map(({ name }) => [name, readFileSync(join(dataDir, name))]));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const runPracticeIn = (dataDir: string) =>
  runPractice({
    dataDir,
    storeKey: 'ef'.repeat(32),
    count: 60,
    seed: 1,
    language: 'de',
    limits: limitsFactor,
  });

/** The insurer of a practice service in this thread, which has no network to cut. */
async function insurerOf(service: RunningPractice): Promise<PracticeInsurer> {
  const acts = await service.insurer();
  return {
    ...acts,
    async state() {
      const claims = await acts.claims();
      return { network: 'normal', claims, total: claims.length };
    },
    setNetwork: () => Promise.reject(new Error('only the thread has a network')),
  };
}

/**
 * Runs one practice service for all tests of a file, with the cases of a first start. It runs in
 * this thread, because a separate one would load the same modules again for each file.
 */
export function sharePractice() {
  let dataDir = '';
  let running: Practice | undefined;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'appraiser-desk-test-'));
    for (const [name, bytes] of await (filled ??= fillStore()))
      writeFileSync(join(dataDir, name), bytes);
    const service = await runPracticeIn(dataDir);
    running = {
      ...service.listening,
      partner: await insurerOf(service),
      limits: { standard: bucket, documents: bucket },
      stop: () => service.stop(),
    };
  });
  afterAll(async () => {
    await running?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const practice = () => {
    if (!running) throw new Error('the practice service is not started yet');
    return running;
  };
  return {
    practice,
    /** Starts the service as an engine's own, except that the engine does not stop it. */
    starter: () => Promise.resolve({ ...practice(), stop: () => Promise.resolve() }),
    /** Returns the values that the user enters to connect to the service. */
    connection: () => {
      const { baseUrl, audience, expert } = practice();
      return { baseUrl, audience, clientId: expert.clientId, privateKey: expert.privateKeyPem };
    },
  };
}

/**
 * Creates a folder that is removed after the running test, when its afterEach hooks have closed
 * everything.
 */
export function testFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'appraiser-desk-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Opens an empty cache that is closed after the running test. */
export function openTestCache(dir = testFolder()): Cache {
  const cache = openCache(join(dir, 'cache.db'), 'ab'.repeat(32));
  onTestFinished(() => cache.close());
  return cache;
}

/** Opens a work store that is closed after the running test, at the latest. */
export function openTestWork(options: Partial<WorkOptions> = {}): Work {
  const { dir = testFolder() } = options;
  const made = { keyHex: 'ab'.repeat(32), now: () => 0, newId: () => randomUUID() };
  const work = openWork({ ...made, ...options, dir });
  onTestFinished(() => work.close());
  return work;
}

/** Returns a case without anything special. */
export function sampleCase(number: number, change: Partial<CaseInput> = {}): CaseInput {
  const at = new Date(Date.parse('2026-03-01T00:00:00Z') + number * 1000).toISOString();
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    ...byKind(sentFields, { text: '', flag: false, amount: null, day: null }),
    externalKey: `SF-2026-${String(number).padStart(6, '0')}`,
    category: 'vehicle',
    status: 'Accepted',
    createdAt: at,
    updatedAt: at,
    lastChangedAt: at,
    payloadJson: '{}',
    insurer: { name: 'Muster AG', responsible: { name: 'Anna', email: 'a@b.ch', phone: '044' } },
    ...change,
  };
}
