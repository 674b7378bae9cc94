import { beforeEach, describe, expect, it } from 'vitest';
import type { DeskErrorCode } from '#shared/desk/contract/errors.ts';
import { DeskSettings } from '#main/engine/home/settings.ts';
import {
  forgetFailed,
  isUnreached,
  openFailed,
  storeFailed,
} from '#main/engine/workspace/failed-connection.ts';
import { systemClock } from '#main/shell/system.ts';
import { rsaKeys } from '../support/test-client.ts';
import { workspaceRecord } from '../support/test-desk.ts';
import { testFolder } from '../support/test-engine.ts';
import { testParts, type TestParts } from '../support/test-parts.ts';

const clock = { ...systemClock, now: () => Date.parse('2026-03-02T08:00:00Z') };
const { id: _, kind: __, ...entered } = workspaceRecord({ clientId: 'laptop-1' });
const problem = { code: 'key_rejected', params: {} } as const;
const failure = { problem, asked: null };
let home: string;
let secrets: Map<string, string>;
let parts: TestParts;
beforeEach(() => {
  home = testFolder();
  secrets = new Map();
  parts = testParts(home, secrets, { clock });
});

it.each<[DeskErrorCode, boolean]>([
  ['offline', true],
  ['address_unknown', true],
  ['connection_refused', true],
  ['connection_lost', true],
  ['timeout', true],
  ['captive_portal', true],
  ['proxy_sign_in', true],
  ['rate_limited', true],
  ['client_id_unknown', false],
  ['certificate_untrusted', false],
  ['server_failed', false],
  ['server_refused', false],
])('whether the values may be right although the test ended with %s: %o', (code, may) => {
  expect(isUnreached({ code } as Parameters<typeof isUnreached>[0])).toBe(may);
});

describe('a connection that was refused', () => {
  it('is stored with its key, and is none of the connections', async () => {
    await storeFailed(parts, entered, rsaKeys.privateKey, failure);
    const { failedConnection, workspaces } = new DeskSettings(home, {}).stored;
    const id = failedConnection?.record.id ?? '';
    expect(failedConnection).toEqual({
      record: { ...entered, id, kind: 'connection' },
      at: '2026-03-02T08:00:00.000Z',
      ...failure,
    });
    expect(workspaces).toEqual([]);
    const opened = await openFailed(parts);
    expect(opened).toMatchObject({ record: { id, clientId: 'laptop-1' }, problem });
    expect(opened?.privateKey.equals(rsaKeys.privateKey)).toBe(true);
  });

  it('replaces the one that was refused before, whose key does not stay', async () => {
    await storeFailed(parts, entered, rsaKeys.privateKey, failure);
    await storeFailed(parts, { ...entered, clientId: 'laptop-2' }, rsaKeys.privateKey, failure);
    expect(secrets.size).toBe(1);
    expect((await openFailed(parts))?.record.clientId).toBe('laptop-2');
  });

  it('leaves nothing once it is forgotten', async () => {
    await forgetFailed(parts);
    await storeFailed(parts, entered, rsaKeys.privateKey, failure);
    await forgetFailed(parts);
    expect(new DeskSettings(home, {}).stored.failedConnection).toBeUndefined();
    expect(secrets.size).toBe(0);
    expect(await openFailed(parts)).toBeNull();
  });
});
