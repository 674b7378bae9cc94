import { resolve } from 'node:path';
import { Command } from 'commander';
import { UsageError } from '#shared/lib/usage-error.ts';
import { parseCommand } from '../front/command-line.ts';
import { openLog } from '../front/log.ts';
import { endOnSignal, fail, openBucket, printListening, storeAt } from '../front/process.ts';
import { addCommands } from './commands.ts';
import { partnerOf, withServer, type ServeOptions } from './options.ts';
import { runGateway } from './run-gateway.ts';

/*
 * The program of `npm run gateway`. It prints its addresses on stdout when it listens, or one
 * sentence on stderr, and runs until a signal. If a command is given, it runs only the command.
 */

// A reader that closes the pipe early, like `head`, is not an error; the command still completes.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
const say = (text: string) => void process.stderr.write(text);

try {
  // Files in the data folder are readable by their owner only.
  process.umask(0o077);
  let work: (() => Promise<void>) | undefined;
  const command = withServer(new Command('gateway'))
    .description('Serves the partner API to the laptops of one expert organization.')
    .action((options: ServeOptions) => {
      work = () => serve(options);
    });
  addCommands(command, (chosen) => (work = chosen));
  parseCommand(command, process.argv.slice(2), say);
  await work?.();
} catch (error) {
  if (error instanceof UsageError) {
    if (!error.message.startsWith('error:') && error.exitCode !== 0) say(`${error.message}.\n`);
    process.exitCode = error.exitCode;
  } else fail(error, 'gateway');
}

async function serve(options: ServeOptions): Promise<void> {
  const partner = partnerOf(options);
  const endServer = endOnSignal('gateway');
  // The timer keeps the process alive, because the clock's timers do not, and the first pull waits
  // for its turn.
  const alive = setInterval(() => undefined, 60_000);
  const gateway = await runGateway({
    directory: resolve(options.data),
    partner,
    visibility: options.visibility,
    partnerLimits: options.upstreamLimits,
    changedSinceParameter: options.upstreamChangedSinceParameter,
    trustedProxies: options.trustedProxy,
    statusPort: options.statusPort,
    objects: await openBucket(options.documents),
    log: openLog(options),
    listen: options,
    ...storeAt(options.database),
  }).finally(() => clearInterval(alive));
  endServer(gateway);
  printListening(gateway, gateway.statusUrl === undefined ? {} : { statusUrl: gateway.statusUrl });
}
