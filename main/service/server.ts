import { UsageError } from '#shared/lib/usage-error.ts';
import { endOnSignal, fail, printListening } from '../front/process.ts';
import { parseServerOptions } from './server-options.ts';
import { startService } from './start-service.ts';

/*
 * The program of `npm run service`. It prints its addresses on stdout when it listens, or one
 * sentence on stderr, and runs until a signal.
 */

try {
  const options = parseServerOptions(process.argv.slice(2), (text) => process.stderr.write(text));
  // Files in the data folder are readable by their owner only.
  process.umask(0o077);
  const endServer = endOnSignal('service');
  const service = await startService(options);
  endServer(service);
  const { credentialsPath: credentials, statusUrl } = service;
  printListening(service, { credentials, ...(statusUrl !== undefined && { statusUrl }) });
} catch (error) {
  if (error instanceof UsageError) process.exitCode = error.exitCode;
  else fail(error, 'service');
}
