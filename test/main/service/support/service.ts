import { rm, cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, inject } from 'vitest';
import { buildService } from '#main/service/app.ts';
import { buildFrame } from '#main/front/frame.ts';
import type { Limits } from '#main/front/limits/limiter.ts';
import { listen, type ListenOptions } from '#main/front/process.ts';
import { serviceDocument } from '#main/service/open-endpoints.ts';
import { openContext, type ServiceContext } from '#main/service/context.ts';
import {
  credentialsTable,
  ensureCredentials,
  type Credentials,
} from '#main/service/organizations/credentials.ts';
import { parseObjectLocation } from '#main/front/contents/object-location.ts';
import { openS3Store, type ObjectStore } from '#main/front/contents/s3-store.ts';
import { createLog } from '#main/front/log.ts';
import { createServerMetrics } from '#main/front/status/server-metrics.ts';
import type { GatewayForTest } from '../../gateway/support/gateway.ts';
import { databaseOf, dropDatabase, createDatabase } from './database.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { createMemoryLog } from './memory-log.ts';
import { checkAgainstContract } from './openapi-contract.ts';
import { createPartner, type Partner } from './partner.ts';
import { s3Keys } from '../../../support/s3-keys.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The expert reaches the service through a gateway. */
    throughGateway: boolean | undefined;
  }
}

export interface ServiceForTest {
  readonly context: ServiceContext;
  readonly clock: FakeClock;
  readonly baseUrl: string;
  readonly directory: string;
  readonly credentials: Credentials;
  /** The service's log so far, one JSON object per line. */
  readonly logged: readonly string[];
  /** Returns a partner of one of the credentials' organizations, on the service's clock. */
  partner(name: 'insurer' | 'expert' | 'otherExpert' | 'memberless'): Promise<Partner>;
  /** Stops the service and checks its log. The data stays. */
  stop(): Promise<void>;
  /** Stops the service and removes its data. */
  remove(): Promise<void>;
}

export interface ServiceForTestOptions {
  readonly limits?: Limits;
  /** The data folder of a stopped service. */
  readonly directory?: string;
  readonly clock?: FakeClock;
  readonly listen?: Partial<ListenOptions>;
  /** The bucket for documents, in the form of `--documents`. */
  readonly documentsUrl?: string;
  readonly statusPort?: number;
  /** Mounts these operations instead of the service's own. */
  readonly mount?: (app: FastifyInstance, context: ServiceContext) => void;
}

/** Starts a service over real HTTP and real files, with a clock that stands still. */
export async function startService(options: ServiceForTestOptions = {}): Promise<ServiceForTest> {
  const directory = options.directory ?? (await newDirectory());
  const clock = options.clock ?? createFakeClock();
  const memory = createMemoryLog();
  const context = await openContext({
    directory,
    database: databaseOf(directory),
    objects: objectsForTest(options.documentsUrl),
    limits: options.limits ?? 'off',
    clock,
    log: memory.log,
    metrics: createServerMetrics('service'),
    statusPort: options.statusPort,
  });
  const credentials = await ensureCredentials(context, credentialsTable(context.db));
  const app = options.mount
    ? buildFrame(context)
    : await buildService(context, { backofficeToken: credentials.backoffice.token });
  options.mount?.(app, context);
  const throughGateway = inject('throughGateway') === true && !options.mount;
  // A gateway learns the partner's time from the Date header of answers.
  if (throughGateway) {
    app.server.prependListener('request', (_request, response) => {
      response.setHeader('date', new Date(clock.now()).toUTCString());
    });
  }
  const baseUrl = await listen(app, context, { host: '127.0.0.1', port: 0, ...options.listen });
  if (!options.mount) checkAgainstContract(baseUrl, () => serviceDocument(context));
  let gateway: Promise<GatewayForTest> | undefined;
  const stop = async () => {
    await (await gateway)?.remove();
    await app.close();
    await context.close();
    memory.assertClean(credentials);
  };
  const service: ServiceForTest = {
    context,
    clock,
    baseUrl,
    directory,
    credentials,
    logged: memory.lines,
    async partner(name) {
      if (throughGateway && name === 'expert') {
        const { startGateway } = await import('../../gateway/support/gateway.ts');
        const through = await (gateway ??= startGateway(service));
        const expert = await through.laptop();
        return {
          ...expert,
          async request(...args) {
            await through.context.pull.now();
            return expert.request(...args);
          },
        };
      }
      return createPartner(credentials[name], baseUrl, {
        audience: context.address.audience,
        publicUrl: context.address.publicUrl,
        now: () => clock.now(),
      });
    },
    stop,
    async remove() {
      await stop();
      await dropDatabase(directory);
      await rm(directory, { recursive: true });
    },
  };
  return service;
}

export interface SharedService {
  readonly service: ServiceForTest;
  readonly insurer: Partner;
  readonly expert: Partner;
}

/**
 * Starts a service for all tests of a file, with a partner of each side. It is removed after the
 * last test.
 */
export async function shareService(options?: ServiceForTestOptions): Promise<SharedService> {
  const service = await startService(options);
  afterAll(() => service.remove());
  const [insurer, expert] = await Promise.all([
    service.partner('insurer'),
    service.partner('expert'),
  ]);
  return { service, insurer, expert };
}

/** Returns the bucket for `openContext`, in a project whose documents are in one. */
export function objectsForTest(url = inject('documentsUrl')): ObjectStore | undefined {
  if (url === undefined) return undefined;
  return openS3Store({ location: parseObjectLocation(url), credentials: s3Keys });
}

let template: Promise<string> | undefined;

/**
 * Creates a data folder whose store already has the organizations. Their keys take longer to create
 * than most tests, so they are created once per test file.
 */
export async function newDirectory(): Promise<string> {
  template ??= makeTemplate();
  const directory = await mkdtemp(join(tmpdir(), 'service-'));
  await cp(await template, directory, { recursive: true });
  await createDatabase(directory, await template);
  return directory;
}

async function makeTemplate(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'service-template-'));
  await createDatabase(directory);
  const context = await openContext({
    directory,
    database: databaseOf(directory),
    limits: 'off',
    clock: createFakeClock(),
    log: createLog('silent'),
  });
  await ensureCredentials(context, credentialsTable(context.db));
  await context.close();
  return directory;
}
