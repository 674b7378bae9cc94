import { generateKeyPair, type KeyPairKeyObjectResult } from 'node:crypto';
import { promisify } from 'node:util';
import { DeskError } from '#shared/desk/errors.ts';
import { enrol } from '../client/enrol.ts';
import type { Handlers } from '../engine.ts';
import type { WorkspaceRecord } from '../home/settings.ts';
import { parsePrivateKey } from '../keys/private-key.ts';
import { clientPolicy, createProbe, enteredPolicy } from '../workspace/connection-policy.ts';
import { workspaceView } from '../workspace/current-workspace.ts';
import { deskInfo, type DeskParts } from './desk.ts';

const generateKey = promisify(generateKeyPair);
type EnrolmentInput = Parameters<Handlers['workspaces']['enrol']>[0];
type Connect = Handlers['workspaces']['connect'];
type ConnectInput = Parameters<Connect>[0];

export function workspaceCalls(parts: DeskParts): Handlers['workspaces'] {
  const { current, settings, options } = parts;
  /** The key of a code whose answer was lost: the gateway gives the same answer to it again. */
  let asked: { readonly code: string; readonly key: KeyPairKeyObjectResult } | null = null;

  async function enrolLaptop({ gateway, code }: EnrolmentInput) {
    const key =
      asked?.code === code ? asked.key : await generateKey('rsa', { modulusLength: 3072 });
    asked = { code, key };
    // Before the code is used up.
    if (options.vault.kind === 'session') throw new DeskError('keychain_unavailable');
    const publicKeyPem = key.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const access = await enrol(
      { gateway, code, publicKeyPem },
      {
        ...clientPolicy(options),
        clock: options.clock,
      },
    );
    const privateKey = key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const workspace = await connect(parts, {
      ...access,
      privateKey,
      htuWithoutQuery: false,
      setAside: false,
    });
    asked = null;
    return workspace;
  }

  return {
    connect: (input) => current.inTurn(() => connect(parts, input)),
    enrol: (input) => current.inTurn(() => enrolLaptop(input)),
    test: (input) => testConnection(parts, input),
    use: ({ id }) =>
      current.inTurn(async () => {
        await current.use(id);
        return deskInfo(parts);
      }),
    async lostKey() {
      const lost = await current.lost();
      return lost && { ...lost, language: settings.language };
    },
    recoverKey: (input) =>
      current.inTurn(async () => {
        await current.recover(input);
        return deskInfo(parts);
      }),
  };
}

/**
 * Opens a connection, new or known.
 * @throws {DeskError} base_url_invalid, keychain_unavailable, and those of keys and of opening
 */
async function connect({ options, settings, current }: DeskParts, entered: ConnectInput) {
  const input = { ...entered, ...enteredPolicy(options.policy?.connection) };
  const privateKey = parsePrivateKey(input.privateKey, input.keyPassphrase);
  const baseUrl = input.baseUrl.trim().replace(/\/+$/, '');
  // Refuses an invalid address before anything is stored.
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
    htuWithoutQuery: input.htuWithoutQuery,
  };
  await current.connect(record, privateKey, input.setAside);
  return workspaceView(record);
}

/** Asks for one case with what was entered; leaves no trace. */
async function testConnection({ options }: DeskParts, entered: ConnectInput) {
  const input = { ...entered, ...enteredPolicy(options.policy?.connection) };
  const privateKey = parsePrivateKey(input.privateKey, input.keyPassphrase);
  const client = createProbe(options, input, privateKey);
  try {
    const { value } = await client.listCases({ page: 1, size: 1 }, { priority: 'person' });
    return { organizationId: null, caseCount: value.total };
  } finally {
    await client.close();
  }
}
