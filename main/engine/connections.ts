import { DeskError } from '#shared/desk/errors.ts';
import type { ConnectionInput, ConnectionTest, Workspace } from '#shared/desk/workspace.ts';
import { createProbe } from './connection-probe.ts';
import type { EngineOptions } from './engine-options.ts';
import type { DeskSettings } from './home/desk-settings.ts';
import { settledBy } from './home/policy-connection.ts';
import type { WorkspaceRecord } from './home/settings.ts';
import { parsePrivateKey } from './keys/private-key.ts';
import { type CurrentWorkspace, workspaceView } from './workspace/current-workspace.ts';

/**
 * Opens a connection, new or known; in a turn of `current`.
 * @throws {DeskError} base_url_invalid, keychain_unavailable, and those of keys and of opening
 */
export async function connect(
  parts: { options: EngineOptions; settings: DeskSettings; current: CurrentWorkspace },
  entered: ConnectionInput,
): Promise<Workspace> {
  const { options, settings, current } = parts;
  const input = { ...entered, ...settledBy(options.policy?.connection) };
  const privateKey = parsePrivateKey(input.privateKey, input.keyPassphrase);
  const baseUrl = input.baseUrl.trim().replace(/\/+$/, '');
  // Refuses an address that is none, before anything is stored.
  await createProbe(options, { ...input, baseUrl }, privateKey).close();
  // A key that ends with the process must not encrypt work that is meant to stay.
  if (options.vault.kind === 'session') throw new DeskError('keychain_unavailable');
  const known = settings.kept.workspaces.find(
    (record) =>
      record.kind === 'connection' &&
      record.clientId === input.clientId &&
      record.baseUrl === baseUrl,
  );
  const record: WorkspaceRecord = {
    id: known?.id ?? options.random.uuid(),
    kind: 'connection',
    name: input.name ?? known?.name ?? new URL(baseUrl).host,
    baseUrl,
    audience: input.audience.trim(),
    clientId: input.clientId,
    scope: input.scope ?? null,
    htuWithoutQuery: input.htuWithoutQuery ?? false,
  };
  await current.connect(record, privateKey, input.setAside ?? false);
  return workspaceView(record);
}

/** Asks for one case with what was entered; leaves no trace. */
export async function testConnection(
  options: EngineOptions,
  entered: ConnectionInput,
): Promise<ConnectionTest> {
  const input = { ...entered, ...settledBy(options.policy?.connection) };
  const privateKey = parsePrivateKey(input.privateKey, input.keyPassphrase);
  const client = createProbe(options, input, privateKey);
  try {
    const { value } = await client.listCases({ page: 1, size: 1 }, { priority: 'person' });
    return { organizationId: null, caseCount: value.total };
  } finally {
    await client.close();
  }
}
