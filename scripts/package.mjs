/**
 * Packages the desktop application for this system into dist/packages.
 * `npm run package -- [arguments of electron-builder]`, for example `-- --dir`.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLegal } from './lib/legal.mjs';
import { runCommand } from './lib/run-command.mjs';
import { dropEmptySecrets } from './lib/signing-environment.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = await runCommand(root, join('scripts', 'build.mjs'), ['--if-stale']);
if (built === 0) {
  writeLegal(root);
  dropEmptySecrets(process.env);
  const args = ['--config', 'electron-builder.yml', '--publish', 'never', ...process.argv.slice(2)];
  process.exitCode = await runCommand(root, 'electron-builder', args);
} else process.exitCode = built;
