import { mkdirSync, readFileSync } from 'node:fs';
import { routes } from '#shared/api/routes.ts';
import { serviceDocument } from '#main/service/open-endpoints.ts';
import { parseServerOptions } from '#main/service/server-options.ts';
import { startService } from '#main/service/start-service.ts';
import { checkAgainstContract } from '../main/service/support/openapi-contract.ts';
import { freePort } from './ports.ts';
import {
  credentialsFileSchema,
  type RunningService,
  serviceFolder,
  type ServiceFolder,
} from './processes.ts';

const drainMs = 2000;

export type ServiceHere = Pick<
  RunningService,
  'listening' | 'baseUrl' | 'credentialsPath' | 'credentials' | 'port'
> & { readonly stop: () => Promise<void> };

/**
 * Creates a temporary folder like `serviceFolder`, whose service runs in this thread. A process
 * would load the service's modules again for each test file.
 */
export function serviceFolderHere(): Omit<ServiceFolder, 'start'> & {
  readonly start: (...args: readonly string[]) => Promise<ServiceHere>;
} {
  const folder = serviceFolder();
  let stop = () => Promise.resolve();
  let port: number | undefined;
  return {
    ...folder,
    async start(...args) {
      const data = folder.at('service');
      mkdirSync(data, { recursive: true });
      port ??= await freePort();
      const what = ['--data', data, '--port', String(port), '--log-level', 'error', ...args];
      const refuse = (text: string) => {
        throw new Error(text);
      };
      const { baseUrl, context, credentialsPath, ...service } = await startService(
        parseServerOptions(what, refuse),
      );
      stop = async () => {
        stop = () => Promise.resolve();
        await service.stop(drainMs);
      };
      checkAgainstContract(baseUrl, () => serviceDocument(context));
      const { publicUrl, audience } = context.address;
      return {
        listening: {
          event: 'listening',
          baseUrl,
          tokenUrl: publicUrl + routes.token.path,
          audience,
          credentials: credentialsPath,
        },
        baseUrl,
        credentialsPath,
        credentials: credentialsFileSchema.parse(JSON.parse(readFileSync(credentialsPath, 'utf8'))),
        port,
        stop: () => stop(),
      };
    },
    async end() {
      await stop();
      await folder.end();
    },
  };
}
