import { rmSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '#main/front/log.ts';
import { openContext } from '#main/service/context.ts';
import { credentialsTable, ensureCredentials } from '#main/service/organizations/credentials.ts';
import { createDatabase, databaseOf } from './database.ts';
import { createFakeClock } from './fake-clock.ts';

let template: Promise<string> | undefined;

/**
 * A new data folder whose store has the organizations already: making their keys takes longer than
 * most tests, so it is done once a test file.
 */
export async function newDirectory(): Promise<string> {
  template ??= makeTemplate();
  const directory = await mkdtemp(join(tmpdir(), 'service-'));
  await cp(await template, directory, { recursive: true });
  await createDatabase(directory, await template);
  return directory;
}

async function makeTemplate(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'service-template-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  await createDatabase(directory);
  const context = await openContext({
    directory,
    database: databaseOf(directory),
    limits: 'off',
    clock: createFakeClock(),
    log: createLog('silent'),
  });
  await ensureCredentials(context, credentialsTable(context.db));
  await context.close();
  return directory;
}
