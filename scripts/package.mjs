/**
 * Packages the desktop application for this system into dist/packages.
 * `npm run package -- [arguments of electron-builder]`, for example `-- --dir`.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dropEmptySecrets, fetchFailure, makerArguments, settingsOf } from './lib/builder.mjs';
import { writeLegal } from './lib/legal.mjs';
import { writePolicyFiles } from './lib/policy-templates.mjs';
import { runCommand } from './lib/run-command.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = await runCommand(root, join('scripts', 'build.mjs'), ['--if-stale']);
if (built === 0) {
  writeLegal(root);
  writePolicyFiles(root);
  dropEmptySecrets(process.env);
  const asked = process.argv.slice(2);
  const maker = makerArguments(process.env, process.platform, asked);
  process.stderr.write(maker.notice);
  const settings = Object.entries(settingsOf(process.env, process.platform, asked));
  const args = [
    '--config',
    'electron-builder.yml',
    '--publish',
    'never',
    ...settings.map(([setting, value]) => `-c.${setting}=${value}`),
    ...maker.args,
    ...asked,
  ];
  // A failure to fetch the runtime is reported in one sentence instead of its stack trace.
  let trace = '';
  process.exitCode = await runCommand(root, 'electron-builder', args, {}, (text) => {
    if (trace !== '' || text.includes('⨯')) trace += text;
    else process.stdout.write(text);
  });
  const electron = JSON.parse(
    readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8'),
  );
  process.stderr.write(fetchFailure(trace, electron.version) ?? trace);
} else process.exitCode = built;
