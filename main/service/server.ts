import { parseServerOptions, UsageError } from './server-options.ts';

try {
  const options = parseServerOptions(process.argv.slice(2), (text) => process.stderr.write(text));
  // Loaded only now: a wrong option is answered before everything else is read from the disk.
  const { serve } = await import('./serve.ts');
  await serve(options);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.exitCode = error.exitCode;
}
