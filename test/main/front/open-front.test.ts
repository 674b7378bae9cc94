import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beginContent } from '#main/front/contents/contents.ts';
import type { ObjectStore } from '#main/front/contents/s3-store.ts';
import { openFront, type FrontOptions, type OpenFront } from '#main/front/open-front.ts';
import { createContents, createSecurity } from '#main/front/store/front-schema.ts';
import type { ContentTables, SecurityTables } from '#main/front/store/tables.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { createFakeClock, type FakeClock } from '../service/support/fake-clock.ts';
import { createMemoryLog, type MemoryLog } from '../service/support/memory-log.ts';
import { clientOf } from './support/front.ts';

/* The parts of a server over files, and what they delete. */

type Front = OpenFront<SecurityTables & ContentTables>;

const hourMs = 60 * 60_000;
let folder: ReturnType<typeof temporaryFolder>;
let clock: FakeClock;
let memory: MemoryLog;
let opened: Front[];
let removed: string[];
let refusal: Error | undefined;
let isBucketClosed: boolean;

beforeEach(() => {
  folder = temporaryFolder();
  clock = createFakeClock();
  memory = createMemoryLog();
  opened = [];
  removed = [];
  refusal = undefined;
  isBucketClosed = false;
});
afterEach(async () => {
  for (const front of opened) await front.close();
  folder.remove();
});

const answer = (note = '') => {
  if (refusal) return Promise.reject(refusal);
  if (note !== '') removed.push(note);
  return Promise.resolve();
};
const objects: ObjectStore = {
  assertUsable: () => answer(),
  put: () => answer(),
  open: () => Promise.resolve(Readable.from([])),
  remove: (id) => answer(id),
  close: () => void (isBucketClosed = true),
};

async function open(options: Partial<FrontOptions> = {}): Promise<Front> {
  const front = await openFront<SecurityTables & ContentTables>(
    { directory: join(folder.path, 'data'), log: memory.log, clock, ...options },
    {
      name: 'gateway',
      migrations: [
        { name: 'security', up: createSecurity },
        { name: 'contents', up: createContents },
      ],
    },
    (db, clientId) =>
      Promise.resolve(
        db === opened[0]?.db ? clientOf({ clientId: `${clientId} of ours` }) : undefined,
      ),
  );
  opened.push(front);
  return front;
}
const close = async () => {
  await opened.pop()?.close();
};
const counts = async ({ db }: Front) => {
  const count = async (table: 'contents' | 'objects_to_delete' | 'idempotency_answers') =>
    (await db.selectFrom(table).selectAll().execute()).length;
  return [
    await count('contents'),
    await count('objects_to_delete'),
    await count('idempotency_answers'),
  ];
};

describe('a front', () => {
  test('has its store in its folder, its published limits, and no proxy', async () => {
    const front = await open();
    expect(existsSync(join(folder.path, 'data', 'gateway.db'))).toBe(true);
    expect(front).toMatchObject({
      objects: undefined,
      metrics: undefined,
      sharedLimits: undefined,
      address: { publicUrl: '', audience: '' },
      draining: { isOn: false },
      trustedProxies: [],
      operations: [],
    });
    expect(front.clock).toBe(clock);
    expect(await front.findClient('one')).toMatchObject({ clientId: 'one of ours' });
    expect(await front.alone(() => Promise.resolve(7))).toBe(7);
    const draw = () => front.limiter.draw('token', { client: 'a' });
    for (let times = 0; times < 10; times += 1) await draw();
    await expect(draw()).rejects.toMatchObject({ title: 'rate_limited' });
  });

  test('has the limits and the proxies that it was given', async () => {
    const front = await open({ limits: 'off', trustedProxies: ['10.0.0.1'] });
    for (let times = 0; times < 11; times += 1) await front.limiter.draw('token', { client: 'a' });
    expect(front.trustedProxies).toEqual(['10.0.0.1']);
  });

  test('keeps its key and its used jtis', async () => {
    const front = await open();
    const use = { owner: 'a', jti: 'b', expiresAtMs: clock.now() + 1000 };
    expect(await front.jtis.use(use)).toBe(true);
    const { kid } = front.signingKey;
    await close();
    const again = await open();
    expect([again.signingKey.kid, await again.jtis.use(use)]).toEqual([kid, false]);
  });

  test('is closed with its bucket', async () => {
    const front = await open({ objects });
    expect(front.objects).toBe(objects);
    await close();
    expect(isBucketClosed).toBe(true);
    await expect(sql`select 1`.execute(front.db)).rejects.toThrow('destroyed');
    clock.advance(120_000);
    expect(memory.lines).toEqual([]);
  });

  test('does not open over a bucket that cannot be used', async () => {
    refusal = new Error('no rights');
    await expect(open({ objects })).rejects.toThrow('no rights');
    expect(existsSync(join(folder.path, 'data'))).toBe(false);
  });

  test('does not open without the bucket of its documents', async () => {
    const front = await open({ objects });
    await beginContent(front.db, 'a', { at: clock.now(), isObject: true });
    await close();
    await expect(open()).rejects.toMatchObject({
      name: 'StartError',
      message:
        'the storage for documents cannot be used: there are documents in a bucket, and --documents does not say where it is',
    });
    await open({ objects });
  });
});

test('a front whose key cannot be read leaves its store closed and deletes nothing', async () => {
  const { db } = await open();
  await db.updateTable('signing_keys').set({ private_jwk: 'damaged' }).execute();
  const jti = { owner: 'a', jti: 'b', expires_at: 0 };
  await close();
  const replay = new Sqlite(join(folder.path, 'data', 'replay.db'));
  replay.prepare('insert into used_jtis values (@owner, @jti, @expires_at)').run(jti);
  await expect(open()).rejects.toThrow('JSON');
  clock.advance(60_000);
  // A connection that is still open would hold this back.
  expect(replay.pragma('journal_mode = delete', { simple: true })).toBe('delete');
  expect(replay.prepare('select * from used_jtis').all()).toEqual([jti]);
  replay.close();
});

describe('what a front deletes', () => {
  test('is once a minute what nobody needs any more', async () => {
    const front = await open({ objects });
    const { db } = front;
    const now = clock.now();
    await front.jtis.use({ owner: 'a', jti: 'b', expiresAtMs: now + 60_000 });
    const row = { status: 200, content_type: '', body: Buffer.alloc(0), expires_at: now + 60_000 };
    await db
      .insertInto('idempotency_answers')
      .values([
        { scope: 'over', ...row },
        { scope: 'later', ...row, expires_at: now + 60_001 },
      ])
      .execute();
    await beginContent(db, 'old', { at: now + 60_000 - hourMs - 1, isObject: true });
    await beginContent(db, 'young', { at: now + 60_000 - hourMs, isObject: true });
    clock.advance(59_999);
    expect(await counts(front)).toEqual([2, 0, 2]);
    clock.advance(1);
    await expect.poll(() => removed).toEqual(['old']);
    await expect.poll(() => counts(front)).toEqual([1, 0, 1]);
    const again = { owner: 'a', jti: 'b', expiresAtMs: now };
    expect(await front.jtis.use(again)).toBe(true);
    expect(memory.lines).toEqual([]);
  });

  test('is tried again if it fails, and the failure is logged', async () => {
    const front = await open({ objects });
    await front.db.insertInto('objects_to_delete').values({ content_id: 'a' }).execute();
    refusal = Object.assign(new Error('secret'), { code: 'EIO' });
    clock.advance(60_000);
    await expect.poll(() => memory.lines).toHaveLength(1);
    const [line = ''] = memory.lines;
    expect(JSON.parse(line)).toMatchObject({ level: 50, msg: 'purging failed', code: 'EIO' });
    expect(line).not.toContain('secret');
    refusal = undefined;
    clock.advance(60_000);
    await expect.poll(() => removed).toEqual(['a']);
  });
});
