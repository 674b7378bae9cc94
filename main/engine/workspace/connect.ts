import { trimEndOf } from '#shared/lib/trim-end.ts';
import type { KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { toDeskError } from '#main/log/faults.ts';
import type { Handlers } from '../engine.ts';
import type { WorkspaceRecord } from '../home/settings.ts';
import { parseBaseUrl } from '../../partner/connection.ts';
import { parsePrivateKey } from '../keys/private-key.ts';
import { failureKind, type FailureKind } from '../sync/failures.ts';
import { createProbe, enteredPolicy } from './connection-policy.ts';
import { pendingWorkError } from './connection-removal.ts';
import {
  forgetFailed,
  isUnreached,
  type FailedConnection,
  storeFailed,
} from './failed-connection.ts';
import { enrol } from './enrolment.ts';
import { takeProvisioning } from './provisioning.ts';
import {
  changeConnection,
  connectWithKey,
  findConnection,
  pendingWork,
  renameConnection,
  replaceConnection,
} from './connections.ts';
import type { DeskParts } from './current-workspace.ts';
import { findOrphan, noteOrphans } from './orphans.ts';
import { workspaceView } from './workspace-view.ts';

type Connect = Handlers['workspaces']['connect'];
type ConnectInput = Parameters<Connect>[0];
type EnrolInput = Parameters<Handlers['workspaces']['enrol']>[0];

type ChangeInput = Parameters<Handlers['workspaces']['change']>[0];

/**
 * Opens a new or known connection.
 * @throws {DeskError} base_url_invalid, keychain_unavailable, and the errors of keys and of opening
 */
export function connect(parts: DeskParts, entered: ConnectInput) {
  const input = { ...entered, ...enteredPolicy(parts.options.policy?.connection) };
  return store(parts, input, parsePrivateKey(input.privateKey, input.keyPassphrase));
}

/**
 * Tests the entered connection and opens it. If the partner cannot be reached, it is opened without
 * a test, so that it works once the network is back. If the partner refuses it, it is stored for
 * `doctor`.
 * @throws {DeskError} base_url_invalid, keychain_unavailable, and the errors of keys and of opening
 */
export async function setUp(parts: DeskParts, entered: ConnectInput) {
  const { options } = parts;
  const input = { ...entered, ...enteredPolicy(options.policy?.connection) };
  const key = parsePrivateKey(input.privateKey, input.keyPassphrase);
  if (options.vault.kind === 'session') throw new DeskError('keychain_unavailable');
  const tested = await probe(options, input, key);
  const isRefused = await storeIfRefused(parts, input, key, tested);
  return { workspace: isRefused ? null : await store(parts, input, key), ...tested };
}

/** @returns whether the partner refused the connection, so that it is stored for `doctor` */
async function storeIfRefused(
  parts: DeskParts,
  input: ConnectInput,
  key: KeyObject,
  { problem, asked }: Awaited<ReturnType<typeof probe>>,
): Promise<boolean> {
  if (problem === null || isUnreached(problem)) return false;
  await storeFailed(parts, recordOf(input), key, { problem, asked });
  return true;
}

/**
 * Opens the connection that failed before and works now. @throws {DeskError} the errors of
 * `connect`
 */
export async function openMended(parts: DeskParts, failed: FailedConnection): Promise<void> {
  const { scope, changedSinceParameter, ...record } = failed.record;
  const input = {
    ...record,
    scope: scope ?? undefined,
    changedSinceParameter: changedSinceParameter ?? undefined,
    setAside: false,
  };
  await parts.current.inTurn(() => store(parts, input, failed.privateKey));
}

async function probe(options: DeskParts['options'], input: ConnectInput, key: KeyObject) {
  const client = createProbe(options, input, key);
  try {
    const { value } = await client.listCases({ page: 1, size: 1 }, { priority: 'person' });
    return { caseCount: value.total, problem: null, asked: client.lastExchange() };
  } catch (error) {
    const { problem } = toDeskError(error, 'connect', options.log);
    return { caseCount: null, problem, asked: client.lastExchange() };
  } finally {
    await client.close();
  }
}

/**
 * Uses the provisioning file that the policy names. A relative path is within the home.
 * @returns whether a connection was opened
 * @throws {DeskError} policy_invalid, and the errors of `connect` and `enrol`
 */
export async function provision(parts: DeskParts): Promise<boolean> {
  const { policy, home, vault } = parts.options;
  // Without a keychain the file stays until a start that has one.
  if (policy?.provisioningFile === undefined || vault.kind === 'session') return false;
  const file = resolve(home, policy.provisioningFile);
  try {
    return await takeProvisioning(file, enteredPolicy(policy.connection), {
      connect: (input) => connect(parts, input),
      enrol: (input) => enrolHere(parts, input),
    });
  } catch (error) {
    // If the gateway cannot be reached now, it is asked at the next start; the desk opens without
    // it.
    if (!passing.has(failureKind(error))) throw error;
    return false;
  }
}

const passing = new Set<FailureKind>(['host', 'line', 'busy', 'unknown']);

/**
 * Enrols this laptop at the organization's gateway and opens the connection.
 * @throws {DeskError} the errors of `enrol` and `connect`
 */
export async function enrolHere(parts: DeskParts, { gateway, code, name }: EnrolInput) {
  const { vault, policy } = parts.options;
  // The gateway accepts a code only once, so it must not be used for a key that ends with the
  // process.
  if (vault.kind === 'session') throw new DeskError('keychain_unavailable');
  const { privateKey, forget, ...enrolled } = await enrol(parts.options, {
    gateway: policy?.connection?.gateway ?? gateway,
    code,
  });
  const input = { ...enrolled, name, htuWithoutQuery: false, setAside: false };
  const workspace = await store(parts, input, privateKey);
  await forget();
  return workspace;
}

function recordOf(input: Omit<ConnectInput, 'privateKey'>, known?: WorkspaceRecord) {
  const baseUrl = trimEndOf(input.baseUrl.trim(), '/');
  return {
    name: input.name ?? known?.name ?? new URL(baseUrl).host,
    baseUrl,
    audience: input.audience.trim(),
    clientId: input.clientId,
    scope: input.scope ?? null,
    htuWithoutQuery: input.htuWithoutQuery,
    changedSinceParameter: input.changedSinceParameter ?? null,
  };
}

async function store(
  parts: DeskParts,
  input: Omit<ConnectInput, 'privateKey'>,
  privateKey: KeyObject,
) {
  const { options, settings } = parts;
  const baseUrl = trimEndOf(input.baseUrl.trim(), '/');
  // An invalid address is refused before anything is stored.
  parseBaseUrl(baseUrl);
  // A key that ends with the process must not encrypt work that should stay.
  if (options.vault.kind === 'session') throw new DeskError('keychain_unavailable');
  const known = settings.stored.workspaces.find(
    (record) =>
      record.kind === 'connection' &&
      record.clientId === input.clientId &&
      record.baseUrl === baseUrl,
  );
  const { clientId } = input;
  const orphan = known ? null : await findOrphan(parts, { baseUrl, clientId }, privateKey);
  const record: WorkspaceRecord = {
    id: known?.id ?? orphan ?? options.random.uuid(),
    kind: 'connection',
    ...recordOf(input, known),
  };
  await connectWithKey(parts, record, privateKey, input.setAside);
  if (orphan !== null) await noteOrphans(parts);
  await forgetFailed(parts);
  return workspaceView(record);
}

/**
 * Changes a connection. With the same client id it is the same organization, whose data stay. With
 * another client id, a new connection replaces it.
 * @throws {DeskError} base_url_invalid, connection_known, connection_holds_work, and the errors of
 *   keys
 */
export async function changeEntered(parts: DeskParts, input: ChangeInput) {
  const { options, settings } = parts;
  const before = findConnection(parts, input.id);
  const { id, keyPassphrase, privateKey, removed, name, scope, changedSinceParameter, ...given } =
    input;
  const others = [privateKey, scope, changedSinceParameter, ...Object.values(given)];
  if (others.every((value) => value === undefined)) {
    return workspaceView(renameConnection(parts, id, name ?? before.name));
  }
  const key = privateKey === undefined ? null : parsePrivateKey(privateKey, keyPassphrase);
  // The other values of the policy take precedence over stored ones wherever a connection is used.
  const clientId =
    given.clientId && (enteredPolicy(options.policy?.connection).clientId ?? given.clientId);
  const record: WorkspaceRecord = {
    ...before,
    name: name ?? before.name,
    baseUrl: trimEndOf((given.baseUrl ?? before.baseUrl).trim(), '/'),
    audience: (given.audience ?? before.audience).trim(),
    clientId: (clientId ?? before.clientId).trim(),
    scope: scope === '' ? null : (scope ?? before.scope),
    htuWithoutQuery: given.htuWithoutQuery ?? before.htuWithoutQuery,
    changedSinceParameter:
      changedSinceParameter === '' ? null : (changedSinceParameter ?? before.changedSinceParameter),
  };
  parseBaseUrl(record.baseUrl);
  const twin = settings.stored.workspaces.find(
    (one) => one.id !== id && one.clientId === record.clientId && one.baseUrl === record.baseUrl,
  );
  if (twin) throw new DeskError('connection_known', { name: twin.name });
  if (record.clientId === before.clientId) {
    await changeConnection(parts, record, key);
    return workspaceView(record);
  }
  if (removed === undefined) {
    throw pendingWorkError(await pendingWork(parts, id));
  }
  const other = { ...record, id: options.random.uuid() };
  await replaceConnection(parts, before, other, key, removed);
  return workspaceView(other);
}

/**
 * Requests one case with the entered connection, and opens nothing. If the partner refuses the
 * connection, it is stored for `doctor`, unless there is no keychain for its key.
 * @throws {DeskError} base_url_invalid, and the errors of keys
 */
export async function testConnection(parts: DeskParts, entered: ConnectInput) {
  const { options } = parts;
  const input = { ...entered, ...enteredPolicy(options.policy?.connection) };
  const key = parsePrivateKey(input.privateKey, input.keyPassphrase);
  const tested = await probe(options, input, key);
  const hasVault = options.vault.kind !== 'session';
  return { ...tested, isStored: hasVault && (await storeIfRefused(parts, input, key, tested)) };
}
