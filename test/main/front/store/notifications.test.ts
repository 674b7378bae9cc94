import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { openNotifications, type Notifications } from '#main/front/store/notifications.ts';
import { postgresDialect } from '#main/front/store/shared-store.ts';
import { postgresSocketName, startCutLine, type CutLine } from '../../../support/cut-line.ts';
import { temporaryFolder } from '../../../support/processes.ts';

/* Over PostgreSQL alone, behind a line that can be cut. */

let folder: ReturnType<typeof temporaryFolder>;
let db: Kysely<unknown>;
let line: CutLine;

const socketIn = (directory: string) => join(directory, postgresSocketName);
const urlAt = (directory: string) => `postgres://service@/postgres?host=${directory}`;

beforeEach(async () => {
  const postgres = inject('postgresSocket') ?? '';
  folder = temporaryFolder();
  line = await startCutLine({ path: socketIn(postgres) }, socketIn(folder.path));
  const onError = () => undefined;
  const dialect = await postgresDialect({
    url: urlAt(postgres),
    connections: 1,
    durability: 'process',
    onError,
  });
  db = new Kysely({ dialect });
});
afterEach(async () => {
  await db.destroy();
  await line.stop();
  folder.remove();
});

/** Connections that listen, as the server counts them. */
async function listening(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity where query = 'listen "test_turns"'`.execute(db);
  return rows[0]?.count ?? 0;
}

const soon = { firstMs: 10, mostMs: 40, answerMs: 4000 };

test('notifications: an outage leaves one connection at the server, and each attempt is one', async () => {
  const signal: Notifications = await openNotifications(urlAt(folder.path), 'test_turns', db, soon);
  let woken = 0;
  signal.subscribe(() => (woken += 1));
  expect(await listening()).toBe(1);
  line.set('refused');
  await expect.poll(() => line.refused).toBeGreaterThan(8);
  expect(await listening()).toBe(0);
  line.set('open');
  await expect.poll(listening).toBe(1);
  signal.notify();
  await expect.poll(() => woken).toBe(1);
  // None came later.
  expect(await listening()).toBe(1);
  await signal.close();
  await expect.poll(listening).toBe(0);
});

test('notifications: it can be closed during an outage, and connects no more', async () => {
  const signal = await openNotifications(urlAt(folder.path), 'test_turns', db, soon);
  line.set('refused');
  await expect.poll(() => line.refused).toBeGreaterThan(2);
  await signal.close();
  line.set('open');
  expect(await listening()).toBe(0);
});

test('notifications: a server that takes connections and does not answer then is tried again', async () => {
  const postgres = socketIn(inject('postgresSocket') ?? '');
  const state = { isMute: false, unanswered: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const other = connect(postgres);
    sockets.add(client);
    client.on('data', (bytes: Buffer) => {
      if (state.isMute && bytes.includes('listen "test_turns"')) state.unanswered += 1;
      else other.write(bytes);
    });
    other.pipe(client);
    client.on('error', () => undefined).once('close', () => other.destroy());
    other.on('error', () => undefined).once('close', () => client.destroy());
  });
  const directory = join(folder.path, 'mute');
  mkdirSync(directory);
  server.listen(socketIn(directory));
  await once(server, 'listening');
  const waits = { ...soon, answerMs: 2000 };
  const signal = await openNotifications(urlAt(directory), 'test_turns', db, waits);
  state.isMute = true;
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => state.unanswered).toBeGreaterThan(1);
  state.isMute = false;
  await expect.poll(listening).toBe(1);
  await signal.close();
  server.close();
});
