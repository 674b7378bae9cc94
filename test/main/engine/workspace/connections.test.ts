import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { EngineOptions } from '#main/engine/engine.ts';
import type { WorkspaceRecord } from '#main/engine/home/settings.ts';
import {
  changeConnection,
  connectWithKey,
  findConnection,
  removeConnection,
  renameConnection,
  replaceConnection,
} from '#main/engine/workspace/connections.ts';
import { readDescription } from '#main/engine/workspace/describe-workspace.ts';
import { rsaKeys } from '../support/test-client.ts';
import { workspaceRecord } from '../support/test-desk.ts';
import { testFolder, testKeychain } from '../support/test-engine.ts';
import { addClosedWorkspace, testParts, type TestParts } from '../support/test-parts.ts';

const { privateKey } = rsaKeys;
const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const none = { entries: 0, drafts: 0, texts: 0, backups: 0 };
const typed = { ...none, texts: 1 };
/** An address that no client takes, so that the opening of its connection fails. */
const bad = { baseUrl: 'nowhere' };
let home: string;
let secrets: Map<string, string>;
let desk: TestParts;
beforeEach(() => {
  home = testFolder();
  secrets = new Map();
  desk = parts();
});
function parts(changes?: Partial<EngineOptions>): TestParts {
  const made = testParts(home, secrets, changes);
  onTestFinished(() => made.current.close());
  return made;
}

const record = (id: string, part: Partial<WorkspaceRecord> = {}) =>
  workspaceRecord({ id, ...part });
const folder = (id: string) => join(home, 'workspaces', id);
const folders = () => readdirSync(join(home, 'workspaces')).toSorted();
const keysOf = (id: string) =>
  [...secrets.keys()].filter((name) => name.startsWith(`workspace/${id}/`)).toSorted();
const known = () => desk.settings.stored.workspaces.map(({ id }) => id);
/** A closed connection with a typed text and its keys. */
function add(id: string, part: Partial<WorkspaceRecord> = {}): WorkspaceRecord {
  addClosedWorkspace(home, secrets, id, part);
  secrets.set(`workspace/${id}/private-key`, pemOf(privateKey));
  desk.settings.remember(record(id, part));
  return record(id, part);
}
const unknown = { problem: { code: 'invalid_input', params: { field: 'id', rule: 'unknown' } } };
const changes = () => desk.events.filter(({ type }) => type === 'desk.changed').length;

it('a connection is one that the settings know, and not practice', () => {
  desk.settings.remember(record('practice', { kind: 'practice' }));
  desk.settings.remember(record('a'));
  expect(findConnection(desk, 'a')).toEqual(record('a'));
  for (const id of ['b', 'practice'])
    expect(() => findConnection(desk, id)).toThrow(expect.objectContaining(unknown));
});

describe('a connection that cannot be opened', () => {
  it('leaves nothing if it is new', async () => {
    await expect(connectWithKey(desk, record('a', bad), privateKey, false)).rejects.toThrow(
      'base_url_invalid',
    );
    expect([folders(), [...secrets], known()]).toEqual([[], [], []]);
  });

  it('keeps its data and its keys if it is not new', async () => {
    add('a', bad);
    await expect(connectWithKey(desk, record('a', bad), privateKey, false)).rejects.toThrow(
      'base_url_invalid',
    );
    expect(existsSync(join(folder('a'), 'work.db'))).toBe(true);
    expect(keysOf('a')).toContain('workspace/a/database-key');
  });

  it('keeps its key if only its folder is new', async () => {
    desk.settings.remember(record('a', bad));
    await expect(connectWithKey(desk, record('a', bad), privateKey, false)).rejects.toThrow(
      'base_url_invalid',
    );
    expect(keysOf('a')).toContain('workspace/a/private-key');
    expect(known()).toEqual(['a']);
  });

  it('is taken up from a folder that the settings do not know, and stays there', async () => {
    addClosedWorkspace(home, secrets, 'a');
    await expect(connectWithKey(desk, record('a', bad), privateKey, false)).rejects.toThrow(
      'base_url_invalid',
    );
    expect(existsSync(join(folder('a'), 'work.db'))).toBe(true);
    expect(keysOf('a')).toContain('workspace/a/database-key');
  });

  it('says why, also if its key cannot be removed', async () => {
    const vault = testKeychain(secrets);
    const failing = (name: string) =>
      name.endsWith('private-key') ? Promise.reject(new Error('no keychain')) : vault.delete(name);
    desk = parts({ vault: { ...vault, delete: failing } });
    await expect(connectWithKey(desk, record('a', bad), privateKey, false)).rejects.toThrow(
      'base_url_invalid',
    );
    expect(desk.logged).toEqual([{ where: 'forget a connection' }]);
    expect(folders()).toEqual([]);
  });
});

it('data that no key opens are set aside only if the user wants it so', async () => {
  add('a');
  secrets.delete('workspace/a/database-key');
  await expect(connectWithKey(desk, record('a'), privateKey, false)).rejects.toThrow(
    'keychain_entry_lost',
  );
  expect(folders()).toEqual(['a']);
  await connectWithKey(desk, record('a'), privateKey, true);
  expect(folders()).toEqual(['a', expect.stringMatching(/^a-set-aside-/)]);
  expect(desk.current.isOpen('a')).toBe(true);
});

describe('another name', () => {
  it('is the open connection’s at once', async () => {
    await connectWithKey(desk, record('a'), privateKey, false);
    expect(renameConnection(desk, 'a', 'Alpina')).toEqual(record('a', { name: 'Alpina' }));
    expect(desk.current.workspace.record).toEqual(record('a', { name: 'Alpina' }));
    expect(findConnection(desk, 'a').name).toBe('Alpina');
    expect(changes()).toBe(1);
  });

  it('of a closed connection is not that of the open one', async () => {
    add('b');
    await connectWithKey(desk, record('a'), privateKey, false);
    renameConnection(desk, 'b', 'Alpina');
    expect(desk.current.workspace.record).toEqual(record('a'));
    expect(findConnection(desk, 'b').name).toBe('Alpina');
  });
});

describe('another address or key', () => {
  const moved = { baseUrl: 'http://127.0.0.2' };

  it('is used by the open connection at once, with a new key for proofs', async () => {
    await connectWithKey(desk, record('a'), privateKey, false);
    const proofKey = secrets.get('workspace/a/dpop-key');
    await changeConnection(desk, record('a', moved), null);
    expect(desk.current.workspace.record).toEqual(record('a', moved));
    expect(desk.current.opened.keys.privateKey.equals(privateKey)).toBe(true);
    expect(secrets.get('workspace/a/dpop-key')).not.toBe(proofKey);
    await changeConnection(desk, record('a', moved), other);
    expect(desk.current.opened.keys.privateKey.equals(other)).toBe(true);
    expect(findConnection(desk, 'a')).toEqual(record('a', moved));
  });

  it('is noted in a closed connection, and the open one stays', async () => {
    add('b');
    secrets.set('workspace/b/dpop-key', 'old');
    await connectWithKey(desk, record('a'), privateKey, false);
    const { open } = desk.current;
    await changeConnection(desk, record('b', moved), other);
    expect(desk.current.open).toBe(open);
    expect(findConnection(desk, 'b')).toEqual(record('b', moved));
    expect(await readDescription(desk.options.vault, 'b', folder('b'))).toMatchObject(moved);
    expect(secrets.get('workspace/b/private-key')).toBe(pemOf(other));
    expect(keysOf('b')).not.toContain('workspace/b/dpop-key');
    expect(changes()).toBe(1);
  });
});

describe('a connection is replaced', () => {
  it('with its own key if no other is given', async () => {
    const before = add('a');
    await replaceConnection(desk, before, record('b'), null, typed);
    expect([folders(), known()]).toEqual([['b'], ['b']]);
    expect(desk.current.opened.keys.privateKey.equals(privateKey)).toBe(true);
    expect(keysOf('a')).toEqual([]);
  });

  it('with the given key', async () => {
    const before = add('a');
    await replaceConnection(desk, before, record('b'), other, typed);
    expect(
      createPublicKey(secrets.get('workspace/b/private-key') ?? '').equals(createPublicKey(other)),
    ).toBe(true);
  });

  it('not if its work is other than the user confirmed', async () => {
    const before = add('a');
    await expect(replaceConnection(desk, before, record('b'), null, none)).rejects.toThrow(
      'connection_holds_work',
    );
    expect([folders(), known()]).toEqual([['a'], ['a']]);
  });
});

describe('a removal', () => {
  it('of the open connection opens another one', async () => {
    add('b');
    await connectWithKey(desk, record('a'), privateKey, false);
    desk.events.length = 0;
    await removeConnection(desk, 'a', none);
    expect([folders(), known(), keysOf('a')]).toEqual([['b'], ['b'], []]);
    expect(desk.current.isOpen('b')).toBe(true);
    expect(desk.events.at(-1)).toEqual({ type: 'workspace.changed' });
  });

  it('of a closed one leaves the open one as it is', async () => {
    add('b');
    await connectWithKey(desk, record('a'), privateKey, false);
    const { open } = desk.current;
    desk.events.length = 0;
    await removeConnection(desk, 'b', typed);
    expect(desk.current.open).toBe(open);
    expect(folders()).toEqual(['a']);
    expect(desk.events).toEqual([{ type: 'workspace.changed' }]);
  });

  it('that was not confirmed removes nothing, and the connection is open again', async () => {
    await connectWithKey(desk, record('a'), privateKey, false);
    desk.current.workspace.work.edits.save({ caseId: 'a', externalKey: 'K' }, 'comment', 'x', '');
    await expect(removeConnection(desk, 'a', none)).rejects.toMatchObject({
      problem: { code: 'connection_holds_work', params: typed },
    });
    expect([folders(), known()]).toEqual([['a'], ['a']]);
    expect(desk.current.isOpen('a')).toBe(true);
  });

  it('of none does nothing', async () => {
    await connectWithKey(desk, record('a'), privateKey, false);
    mkdirSync(folder('b'));
    const { open } = desk.current;
    await expect(removeConnection(desk, 'b', none)).rejects.toMatchObject(unknown);
    expect(desk.current.open).toBe(open);
    expect(folders()).toEqual(['a', 'b']);
  });

  it('of one that lost its key is the end of that notice, and of no other', async () => {
    const [a, b] = [add('a'), add('b')];
    const lose = (lost: WorkspaceRecord | null) => {
      desk.current.lose({ record: lost, error: new DeskError('keychain_entry_lost') });
    };
    await connectWithKey(desk, record('c'), privateKey, false);
    for (const lost of [b, null]) {
      lose(lost);
      await removeConnection(desk, 'a', typed);
      expect(desk.current.lost?.record).toBe(lost);
      add('a');
    }
    lose(a);
    await removeConnection(desk, 'a', typed);
    expect(desk.current.lost).toBeNull();
  });
});
