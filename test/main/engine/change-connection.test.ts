import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Engine } from '#main/engine/engine.ts';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { createSessionVault } from '#main/engine/keys/vault.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { sharePractice } from './support/shared-practice.ts';
import { testFolder } from './support/test-folder.ts';

// A connection is renamed, changed and removed; what was not sent is never removed unasked.

const { practice, connection } = sharePractice();
let home: string;
let secrets: Map<string, string>;
let desk: Engine;
const open = (policy: DeskPolicy = {}) =>
  openEngine({
    home,
    policy,
    vault: { ...createSessionVault(secrets), kind: 'keychain' },
    clock: systemClock,
    random: systemRandom,
  });
const refusal = (code: string, params = {}): unknown =>
  expect.objectContaining({ code, params: expect.objectContaining(params) as unknown });
const folders = () => readdirSync(join(home, 'workspaces'));
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

beforeEach(async () => {
  home = testFolder();
  secrets = new Map();
  desk = await open();
});
afterEach(async () => {
  await desk.close();
});

it('another name, address or key keeps the data; the work stays counted', async () => {
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

it('a removed connection leaves no data and no key, and its work only as the person was told', async () => {
  const id = await connectAndWork();
  const second = await desk.workspaces.connect({ ...connection(), clientId: 'other' });
  // One that is not open tells what it holds, too.
  const { held } = await desk.workspaces.get({ id });
  expect(held).toEqual({ entries: 1, drafts: 1, texts: 1, backups: 0 });
  await expect(desk.workspaces.remove({ id, held: none })).rejects.toEqual(
    refusal('connection_holds_work', { entries: 1 }),
  );
  expect(folders()).toContain(id);
  await desk.workspaces.remove({ id, held });
  expect(folders()).toEqual([second.id]);
  expect([...secrets.keys()].filter((name) => name.includes(id))).toEqual([]);
  await desk.workspaces.remove({ id: second.id, held: none });
  expect([folders(), [...secrets]]).toEqual([[], []]);
  await expect(desk.desk.info()).rejects.toEqual(refusal('no_connection'));
});

it('another client id takes the place of the connection only if its data may go', async () => {
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
  expect(await desk.workspaces.change({ id, clientId: 'another' })).toMatchObject({ id, clientId });
  await desk.close();
  desk = await open();

  const { held: removed } = await desk.workspaces.get({ id });
  const other = await desk.workspaces.change({ id, clientId: 'another', removed });
  expect(other.id).not.toBe(id);
  expect(folders()).not.toContain(id);
  expect((await desk.cases.list({})).total).toBe(0);
});

it('a removal that a kill cut short goes on at the next start', async () => {
  const { id } = await desk.workspaces.connect(connection());
  await desk.close();
  const folder = join(home, 'workspaces', id);
  renameSync(folder, `${folder}-removed`);
  desk = await open();
  expect(existsSync(`${folder}-removed`)).toBe(false);
  expect([folders(), [...secrets]]).toEqual([[], []]);
  await expect(desk.desk.info()).rejects.toEqual(refusal('no_connection'));
});
