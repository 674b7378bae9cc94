import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Practice } from '#main/engine/engine.ts';
import { HomeNotices } from '#main/engine/home/home-notices.ts';
import {
  DeskSettings,
  practiceSessionId,
  type WorkspaceRecord,
} from '#main/engine/home/settings.ts';
import { createSessionVault, type Vault } from '#main/engine/keys/vault.ts';
import {
  openLast,
  openOne,
  openWithKey,
  useWorkspace,
} from '#main/engine/workspace/choose-workspace.ts';
import { CurrentWorkspace, type DeskParts } from '#main/engine/workspace/current-workspace.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { workspaceRecord } from '../support/test-desk.ts';
import { testFolder, testKeychain } from '../support/test-engine.ts';

const pem = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

/** Opens nothing, and notes what it should open. */
class NotedWorkspace extends CurrentWorkspace {
  readonly opening: WorkspaceRecord[] = [];
  failure: Error | null = null;

  override isOpen(id: string): boolean {
    return this.opening.at(-1)?.id === id;
  }

  override openRecord(record: WorkspaceRecord): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    this.opening.push(record);
    return Promise.resolve();
  }
}

let home: string;
let secrets: Map<string, string>;
let stopped: number;
let logged: unknown[];
let current: NotedWorkspace;
beforeEach(() => {
  home = testFolder();
  mkdirSync(join(home, 'workspaces'));
  secrets = new Map();
  stopped = 0;
  logged = [];
});

const practice = {
  baseUrl: 'http://127.0.0.1:1',
  audience: 'practice',
  expert: { clientId: 'expert', privateKeyPem: pem },
  stop: () => Promise.resolve(void (stopped += 1)),
};
function parts({ isPracticeOn = true, vault = testKeychain(secrets) } = {}): DeskParts {
  // The cast restates what the choice of a workspace reads of the practice.
  const started = () => Promise.resolve(practice as unknown as Practice);
  const options = {
    home,
    vault,
    clock: systemClock,
    random: systemRandom,
    log: { error: (fields: unknown) => void logged.push(fields) },
    ...(isPracticeOn && { practice: started }),
  };
  const desk = {
    options,
    settings: new DeskSettings(home, {}),
    emit: () => undefined,
    home: new HomeNotices(),
  };
  current = new NotedWorkspace(desk);
  return { ...desk, current };
}
/** Connections in the order in which they were used, each with its key. */
function connect(...ids: string[]): void {
  const settings = new DeskSettings(home, {});
  for (const id of ids) {
    settings.remember(workspaceRecord({ id }));
    secrets.set(`workspace/${id}/private-key`, pem);
  }
}
const opened = () => current.opening.map(({ id }) => id);

describe('the desk opens', () => {
  it('the connection that was used last, also without practice', async () => {
    connect('a-1', 'b-2');
    for (const isPracticeOn of [true, false]) {
      await openOne(parts({ isPracticeOn }));
      expect(opened()).toEqual(['b-2']);
    }
  });

  it('practice without a connection, and nothing without both', async () => {
    await openOne(parts());
    expect(current.opening).toMatchObject([
      { id: 'practice', baseUrl: practice.baseUrl, audience: 'practice', clientId: 'expert' },
    ]);
    await openOne(parts({ isPracticeOn: false }));
    expect(opened()).toEqual([]);
    expect(current.lost).toBeNull();
  });

  it('practice if it was used last, and a connection if practice was turned off since', async () => {
    connect('a-1', 'b-2');
    new DeskSettings(home, {}).remember(workspaceRecord({ id: 'practice', kind: 'practice' }));
    await openOne(parts());
    expect(opened()).toEqual(['practice']);
    await openOne(parts({ isPracticeOn: false }));
    expect(opened()).toEqual(['a-1']);
  });

  it('any connection if the last one was removed', async () => {
    connect('a-1', 'b-2');
    new DeskSettings(home, {}).forget('b-2');
    await openOne(parts());
    expect(opened()).toEqual(['a-1']);
  });

  it('without a workspace if its key is lost, and fails for any other reason', async () => {
    connect('a-1');
    secrets.clear();
    await openOne(parts());
    expect(current.lost).toMatchObject({
      record: { id: 'a-1' },
      error: { code: 'keychain_entry_lost' },
    });
    const vault = {
      ...testKeychain(),
      get: () => Promise.reject(new DeskError('keychain_locked')),
    };
    await expect(openOne(parts({ vault }))).rejects.toThrow('keychain_locked');
    expect(current.lost).toBeNull();
  });

  it('without practice if the key of its work is lost', async () => {
    mkdirSync(join(home, 'workspaces/practice/quarantine-1'), { recursive: true });
    await openOne(parts());
    expect(current.lost).toMatchObject({ record: null, error: { code: 'keychain_entry_lost' } });
    expect(secrets.size).toBe(0);
  });
});

it('a start removes what a practice without a keychain left, and opens also if a removal fails', async () => {
  connect('a-1');
  for (const name of [practiceSessionId, 'b-2-removed'])
    mkdirSync(join(home, 'workspaces', name, 'service'), { recursive: true });
  const keychain = testKeychain(secrets);
  const vault: Vault = { ...keychain, delete: () => Promise.reject(new Error('no keychain')) };
  await openLast(parts({ vault }));
  expect(readdirSync(join(home, 'workspaces'))).toEqual(['b-2-removed']);
  expect(opened()).toEqual(['a-1']);
  expect(logged).toHaveLength(1);
  await openLast(parts());
  expect(readdirSync(join(home, 'workspaces'))).toEqual([]);
});

describe('a workspace that the user chooses', () => {
  it('is opened once', async () => {
    connect('a-1', 'b-2');
    new DeskSettings(home, {}).remember(workspaceRecord({ id: 'practice', kind: 'practice' }));
    const desk = parts();
    await useWorkspace(desk, 'a-1');
    await useWorkspace(desk, 'a-1');
    await useWorkspace(desk, 'practice');
    expect(opened()).toEqual(['a-1', 'practice']);
  });

  it('is refused if it is none, or practice and turned off', async () => {
    connect('a-1');
    const refused = {
      problem: { code: 'invalid_input', params: { field: 'id', rule: 'unknown' } },
    };
    await expect(useWorkspace(parts(), 'b-2')).rejects.toMatchObject(refused);
    const off = parts({ isPracticeOn: false });
    await expect(useWorkspace(off, 'practice')).rejects.toMatchObject(refused);
    expect(opened()).toEqual([]);
  });
});

describe('practice', () => {
  it('is stopped if it cannot be opened', async () => {
    const desk = parts();
    current.failure = new Error('disk full');
    await expect(useWorkspace(desk, 'practice')).rejects.toThrow('disk full');
    expect(stopped).toBe(1);
  });

  it('has a folder of its own, which goes with the desk, without a keychain', async () => {
    const desk = parts({ vault: createSessionVault() });
    await useWorkspace(desk, 'practice');
    expect(opened()).toEqual([practiceSessionId]);
    expect(readdirSync(join(home, 'workspaces'))).toEqual([practiceSessionId]);
    expect(stopped).toBe(0);
  });
});

it('a connection is opened with its new key, and proofs with a new one', async () => {
  connect('a-1');
  for (const key of ['private-key', 'dpop-key']) secrets.set(`workspace/a-1/${key}`, 'old');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await openWithKey(parts(), workspaceRecord({ id: 'a-1' }), privateKey);
  expect([...secrets]).toEqual([
    ['workspace/a-1/private-key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ]);
  expect(opened()).toEqual(['a-1']);
});
