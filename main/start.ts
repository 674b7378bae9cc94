import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { DeskError, diskProblem } from '#shared/desk/contract/errors.ts';
import { packagedCommand } from '#shared/desk/setup/command-name.ts';
import { sayProblem } from '#shared/desk/contract/error-text.ts';
import { defaultHome, takePassphrase } from '#main/shell/home.ts';
import { exitCodeOf } from '#main/shell/exit-codes.ts';
import { languageAtStart } from '#main/shell/language.ts';
import { fetchElectron, runElectron } from './start/electron-runtime.ts';
import { runBrowser } from './start/run-browser.ts';
import { allowsSandbox } from './start/sandbox.ts';
import { parseStartOptions, sayRefusal, type StartOptions } from './start/start-options.ts';
import { startTexts } from '#shared/i18n/catalogue.ts';

// The entry of `npm start`.

const root = resolve(import.meta.dirname, '..');
const say = (line: string) => void process.stderr.write(`${line.trimEnd()}\n`);

const passphrase = takePassphrase(process.env);
const read = parseStartOptions(process.argv.slice(2), say, allowsSandbox);
if ('options' in read) await start(read.options);
else if (read.because !== 'help') {
  say(sayRefusal(read, languageAtStart({ home: defaultHome(), argument: undefined })));
  process.exitCode = 2;
}

async function start(options: StartOptions): Promise<void> {
  const home = resolve(options.home ?? defaultHome());
  const language = languageAtStart({ home, argument: options.lang });
  const texts = startTexts[language];
  // Whatever the desk writes is its owner's alone.
  process.umask(0o077);
  try {
    const executable = electronFor(options, (why) => say(texts.noElectron(why)));
    if (!build(executable === null ? ['renderer'] : ['renderer', 'main'])) {
      say(texts.notBuilt);
      process.exitCode = 1;
    } else if (executable !== null) {
      runElectron(executable, root, process.argv.slice(2), passphrase);
    } else {
      const pagesDir = join(root, 'dist/renderer');
      await runBrowser({ home, pagesDir, options, passphrase, language, say });
    }
  } catch (error) {
    const known = error instanceof DeskError ? error : diskProblem(error);
    if (known) {
      say(sayProblem(known.problem, language, { command: packagedCommand }));
      process.exitCode = exitCodeOf(known.code);
    } else if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      say(texts.portInUse(options.port));
      process.exitCode = 1;
    } else throw error;
  }
}

/** Electron's executable, or null for the browser shell. Without a window there is no Electron. */
function electronFor(options: StartOptions, tell: (why: string) => void): string | null {
  if (options.shell === 'browser' || (options.shell === undefined && !options.open)) return null;
  const runtime = fetchElectron();
  if ('path' in runtime) return runtime.path;
  tell(runtime.missing);
  return null;
}

/** Builds what changed since the last start; quick when nothing did. */
function build(parts: readonly string[]): boolean {
  const script = join(root, 'scripts/build.mjs');
  const args = [script, '--if-stale', ...parts];
  const { error, status } = spawnSync(process.execPath, args, { stdio: ['ignore', 2, 2] });
  if (error) throw error;
  return status === 0;
}
