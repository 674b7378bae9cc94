import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#main/front/clock.ts';
import { createCode } from '#main/gateway/auth/clients.ts';
import type { GatewayContextOptions } from '#main/gateway/context.ts';
import { gatewayDocument } from '#main/gateway/status/open-endpoints.ts';
import { runGateway, type RunningGateway } from '#main/gateway/run-gateway.ts';
import { createDatabase, databaseOf, dropDatabase } from '../../service/support/database.ts';
import { createMemoryLog } from '../../service/support/memory-log.ts';
import { checkAgainstContract } from '../../service/support/openapi-contract.ts';
import {
  createPartner,
  send,
  type Partner,
  type PartnerAnswer,
  type PartnerCredentials,
} from '../../service/support/partner.ts';

const plenty = { capacity: 100_000, refillPerMinute: 6_000_000 };

export interface GatewayForTest extends RunningGateway {
  readonly directory: string;
  /** Enrols a new client and returns it. `isDispatcher` has the meaning of `gateway enrol`. */
  laptop(isDispatcher?: boolean): Promise<Partner & { readonly clientId: string }>;
  remove(): Promise<void>;
}

/** The partner of a gateway: a service, or a server that answers as a test demands. */
export interface PartnerOfGateway {
  readonly baseUrl: string;
  readonly credentials: { readonly expert: PartnerCredentials };
  readonly context: { readonly address: { readonly audience: string } };
  /** Whether its answers, which a gateway passes on, are wrong on purpose. */
  readonly isOdd?: true;
}

/** Starts a gateway over real HTTP in front of a partner. */
export async function startGateway(
  service: PartnerOfGateway,
  {
    visibility = 'all',
    limits = 'off',
    clock = systemClock,
    log = createMemoryLog().log,
    publicUrl,
    ...more
  }: { readonly publicUrl?: string } & Partial<
    Pick<
      GatewayContextOptions,
      'visibility' | 'limits' | 'trustedProxies' | 'statusPort' | 'objects' | 'clock' | 'log'
    >
  > = {},
): Promise<GatewayForTest> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-'));
  const { expert } = service.credentials;
  await createDatabase(directory);
  const running = await runGateway({
    directory,
    database: databaseOf(directory),
    partner: {
      baseUrl: service.baseUrl,
      audience: service.context.address.audience,
      clientId: expert.clientId,
      privateKey: createPrivateKey(expert.privateKeyPem),
    },
    visibility,
    limits,
    ...more,
    partnerLimits: { standard: plenty, documents: plenty },
    clock,
    log,
    listen: { host: '127.0.0.1', port: 0, ...(publicUrl !== undefined && { publicUrl }) },
  });
  const { context, baseUrl } = running;
  if (!service.isOdd) checkAgainstContract(baseUrl, () => gatewayDocument(context), 'gateway');
  return {
    ...running,
    directory,
    async laptop(isDispatcher = false) {
      const { code } = await createCode(context.db, systemClock, { name: 'Laptop', isDispatcher });
      const { publicPem, privatePem } = newKey();
      const answer = await enrol(baseUrl, code, publicPem);
      const { ClientId: clientId } = answer.json as { ClientId: string };
      const partner = await createPartner({ clientId, privateKeyPem: privatePem }, baseUrl);
      return { ...partner, clientId };
    },
    async remove() {
      await running.stop(1000);
      await dropDatabase(directory);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export function newKey(): { publicPem: string; privatePem: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

export function enrol(baseUrl: string, code: string, publicPem: string): Promise<PartnerAnswer> {
  return send('POST', `${baseUrl}/v1/gateway/enrolments`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ Code: code, PublicKeyPem: publicPem }),
  });
}
