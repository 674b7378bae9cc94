import { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createReplayMemory, jwtHeaderOf } from '#main/front/auth/jwt.ts';
import { replayMigrations } from '#main/front/store/front-schema.ts';
import { sqliteDialect } from '#main/front/store/file-store.ts';
import { migrate } from '#main/front/store/store.ts';
import type { ReplayTables } from '#main/front/store/tables.ts';
import { createFakeClock } from '../../service/support/fake-clock.ts';

const header = Buffer.from('{"alg":"ES256"}').toString('base64url');

describe('the header of a JWT', () => {
  test.each([`${header}.e30.sig-_1`, `${header}.e30.`, `${header}.a-_9.`])(
    'is read: %s',
    (text) => {
      expect(jwtHeaderOf(text)).toEqual({ alg: 'ES256' });
    },
  );

  test.each([
    '',
    header,
    `${header}.e30`,
    `${header}..sig`,
    `.e30.sig`,
    `${header}.e30.sig.more`,
    ` ${header}.e30.sig`,
    `${header}.e30.sig `,
    `${header}=.e30.sig`,
    `${header}.e30=.sig`,
    `${header}.e30.sig=`,
    `${header}.e+0.sig`,
    'e30x.e30.sig',
  ])('is none if the text is no compact JWS: %s', (text) => {
    expect(jwtHeaderOf(text)).toBeUndefined();
  });
});

describe('the memory of used jtis', () => {
  const clock = createFakeClock(1000);
  let db: Kysely<ReplayTables>;
  beforeEach(async () => {
    db = new Kysely({ dialect: sqliteDialect(':memory:', { durability: 'process' }) });
    await migrate(db, replayMigrations);
  });
  afterEach(() => db.destroy());
  const use = (owner: string, jti: string, expiresAtMs = 1001) =>
    createReplayMemory(db, clock).use({ owner, jti, expiresAtMs });

  test('DPoP jti: takes each once, for each owner', async () => {
    expect([await use('a', 'x'), await use('a', 'x')]).toEqual([true, false]);
    expect([await use('a', 'y'), await use('b', 'x')]).toEqual([true, true]);
  });

  test('DPoP jti: takes a NUL, which the database does not', async () => {
    expect([await use('a', 'x\0y\0'), await use('a', 'x\0y\0')]).toEqual([true, false]);
    const rows = await db.selectFrom('used_jtis').select('jti').execute();
    expect(rows).toEqual([{ jti: 'x\ufffdy\ufffd' }]);
  });

  test('DPoP jti: forgets one at the moment from which its JWT is refused', async () => {
    await use('a', 'over', 1000);
    await use('a', 'valid', 1001);
    await createReplayMemory(db, clock).purge();
    expect([await use('a', 'over'), await use('a', 'valid')]).toEqual([true, false]);
  });
});
