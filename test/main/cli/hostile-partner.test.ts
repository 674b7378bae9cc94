import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deskProblemSchema } from '#shared/desk/errors.ts';
import { createDeskRunner, type DeskRunner, errorSchema } from '../../support/desk-in-process.ts';
import { temporaryFolder } from '../../support/processes.ts';
import {
  emptyPage,
  json,
  problem,
  startHostileServer,
  type HostileServer,
} from '../engine/support/hostile-server.ts';

const folder = temporaryFolder();
const keyFile = join(folder.path, 'key.pem');
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
afterAll(() => folder.remove());

const syncedSchema = z.looseObject({
  event: z.literal('synced'),
  pulled: z.int(),
  notices: z.array(deskProblemSchema),
});
const untilSchema = z.looseObject({ until: z.iso.datetime() });

let server: HostileServer;
let desk: DeskRunner;
let homes = 0;
beforeEach(async () => {
  server = await startHostileServer();
  homes += 1;
  desk = createDeskRunner(join(folder.path, `home-${String(homes)}`));
  const { baseUrl } = server;
  const connection = ['--base-url', baseUrl, '--audience', baseUrl, '--client-id', 'c'];
  await desk('connect', ...connection, '--key', keyFile);
  server.seen.length = 0;
});
afterEach(() => server.stop());

describe('desk sync with a partner that', () => {
  it('asks for a pause of a month ends with 7 and the moment it asks again, every time', async () => {
    server.always = problem(429, 'rate_limited', { 'retry-after': '2592000' });
    for (const command of ['sync', 'sync', 'doctor']) {
      server.seen.length = 0;
      const run = await desk(command);
      expect(run.code, command).toBe(7);
      if (command === 'doctor') break;
      expect(run.json(errorSchema)).toMatchObject({ code: 'rate_limited' });
      const until = Date.parse(run.json(untilSchema).until);
      expect(until).toBeGreaterThan(Date.now() + 3_500_000);
      expect(until).toBeLessThanOrEqual(Date.now() + 3_600_000);
    }
    const second = await desk('sync');
    expect(second.code).toBe(7);
    // The pause is kept: nobody was asked again.
    expect(server.seen).toHaveLength(1);
  });

  it('lowers its limit is told so beside the result', async () => {
    const policy = { 'x-ratelimit-policy': 'standard; token-bucket; 30/min; burst=10' };
    server.always = json(200, emptyPage, policy);
    const run = await desk('sync');
    expect(run.code).toBe(0);
    expect(run.json(syncedSchema).notices).toMatchObject([
      { code: 'limit_lowered', params: { bucket: 'standard', perMinute: 30 } },
    ]);
    expect(run.stderr).toContain('only 30 requests a minute');
  });
});
