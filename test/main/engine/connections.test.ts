import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Engine } from '#main/engine/engine.ts';
import type { Vault } from '#main/engine/keys/vault.ts';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { sharePractice, openTestEngine, testKeychain, testFolder } from './support/test-engine.ts';

const { practice, connection } = sharePractice();
let home: string;
let secrets: Map<string, string>;
let desk: Engine;
const open = (policy: DeskPolicy = {}) =>
  openTestEngine({ home, policy, vault: testKeychain(secrets) });
const refusal = (code: string, params = {}): unknown =>
  expect.objectContaining({ code, params: expect.objectContaining(params) as unknown });
const folders = () => readdirSync(join(home, 'workspaces'));

beforeEach(async () => {
  home = testFolder();
  secrets = new Map();
  desk = await open();
});

// What was not sent is never removed unasked.
describe('a connection', () => {
  const names = async () => (await desk.desk.info()).workspaces.map(({ name }) => name);
  const none = { entries: 0, drafts: 0, texts: 0, backups: 0 };

  /** A connection with a comment in the queue, a draft and a typed text. */
  async function connectAndWork(): Promise<string> {
    const { id } = await desk.workspaces.connect(connection());
    await desk.sync.run({ documents: 'none' });
    await desk.sync.setPaused({ paused: true });
    const { items } = await desk.cases.list({ status: 'InProgress' });
    const caseId = items[0]?.id ?? '';
    await desk.cases.setComment({ id: caseId, text: 'not sent' });
    await desk.reports.createDraft({ id: caseId });
    await desk.edits.save({ id: caseId, estimate: '4200' });
    return id;
  }

  it('retains the data under another name, address or key; the work stays counted', async () => {
    const id = await connectAndWork();
    await desk.workspaces.change({ id, name: 'Insurer A' });
    expect((await desk.desk.info()).workspace).toMatchObject({ id, name: 'Insurer A' });
    const moved = practice().baseUrl.replace('127.0.0.1', 'localhost');
    const { privateKey } = connection();
    expect(await desk.workspaces.change({ id, baseUrl: `${moved}/`, privateKey })).toMatchObject({
      id,
      name: 'Insurer A',
      baseUrl: moved,
    });
    expect((await desk.cases.list({})).total).toBe(60);
    expect(await desk.workspaces.get({ id })).toMatchObject({
      audience: practice().audience,
      held: { entries: 1, drafts: 1, texts: 1, backups: 0 },
    });
    await expect(desk.workspaces.change({ id, baseUrl: 'nowhere' })).rejects.toEqual(
      refusal('base_url_invalid'),
    );
    await desk.close();
    desk = await open();
    expect(await names()).toEqual(['Insurer A']);
    expect(folders()).toEqual([id]);
  });

  it('that is removed leaves no data and no key, and needs the user’s confirmation of its pending work', async () => {
    const id = await connectAndWork();
    const second = await desk.workspaces.connect({ ...connection(), clientId: 'other' });
    // One that is not open reports its pending work, too.
    const { held: pendingWork } = await desk.workspaces.get({ id });
    expect(pendingWork).toEqual({ entries: 1, drafts: 1, texts: 1, backups: 0 });
    await expect(desk.workspaces.remove({ id, held: none })).rejects.toEqual(
      refusal('connection_holds_work', { entries: 1 }),
    );
    expect(folders()).toContain(id);
    await desk.workspaces.remove({ id, held: pendingWork });
    expect(folders()).toEqual([second.id]);
    expect([...secrets.keys()].filter((name) => name.includes(id))).toEqual([]);
    await desk.workspaces.remove({ id: second.id, held: none });
    expect([folders(), [...secrets]]).toEqual([[], []]);
    await expect(desk.desk.info()).rejects.toEqual(refusal('no_connection'));
  });

  it('is replaced by that of another client id only if its data may go', async () => {
    const id = await connectAndWork();
    await desk.workspaces.connect({ ...connection(), clientId: 'known', name: 'Known' });
    await expect(desk.workspaces.change({ id, clientId: 'known' })).rejects.toEqual(
      refusal('connection_known', { name: 'Known' }),
    );
    await expect(desk.workspaces.change({ id, clientId: 'another' })).rejects.toEqual(
      refusal('connection_holds_work', { entries: 1 }),
    );
    // The policy's client id wins over one that is given.
    await desk.close();
    const { clientId } = connection();
    desk = await open({ connection: { clientId } });
    expect(await desk.workspaces.change({ id, clientId: 'another' })).toMatchObject({
      id,
      clientId,
    });
    await desk.close();
    desk = await open();

    const { held: removed } = await desk.workspaces.get({ id });
    const other = await desk.workspaces.change({ id, clientId: 'another', removed });
    expect(other.id).not.toBe(id);
    expect(folders()).not.toContain(id);
    expect((await desk.cases.list({})).total).toBe(0);
  });

  it('whose removal a kill cut short is removed at the next start', async () => {
    const { id } = await desk.workspaces.connect(connection());
    await desk.close();
    const folder = join(home, 'workspaces', id);
    renameSync(folder, `${folder}-removed`);
    desk = await open();
    expect(existsSync(`${folder}-removed`)).toBe(false);
    expect([folders(), [...secrets]]).toEqual([[], []]);
    await expect(desk.desk.info()).rejects.toEqual(refusal('no_connection'));
  });
});

// What a real keyring answers then is in keys/keychain-states.test.ts.
describe('while the keychain is locked, a connection', () => {
  let isLocked: boolean;
  const lockable = (vault: Vault): Vault => {
    const ask = <Answer>(work: () => Promise<Answer>) =>
      isLocked ? Promise.reject(new DeskError('keychain_locked')) : work();
    return {
      kind: vault.kind,
      get: (name) => ask(() => vault.get(name)),
      set: (name, secret) => ask(() => vault.set(name, secret)),
      delete: (name) => ask(() => vault.delete(name)),
    };
  };
  const pendingWork = { entries: 0, drafts: 1, texts: 0, backups: 0 };
  let id: string;
  beforeEach(async () => {
    isLocked = false;
    await desk.close();
    desk = await openTestEngine({ home, vault: lockable(testKeychain(secrets)) });
    ({ id } = await desk.workspaces.connect(connection()));
    await desk.sync.run({ documents: 'none' });
    const { items } = await desk.cases.list({ status: 'InProgress' });
    await desk.reports.createDraft({ id: items[0]?.id ?? '' });
  });
  const stays = async () => {
    expect((await desk.desk.info()).workspace).toMatchObject({ id });
    expect((await desk.sync.run({ documents: 'none' })).throttled).toBe(0);
  };

  it('is neither removed nor closed', async () => {
    isLocked = true;
    await expect(desk.workspaces.remove({ id, held: pendingWork })).rejects.toEqual(
      refusal('keychain_locked'),
    );
    await stays();
    isLocked = false;
    await desk.workspaces.remove({ id, held: pendingWork });
    expect([folders(), [...secrets]]).toEqual([[], []]);
  });

  it('is not closed for another key, address or data that it does not get', async () => {
    const { privateKey } = connection();
    const baseUrl = practice().baseUrl.replace('127.0.0.1', 'localhost');
    isLocked = true;
    for (const change of [{ privateKey }, { baseUrl }, { clientId: 'other', removed: pendingWork }])
      await expect(desk.workspaces.change({ id, ...change })).rejects.toEqual(
        refusal('keychain_locked'),
      );
    await expect(desk.workspaces.connect(connection())).rejects.toEqual(refusal('keychain_locked'));
    await stays();
    isLocked = false;
    await desk.workspaces.change({ id, baseUrl });
    expect((await desk.desk.info()).workspace).toMatchObject({ id, baseUrl });
  });

  it('that was refused stays named until its key is gone', async () => {
    await desk.workspaces.test({ ...connection(), clientId: 'nobody' });
    const keys = secrets.size;
    isLocked = true;
    await expect(desk.workspaces.forgetFailed()).rejects.toEqual(refusal('keychain_locked'));
    expect(await desk.workspaces.failed()).toMatchObject({ clientId: 'nobody' });
    isLocked = false;
    await desk.workspaces.forgetFailed();
    expect([await desk.workspaces.failed(), secrets.size]).toEqual([null, keys - 1]);
  });

  it('that is refused while the one before is forgotten is forgotten after it', async () => {
    const before = secrets.size;
    const refused = { ...connection(), clientId: 'nobody' };
    await desk.workspaces.test(refused);
    await Promise.all([desk.workspaces.test(refused), desk.workspaces.forgetFailed()]);
    expect([await desk.workspaces.failed(), secrets.size]).toEqual([null, before]);
  });
});

it('a connection that cannot be opened again is not said to be missing', async () => {
  await desk.close();
  const log = { error: () => undefined };
  desk = await openTestEngine({ home, vault: testKeychain(secrets), log });
  const { id } = await desk.workspaces.connect(connection());
  const cache = join(home, 'workspaces', id, 'cache.db');
  renameSync(cache, `${cache}.away`);
  mkdirSync(cache);
  const baseUrl = practice().baseUrl.replace('127.0.0.1', 'localhost');
  await expect(desk.workspaces.change({ id, baseUrl })).rejects.toEqual(refusal('internal'));
  await expect(desk.desk.info()).rejects.toEqual(refusal('internal'));
  rmdirSync(cache);
  await desk.workspaces.use({ id });
  expect((await desk.desk.info()).workspace).toMatchObject({ id, baseUrl });
});

describe('after the keychain lost an entry', () => {
  /** The window's desk, which has a practice workspace, over a connection of before. */
  async function lose(entry: string): Promise<void> {
    await desk.close();
    for (const name of secrets.keys()) if (name.endsWith(entry)) secrets.delete(name);
    desk = await openTestEngine({
      home,
      vault: testKeychain(secrets),
      practice: () => Promise.reject(new Error('nobody practises here')),
    });
  }
  const privateKey = () => connection().privateKey;

  beforeEach(async () => {
    await desk.workspaces.connect(connection());
    await desk.sync.run({ documents: 'none' });
  });

  it('the desk opens without its private key, to report that and to take the key', async () => {
    expect(await desk.workspaces.lostKey()).toBeNull();
    await lose('private-key');
    await expect(desk.desk.info()).rejects.toThrow('keychain_entry_lost');
    expect(await desk.workspaces.lostKey()).toMatchObject({
      workspace: { kind: 'connection', baseUrl: practice().baseUrl },
      dataIsLost: false,
    });
    await expect(desk.workspaces.recoverKey({ privateKey: 'no key' })).rejects.toEqual(
      refusal('key_unreadable'),
    );
    // The page that shows it has the language that is chosen on it.
    await desk.desk.setLanguage({ language: 'fr' });
    expect(await desk.desk.language()).toBe('fr');
    await desk.workspaces.recoverKey({ privateKey: privateKey() });
    expect(await desk.workspaces.lostKey()).toBeNull();
    expect(await desk.desk.language()).toBe('fr');
    expect((await desk.cases.list({})).total).toBe(60);
    expect((await desk.sync.run({ documents: 'none' })).throttled).toBe(0);
  });

  it('data without their key are set aside only if the user confirms, and then the desk starts from scratch', async () => {
    await lose('database-key');
    expect(await desk.workspaces.lostKey()).toMatchObject({ dataIsLost: true });
    await expect(desk.workspaces.recoverKey({ privateKey: privateKey() })).rejects.toEqual(
      refusal('keychain_entry_lost'),
    );
    await desk.workspaces.recoverKey({ privateKey: privateKey(), setAside: true });
    expect((await desk.cases.list({})).total).toBe(0);
    await desk.sync.run({ documents: 'none' });
    expect((await desk.cases.list({})).total).toBe(60);
    expect(folders().filter((name) => name.includes('set-aside'))).toHaveLength(1);
  });
});

it('a policy’s values are named in the user’s language, within a map and below a setting, too', async () => {
  await desk.close();
  const limits = { standard: { capacity: 10, refillPerMinute: 30 } };
  desk = await open({ language: 'de', paths: { X1: '/v2/cases' }, limits });
  const { items } = await desk.desk.policy();
  const titles = Object.fromEntries(items.map(({ name, title }) => [name, title]));
  expect(titles).toMatchObject({ language: 'Sprache' });
  expect(Object.keys(titles).toSorted()).toEqual([
    'language',
    'limits.standard.capacity',
    'limits.standard.refillPerMinute',
    'paths.X1',
  ]);
  for (const title of Object.values(titles)) expect(title).toMatch(/^[A-ZÄÖÜ]/);
});
