/**
 * Starts the unpacked package of this system as a user would for the first time, and plays the main
 * job over a second package of the same sources, because only the second one accepts Playwright.
 * `npm run package -- --dir` makes the first. Both have the runtime in the folder that
 * ELECTRON_OVERRIDE_DIST_PATH names, if it is set. The exit code is 2 if nothing could be tried
 * here.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, Platform } from 'electron-builder';
import { runtimeInFolder } from './lib/builder.mjs';
import { firstStart } from './lib/first-start.mjs';
import { runCommand } from './lib/run-command.mjs';
import { Refusal, say } from './lib/say.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const scratch = mkdtempSync(join(tmpdir(), 'try-package-'));

try {
  process.exitCode = await tryPackage();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  say(error.message);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}

async function tryPackage() {
  const executable = executableIn(join(root, 'dist/packages'));
  const hindrance = hindranceOf(executable);
  if (hindrance) {
    say(`The package was not started: ${hindrance}.`);
    return 2;
  }
  const foreign = join(resourcesBeside(executable), 'default_app.asar');
  if (existsSync(foreign)) throw new Refusal('The package has an application of Electron in it.');
  const seen = await firstStart(executable, { readyWithinMs: 60_000, endWithinMs: 15_000 });
  say(`The package starts and ends: ${seen}, and no decrypted copy is left.`);
  const DESK_PACKAGE = await packDriven();
  const test = ['--project=electron', 'main-job.spec.ts', '-g', 'the main job'];
  const config = ['--config', 'test/e2e/playwright.config.ts'];
  const DESK_VAULT_PASSPHRASE = 'for the main job';
  return await runCommand(root, 'playwright', ['test', ...config, ...test], {
    DESK_PACKAGE,
    DESK_VAULT_PASSPHRASE,
  });
}

/** @returns {string | null} the reason why nothing can be started here; null if there is none */
function hindranceOf(executable) {
  if (!existsSync(executable)) return `there is none at ${executable}`;
  if (process.platform !== 'linux') return null;
  if (process.getuid?.() === 0) return 'it does not run as root';
  const hasDisplay = process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'];
  return hasDisplay ? null : 'there is no display';
}

/** Returns the path at which the builder leaves the program for this machine. */
function executableIn(packages) {
  const arch = process.arch === 'x64' ? '' : `-${process.arch}`;
  if (process.platform === 'darwin')
    return join(packages, `mac${arch}/Appraiser Desk.app/Contents/MacOS/Appraiser Desk`);
  return process.platform === 'win32'
    ? join(packages, `win${arch}-unpacked/Appraiser Desk.exe`)
    : join(packages, `linux${arch}-unpacked/appraiser-desk`);
}

/** Returns the folder of a package's resources, by the path of its program. */
function resourcesBeside(executable) {
  return process.platform === 'darwin'
    ? join(dirname(dirname(executable)), 'Resources')
    : join(dirname(executable), 'resources');
}

/**
 * Makes the same package with two differences: its fuse allows a debugger, and its entry removes
 * Playwright's two switches from the command line, because the desk refuses them.
 */
async function packDriven() {
  const entry = join(scratch, 'entry');
  const output = join(scratch, 'packages');
  const switches = "['--inspect=0', '--remote-debugging-port=0']";
  const code = `process.argv = process.argv.filter((arg) => !${switches}.includes(arg));\nawait import('./electron.js');\n`;
  writeFileSync(`${entry}.mjs`, code);
  await build({
    projectDir: root,
    targets: Platform.current().createTarget('dir'),
    publish: 'never',
    config: {
      extends: join(root, 'electron-builder.yml'),
      ...runtimeInFolder(process.env),
      files: [{ from: scratch, to: 'dist/main', filter: 'entry.mjs' }],
      extraMetadata: { main: 'dist/main/entry.mjs' },
      directories: { output },
      electronFuses: { enableNodeCliInspectArguments: true },
      mac: { identity: null, notarize: false },
    },
  });
  return executableIn(output);
}
