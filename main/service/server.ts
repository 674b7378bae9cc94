import { parseServerOptions, UsageError } from './server-options.ts';

// No await at the top: the bundle of the service is CommonJS (docs/decisions, "The service starts
// from a bundle").
async function main(): Promise<void> {
  try {
    const options = parseServerOptions(process.argv.slice(2), (text) => process.stderr.write(text));
    // Loaded only now: a wrong option is answered before everything else is read from the disk.
    const { serve } = await import('./serve.ts');
    await serve(options);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.exitCode = error.exitCode;
  }
}

void main();
