import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, expect, inject, test } from 'vitest';
import { createDatabase, databaseOf, dropDatabase } from '../main/service/support/database.ts';
import {
  contents,
  expectDone,
  idOf,
  specialPayload,
  upload,
} from '../main/service/support/claims.ts';
import { createPartner, send, sha256 } from '../main/service/support/partner.ts';
import { postgresProgram } from '../support/postgres.ts';
import { startService, temporaryFolder, type RunningService } from '../support/processes.ts';

/* The backup of docs/service.md taken while the service works, and brought back after the loss. */

const folder = temporaryFolder();
afterAll(folder.remove);

const claims = '/v1/insurers/claims';
const bytes = Buffer.concat([contents.pdf, randomBytes(300_000)]);
const publicUrl = 'https://api.example';
const insurerOf = (service: RunningService) =>
  createPartner(service.credentials.insurer, service.baseUrl, { publicUrl });

/** Files a claim with a document. @returns where the document is */
async function file(service: RunningService, policyNumber: string): Promise<string> {
  const insurer = await insurerOf(service);
  const body = {
    Category: 'special',
    PayloadJson: JSON.stringify(specialPayload({ policyNumber })),
  };
  const claim = await idOf(insurer.request('POST', claims, { body }));
  const at = `${claims}/${claim}/documents`;
  await expectDone(insurer.request('POST', at, { body: upload(bytes) }));
  return at;
}

/** The policy numbers of all claims, oldest first. */
async function filed(service: RunningService): Promise<string[]> {
  const insurer = await insurerOf(service);
  const { json } = await expectDone(insurer.request('GET', `${claims}?size=200`));
  const { Items } = json as { Items: { PayloadJson: string }[] };
  const payloads = Items.map(({ PayloadJson }) => JSON.parse(PayloadJson) as object);
  return payloads.map((payload) => String('policyNumber' in payload && payload.policyNumber));
}

const address = ['--public-url', publicUrl, '--limits', 'off'];

/** A backup, a loss and a restore, in one kind of store. */
interface Rehearsal {
  start(): Promise<RunningService>;
  backUp(): void;
  lose(): Promise<void>;
  restore(): void;
}

function inDatabase(): Rehearsal {
  const { url } = databaseOf(folder.path) ?? { url: '' };
  const dump = join(folder.path, 'service.dump');
  let count = 0;
  return {
    async start() {
      count += 1;
      const dataDir = join(folder.path, `data-${String(count)}`);
      mkdirSync(dataDir);
      if (count === 1) await createDatabase(folder.path);
      return startService({ dataDir, args: [...address, '--database', url] });
    },
    backUp: () =>
      void execFileSync(postgresProgram('pg_dump'), ['--format=custom', `--file=${dump}`, url]),
    async lose() {
      await dropDatabase(folder.path);
      await createDatabase(folder.path);
    },
    restore: () =>
      void execFileSync(postgresProgram('pg_restore'), ['--no-owner', `--dbname=${url}`, dump]),
  };
}

function inFolder(): Rehearsal {
  let dataDir = join(folder.path, 'service-data');
  const copy = join(folder.path, 'copy');
  mkdirSync(copy);
  return {
    start() {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      return startService({ dataDir, args: address });
    },
    backUp() {
      const database = new Sqlite(join(dataDir, 'service.db'));
      database.prepare('vacuum into ?').run(join(copy, 'service.db'));
      database.close();
      cpSync(join(dataDir, 'credentials.json'), join(copy, 'credentials.json'));
    },
    lose() {
      dataDir = join(folder.path, 'empty');
      return Promise.resolve();
    },
    restore: () => cpSync(copy, dataDir, { recursive: true }),
  };
}

test('restore: what was filed before the backup is there, and partners go on with their keys and tokens', async () => {
  const rehearsal = inject('postgresSocket') === undefined ? inFolder() : inDatabase();
  const before = await rehearsal.start();
  const documents = await file(before, 'before the backup');
  const signedIn = await insurerOf(before);
  const token = await signedIn.token();
  rehearsal.backUp();
  await file(before, 'after the backup');
  expect(await filed(before)).toHaveLength(2);
  expect(await before.stop()).toBe(0);

  await rehearsal.lose();
  rehearsal.restore();
  const after = await rehearsal.start();
  expect((await fetch(`${after.baseUrl}/ready`)).status).toBe(200);
  expect(after.credentials.insurer).toEqual(before.credentials.insurer);
  expect(await filed(after)).toEqual(['before the backup']);
  const insurer = await insurerOf(after);
  const list = await expectDone(insurer.request('GET', documents));
  const [{ Id } = { Id: '' }] = (list.json as { Items: { Id: string }[] }).Items;
  const { json } = await expectDone(insurer.request('GET', `${documents}/${Id}`));
  expect(Buffer.from((json as { ContentBase64: string }).ContentBase64, 'base64')).toEqual(bytes);

  // The signing key is in the backup, so a token of before goes on.
  const dpop = await signedIn.proof('GET', publicUrl + claims, { ath: sha256(token) });
  const headers = { authorization: `DPoP ${token}`, dpop };
  expect((await send('GET', after.baseUrl + claims, { headers })).status).toBe(200);

  await file(after, 'after the restore');
  expect(await filed(after)).toHaveLength(2);
  expect(await after.stop()).toBe(0);
  if (inject('postgresSocket') !== undefined) await dropDatabase(folder.path);
});
