import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeEach } from 'vitest';
import type { Bucket } from '#shared/api/routes.ts';
import { issueAccessToken } from '#main/front/auth/access-token.ts';
import type { Client } from '#main/front/auth/clients.ts';
import type { Partition } from '#main/front/limits/limiter.ts';
import { openFront, type OpenFront } from '#main/front/open-front.ts';
import { Problem } from '#main/front/problem.ts';
import { createContents, createSecurity } from '#main/front/store/front-schema.ts';
import type { ContentTables, SecurityTables } from '#main/front/store/tables.ts';
import { temporaryFolder } from '../../../support/processes.ts';
import { createFakeClock, type FakeClock } from '../../service/support/fake-clock.ts';
import { createMemoryLog, type MemoryLog } from '../../service/support/memory-log.ts';
import { sha256, signProof } from '../../service/support/partner.ts';

type FrontTables = SecurityTables & ContentTables;

export const publicUrl = 'https://api.example';

export interface FrontForTest {
  readonly context: OpenFront<FrontTables>;
  readonly clock: FakeClock;
  readonly memory: MemoryLog;
  /** The clients of the front by their ids; any other id names none. */
  readonly clients: Map<string, Client>;
  /** What was drawn from the limits since the test began: `bucket client:id` or `bucket address:ip`. */
  readonly draws: string[];
  /** Whose requests the limits refuse, in the form of `draws`. */
  readonly exhausted: Set<string>;
  /** The thumbprint of the partner's key. */
  readonly jkt: string;
  /** A proof of the partner's key. */
  readonly proof: (
    method: string,
    path: string,
    claims?: Readonly<Record<string, unknown>>,
  ) => Promise<string>;
  /** An access token of a client, bound to the partner's key. */
  readonly token: (client: Client) => Promise<string>;
  /** The headers of a request that a client signs. */
  readonly signed: (
    client: Client,
    method: string,
    path: string,
  ) => Promise<Record<string, string>>;
}

export const clientOf = (changes: Partial<Client> = {}): Client => ({
  clientId: 'expert-1',
  organizationId: 'experts',
  kind: 'expert',
  members: 1,
  keys: [],
  ...changes,
});

/** Opens the parts of a server over files, without a server; they are closed after the last test. */
export async function shareFront(): Promise<FrontForTest> {
  const folder = temporaryFolder();
  const clock = createFakeClock();
  const memory = createMemoryLog();
  const clients = new Map<string, Client>();
  const [draws, exhausted] = [new Array<string>(), new Set<string>()];
  const opened = await openFront<FrontTables>(
    { directory: folder.path, log: memory.log, clock, limits: 'off' },
    {
      name: 'service',
      migrations: [
        { name: 'security', up: createSecurity },
        { name: 'contents', up: createContents },
      ],
    },
    (_db, clientId) => Promise.resolve(clients.get(clientId)),
  );
  const draw = (bucket: Bucket, partition: Partition) => {
    const taken = `${bucket} ${'client' in partition ? `client:${partition.client}` : `address:${partition.address}`}`;
    draws.push(taken);
    return exhausted.has(taken)
      ? Promise.reject(new Problem('rate_limited', 'wait'))
      : Promise.resolve();
  };
  const context = { ...opened, limiter: { ...opened.limiter, draw } };
  context.address.publicUrl = publicUrl;
  context.address.audience = `${publicUrl}/v1/oauth/token`;
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const jkt = await calculateJwkThumbprint(publicJwk);
  beforeEach(() => {
    draws.length = 0;
    exhausted.clear();
    clients.clear();
  });
  afterAll(async () => {
    await context.close();
    folder.remove();
  });
  const proof: FrontForTest['proof'] = (method, path, claims = {}) =>
    signProof(privateKey, publicJwk, { method, url: publicUrl + path, nowMs: clock.now(), claims });
  const token = (client: Client) => issueAccessToken(context, client, { jkt, scope: undefined });
  return {
    context,
    clock,
    memory,
    clients,
    draws,
    exhausted,
    jkt,
    proof,
    token,
    async signed(client, method, path) {
      clients.set(client.clientId, client);
      const text = await token(client);
      return {
        host: 'api.example',
        authorization: `DPoP ${text}`,
        dpop: await proof(method, path, { ath: sha256(text) }),
      };
    },
  };
}
