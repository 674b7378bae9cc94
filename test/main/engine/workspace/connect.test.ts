import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyObject } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { EngineOptions } from '#main/engine/engine.ts';
import type { WorkspaceRecord } from '#main/engine/home/settings.ts';
import { createSessionVault } from '#main/engine/keys/vault.ts';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import {
  changeEntered,
  connect,
  enrolHere,
  openMended,
  provision,
  setUp,
  testConnection,
} from '#main/engine/workspace/connect.ts';
import { openFailed } from '#main/engine/workspace/failed-connection.ts';
import { noteOrphans } from '#main/engine/workspace/orphans.ts';
import { RequestFailure, type TransportFactory } from '#main/partner/requests/transport.ts';
import { recordedTransport } from '../support/recorded-transport.ts';
import { problemOf, rsaKeys } from '../support/test-client.ts';
import { workspaceRecord } from '../support/test-desk.ts';
import { testFolder } from '../support/test-engine.ts';
import { addClosedWorkspace, testParts, type TestParts } from '../support/test-parts.ts';

const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const entered = {
  baseUrl: 'https://partner.example',
  audience: 'https://partner.example/token',
  clientId: 'laptop-1',
  privateKey: pemOf(rsaKeys.privateKey),
  htuWithoutQuery: false,
  setAside: false,
};
const stored = {
  kind: 'connection',
  name: 'partner.example',
  baseUrl: entered.baseUrl,
  audience: entered.audience,
  clientId: entered.clientId,
  scope: null,
  htuWithoutQuery: false,
  changedSinceParameter: null,
};
const none = { entries: 0, drafts: 0, texts: 0, backups: 0 };

/** What the partner does with the requests. */
const refusing = recordedTransport(() => ({ status: 400, body: { error: 'invalid_scope' } }));
const offline: TransportFactory = () => ({
  send: () => Promise.reject(new RequestFailure(new DeskError('offline', { host: 'h' }), false)),
  close: () => undefined,
});
let willing: ReturnType<typeof recordedTransport>;
let home: string;
let secrets: Map<string, string>;
let desk: TestParts;
beforeEach(() => {
  home = testFolder();
  secrets = new Map();
  willing = recordedTransport(() => null);
  desk = parts();
});
afterEach(() => desk.current.close());

function parts(
  createTransport: TransportFactory = willing.createTransport,
  changes: Partial<EngineOptions> = {},
): TestParts {
  return testParts(home, secrets, { network: { createTransport }, ...changes });
}
const withPolicy = (connection: DeskPolicy['connection']) =>
  parts(willing.createTransport, { policy: { connection } });
const withoutKeychain = () =>
  parts(refusing.createTransport, { vault: createSessionVault(secrets) });
const folders = () => readdirSync(join(home, 'workspaces')).toSorted();
const known = () => desk.settings.stored.workspaces;
const remember = (id: string, part: Partial<WorkspaceRecord> = {}) => {
  const record = workspaceRecord({ id, ...stored, kind: 'connection', ...part });
  desk.settings.remember(record);
  secrets.set(`workspace/${id}/private-key`, entered.privateKey);
  return record;
};

describe('a connection that is entered', () => {
  it('is stored as it is used, and opened', async () => {
    const more = { scope: 'cases', htuWithoutQuery: true, changedSinceParameter: 'since' };
    const asTyped = { baseUrl: ` ${entered.baseUrl}// `, audience: ` ${entered.audience} ` };
    const workspace = await connect(desk, { ...entered, ...asTyped, ...more, name: 'Alpina' });
    const record = { ...stored, ...more, name: 'Alpina', id: workspace.id };
    expect(workspace).toEqual({
      id: workspace.id,
      kind: 'connection',
      name: 'Alpina',
      baseUrl: stored.baseUrl,
      clientId: 'laptop-1',
      kept: true,
    });
    expect(known()).toEqual([record]);
    expect(desk.current.workspace.record).toEqual(record);
    expect(willing.sent).toEqual([]);
  });

  it('has the values of the policy in place of its own', async () => {
    desk = withPolicy({ baseUrl: 'https://policy.example', clientId: 'laptop-2' });
    await connect(desk, entered);
    expect(known()).toMatchObject([
      { baseUrl: 'https://policy.example', clientId: 'laptop-2', name: 'policy.example' },
    ]);
  });

  it('that is known keeps its data and its name, unless another name is given', async () => {
    remember('a', { name: 'Alpina' });
    expect(await connect(desk, entered)).toMatchObject({ id: 'a', name: 'Alpina' });
    expect(await connect(desk, { ...entered, name: 'Helvetia' })).toMatchObject({
      id: 'a',
      name: 'Helvetia',
    });
    expect(folders()).toEqual(['a']);
  });

  it('of another client id, another address or practice is another one', async () => {
    remember('a', { clientId: 'laptop-2' });
    remember('b', { baseUrl: 'https://other.example' });
    remember('c', { kind: 'practice' });
    const { id } = await connect(desk, entered);
    expect(['a', 'b', 'c']).not.toContain(id);
    expect(known().map((record) => record.id)).toEqual(['a', 'b', 'c', id]);
  });

  it('takes up the folder that says it is its own, which is an orphan no longer', async () => {
    const { id: _, ...own } = workspaceRecord({ baseUrl: stored.baseUrl, clientId: 'laptop-1' });
    addClosedWorkspace(home, secrets, 'left', own);
    await noteOrphans(desk);
    expect(desk.home.orphans).toHaveLength(1);
    expect(await connect(desk, entered)).toMatchObject({ id: 'left' });
    expect(desk.home.orphans).toEqual([]);
  });

  it('ends the notice of one that failed', async () => {
    desk = parts(refusing.createTransport);
    await testConnection(desk, entered);
    expect(await openFailed(desk)).not.toBeNull();
    await connect(desk, entered);
    expect(await openFailed(desk)).toBeNull();
  });

  it('with a wrong address, a key that is none, or without a keychain leaves nothing', async () => {
    for (const [baseUrl, rule] of [
      ['ftp://h', 'scheme'],
      ['nowhere', 'url'],
    ] as const)
      await expect(connect(desk, { ...entered, baseUrl })).rejects.toMatchObject({
        problem: { code: 'base_url_invalid', params: { rule } },
      });
    expect(() => connect(desk, { ...entered, privateKey: 'x' })).toThrow('key_unreadable');
    desk = withoutKeychain();
    await expect(connect(desk, entered)).rejects.toThrow('keychain_unavailable');
    expect([folders(), [...secrets], known()]).toEqual([[], [], []]);
  });
});

describe('a connection that is set up', () => {
  it('is tested with one case, and opened', async () => {
    desk = withPolicy({ clientId: 'laptop-2' });
    const { workspace, caseCount, problem, asked } = await setUp(desk, entered);
    expect([workspace?.clientId, caseCount, problem]).toEqual(['laptop-2', 0, null]);
    expect(asked).toMatchObject({ operation: 'X1', status: 200 });
    expect(willing.sent.map(({ url }) => url.pathname + url.search)).toEqual([
      '/v1/oauth/token',
      '/v1/experts/cases?page=1&size=1',
    ]);
    expect(desk.current.isOpen(workspace?.id ?? '')).toBe(true);
  });

  it('is opened untested if the partner is not reached', async () => {
    desk = parts(offline);
    const { workspace, ...tested } = await setUp(desk, entered);
    expect(tested).toMatchObject({ caseCount: null, problem: { code: 'offline' } });
    expect(known()).toMatchObject([{ id: workspace?.id }]);
    expect(await openFailed(desk)).toBeNull();
  });

  it('is not opened if the partner refuses it, and stored for the doctor', async () => {
    desk = parts(refusing.createTransport);
    const { workspace, problem, asked } = await setUp(desk, { ...entered, name: 'Alpina' });
    expect([workspace, desk.current.open, known()]).toEqual([null, null, []]);
    expect(problem).not.toBeNull();
    expect(asked).toMatchObject({ operation: 'token', status: 400 });
    expect(await openFailed(desk)).toMatchObject({
      record: { ...stored, name: 'Alpina' },
      problem,
      asked,
    });
  });

  it('is not begun without a keychain', async () => {
    desk = withoutKeychain();
    refusing.sent.length = 0;
    await expect(setUp(desk, entered)).rejects.toThrow('keychain_unavailable');
    expect(refusing.sent).toEqual([]);
    expect(secrets.size).toBe(0);
  });

  it('after it was mended is opened with all its values', async () => {
    desk = parts(refusing.createTransport);
    const more = { scope: 'cases', changedSinceParameter: 'since', htuWithoutQuery: true };
    await setUp(desk, { ...entered, ...more });
    const usual = { scope: null, changedSinceParameter: null, htuWithoutQuery: false };
    for (const values of [more, usual]) {
      const failed = await openFailed(desk);
      if (!failed) throw new Error('a connection failed');
      await openMended(desk, { ...failed, record: { ...failed.record, ...values } });
      expect(desk.current.workspace.record).toMatchObject({ ...stored, ...values });
      expect(await openFailed(desk)).toBeNull();
      await setUp(desk, entered);
    }
  });
});

describe('a test of a connection', () => {
  it('opens and stores nothing if it succeeds or the partner is not reached', async () => {
    desk = withPolicy({ clientId: 'laptop-2' });
    expect(await testConnection(desk, entered)).toMatchObject({
      caseCount: 0,
      problem: null,
      isStored: false,
    });
    expect(new URLSearchParams(willing.sent[0]?.text).get('client_id')).toBe('laptop-2');
    desk = parts(offline);
    expect(await testConnection(desk, entered)).toMatchObject({ isStored: false });
    expect([folders(), [...secrets], known()]).toEqual([[], [], []]);
  });

  it('stores what the partner refuses, if there is a keychain', async () => {
    desk = parts(refusing.createTransport);
    expect(await testConnection(desk, entered)).toMatchObject({ isStored: true });
    expect(await openFailed(desk)).not.toBeNull();
    home = testFolder();
    secrets = new Map();
    desk = withoutKeychain();
    expect(await testConnection(desk, entered)).toMatchObject({ isStored: false });
    expect(await openFailed(desk)).toBeNull();
    expect(secrets.size).toBe(0);
  });
});

describe('the file that the policy names', () => {
  const file = () => join(home, 'provision.json');
  const lay = (value: object) => writeFileSync(file(), JSON.stringify(value));
  const { privateKey, clientId, audience } = entered;
  const using = (createTransport?: TransportFactory, changes: Partial<EngineOptions> = {}) =>
    parts(createTransport, {
      policy: {
        provisioningFile: 'provision.json',
        connection: { baseUrl: entered.baseUrl },
      },
      ...changes,
    });

  it('connects with the values of the policy', async () => {
    lay({ privateKey, clientId, audience });
    expect(await provision(parts())).toBe(false);
    desk = using();
    expect(await provision(desk)).toBe(true);
    expect(known()).toMatchObject([stored]);
    expect(existsSync(file())).toBe(false);
    expect(await provision(desk)).toBe(false);
  });

  it('stays without a keychain', async () => {
    lay({ privateKey, clientId, audience });
    desk = using(willing.createTransport, { vault: createSessionVault(secrets) });
    expect(await provision(desk)).toBe(false);
    expect(existsSync(file())).toBe(true);
  });

  it('is wrong, which the start says', async () => {
    lay({ privateKey, clientId: 7, audience });
    desk = using();
    await expect(provision(desk)).rejects.toMatchObject({ code: 'policy_invalid' });
  });
});

describe('a laptop that is enrolled', () => {
  const answer = { BaseUrl: entered.baseUrl, Audience: entered.audience, ClientId: 'laptop-1' };
  const enrolment = { gateway: 'https://office.example', code: 'ABCD2345' };
  /** With the key of an enrolment that was begun, because making one takes a second. */
  let begun: Map<string, string> | undefined;
  let asked: string[];

  function gateway(status: number): TransportFactory {
    return recordedTransport(({ url }) => {
      asked.push(url.href);
      return { status, body: status === 201 ? answer : {} };
    }).createTransport;
  }
  beforeEach(async () => {
    asked = [];
    if (begun) {
      for (const [name, secret] of begun) secrets.set(name, secret);
      return;
    }
    await enrolHere(parts(gateway(503)), enrolment).catch(() => undefined);
    begun = new Map(secrets);
    asked = [];
  });

  it('has a connection, and nothing of its enrolment is left', async () => {
    desk = parts(gateway(201));
    const workspace = await enrolHere(desk, { ...enrolment, name: 'Office' });
    expect(asked).toEqual(['https://office.example/v1/gateway/enrolments']);
    expect(known()).toEqual([{ ...stored, id: workspace.id, name: 'Office' }]);
    expect([...secrets.keys()].every((name) => name.includes(workspace.id))).toBe(true);
    expect(secrets.get(`workspace/${workspace.id}/private-key`)).toBe(
      [...(begun?.values() ?? [])][0],
    );
  });

  it('asks the gateway of the policy', async () => {
    desk = parts(gateway(201), {
      policy: { connection: { gateway: enrolment.gateway } },
    });
    await enrolHere(desk, { ...enrolment, gateway: 'https://typed.example' });
    expect(asked).toEqual(['https://office.example/v1/gateway/enrolments']);
  });

  it('is none without a keychain, and the code is not used', async () => {
    desk = parts(gateway(201), { vault: createSessionVault(secrets) });
    await expect(enrolHere(desk, enrolment)).rejects.toThrow('keychain_unavailable');
    expect(asked).toEqual([]);
  });

  it.each([
    [503, true],
    [404, false],
  ])('by a file, at a gateway that answers %d: it is tried again: %o', async (status, isAgain) => {
    writeFileSync(join(home, 'provision.json'), JSON.stringify(enrolment));
    desk = parts(gateway(status), { policy: { provisioningFile: 'provision.json' } });
    expect(await problemOf(provision(desk))).toEqual(
      isAgain ? 'no problem' : { code: 'gateway_missing', params: { host: 'office.example' } },
    );
    expect(existsSync(join(home, 'provision.json'))).toBe(true);
  });

  it('by a file, at a gateway that is not reached, is enrolled at a later start', async () => {
    writeFileSync(join(home, 'provision.json'), JSON.stringify(enrolment));
    const policy = { provisioningFile: 'provision.json' };
    desk = parts(offline, { policy });
    expect(await provision(desk)).toBe(false);
    desk = parts(gateway(201), { policy });
    expect(await provision(desk)).toBe(true);
    expect(known()).toMatchObject([{ clientId: 'laptop-1' }]);
    expect(existsSync(join(home, 'provision.json'))).toBe(false);
  });
});

describe('a change of a connection', () => {
  const now = () => known().find(({ id }) => id === 'a');

  it('of its name alone does not open it again', async () => {
    remember('a');
    await connect(desk, entered);
    const { backups } = desk.current.opened;
    expect(await changeEntered(desk, { id: 'a', name: 'Alpina' })).toMatchObject({
      id: 'a',
      name: 'Alpina',
    });
    expect(await changeEntered(desk, { id: 'a' })).toMatchObject({ name: 'Alpina' });
    expect(desk.current.opened.backups).toBe(backups);
    expect(now()?.name).toBe('Alpina');
  });

  it.each<[Partial<Parameters<typeof changeEntered>[1]>, Partial<WorkspaceRecord>]>([
    [{ baseUrl: ' https://new.example// ' }, { baseUrl: 'https://new.example' }],
    [{ audience: ' new ' }, { audience: 'new' }],
    [{ clientId: ' laptop-1 ' }, {}],
    [{ scope: 'new' }, { scope: 'new' }],
    [{ scope: '' }, { scope: null }],
    [{ htuWithoutQuery: true }, { htuWithoutQuery: true }],
    [{ changedSinceParameter: 'new' }, { changedSinceParameter: 'new' }],
    [{ changedSinceParameter: '' }, { changedSinceParameter: null }],
    [{ privateKey: entered.privateKey, name: 'new' }, { name: 'new' }],
  ])('changes what is given, and nothing else: %o', async (given, changed) => {
    const record = remember('a', { scope: 'old', changedSinceParameter: 'old' });
    const answer = await changeEntered(desk, { id: 'a', ...given });
    expect(now()).toEqual({ ...record, ...changed });
    expect(answer).toMatchObject({ id: 'a', name: changed.name ?? record.name });
  });

  it('of nothing that is wrong', async () => {
    const record = remember('a');
    remember('b', { clientId: 'laptop-2', name: 'Alpina' });
    await expect(changeEntered(desk, { id: 'a', baseUrl: 'nowhere' })).rejects.toThrow(
      'base_url_invalid',
    );
    await expect(changeEntered(desk, { id: 'a', privateKey: 'x' })).rejects.toThrow(
      'key_unreadable',
    );
    await expect(changeEntered(desk, { id: 'c', name: 'x' })).rejects.toThrow('invalid_input');
    await expect(changeEntered(desk, { id: 'a', clientId: 'laptop-2' })).rejects.toMatchObject({
      problem: { code: 'connection_known', params: { name: 'Alpina' } },
    });
    expect(now()).toEqual(record);
  });

  it('may lead to the address of another client id, or the client id at another address', async () => {
    remember('a');
    remember('b', { clientId: 'laptop-2', baseUrl: 'https://other.example' });
    await changeEntered(desk, { id: 'a', baseUrl: 'https://other.example' });
    expect(now()?.baseUrl).toBe('https://other.example');
  });

  it('to another client id replaces it once its work may go', async () => {
    addClosedWorkspace(home, secrets, 'a', stored as Partial<WorkspaceRecord>);
    const record = remember('a');
    const change = { id: 'a', clientId: ' laptop-2 ' };
    await expect(changeEntered(desk, change)).rejects.toMatchObject({
      problem: { code: 'connection_holds_work', params: { ...none, texts: 1 } },
    });
    expect(now()).toEqual(record);
    const made = await changeEntered(desk, { ...change, removed: { ...none, texts: 1 } });
    expect(made).toMatchObject({ clientId: 'laptop-2', name: record.name });
    expect(known()).toEqual([{ ...record, id: made.id, clientId: 'laptop-2' }]);
    expect(folders()).toEqual([made.id]);
    expect(desk.current.isOpen(made.id)).toBe(true);
  });

  it('to another client id is not one if the policy has the known', async () => {
    desk = withPolicy({ clientId: 'laptop-1' });
    const record = remember('a');
    expect(await changeEntered(desk, { id: 'a', clientId: 'laptop-2' })).toMatchObject({ id: 'a' });
    expect(now()).toEqual(record);
  });
});
