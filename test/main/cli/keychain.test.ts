import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sayProblem } from '#shared/desk/contract/error-text.ts';
import { endsWithTests } from '../../support/children.ts';
import { type Keyring, startKeyring } from '../../support/keyring.ts';
import { root, temporaryFolder } from '../../support/processes.ts';

// The command line and the browser shell before a keychain that is locked: a real gnome-keyring.

const folder = temporaryFolder();
const home = join(folder.path, 'home');
const sentence = sayProblem({ code: 'keychain_locked', params: {} }, 'en');
const programs = new Set<ChildProcess>();
let keyring: Keyring;

function run(program: string, ...args: readonly string[]) {
  const { DESK_VAULT_PASSPHRASE: _none, ...env } = process.env;
  const child = endsWithTests(
    spawn(process.execPath, [join(root, program), '--home', home, '--lang', 'en', ...args], {
      cwd: root,
      env: { ...env, ...keyring.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  programs.add(child);
  return child;
}

/** Until these words came from the stream, which stays open. */
async function heard(stream: Readable, words: string): Promise<string> {
  let all = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    all += String(chunk);
    if (all.includes(words)) return all;
  }
  throw new Error(`the program ended without “${words}”: ${all}`);
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

const browser = () => run('main/start.ts', '--shell', 'browser', '--no-open');
const folders = () => readdirSync(join(home, 'workspaces')).sort();

describe.skipIf(process.platform !== 'linux')('a home whose keychain is locked', () => {
  beforeAll(async () => {
    keyring = await startKeyring();
    // The practice workspace, under a key in the keychain.
    const desk = browser();
    await heard(desk.stdout, '"ready"');
    await end(desk);
    expect(folders()).toEqual(['practice']);
  });
  afterEach(() => {
    for (const program of programs) program.kill('SIGKILL');
    programs.clear();
  });
  afterAll(async () => {
    await keyring.end();
    folder.remove();
  });

  it('ends the command line with 5, which says so', async () => {
    await keyring.lock();
    const command = run('main/cli/desk.ts', '--json', 'cases');
    const ended = once(command, 'exit');
    const [output, errors] = await Promise.all([text(command.stdout), text(command.stderr)]);
    await ended;
    expect(command.exitCode).toBe(5);
    expect(JSON.parse(output)).toMatchObject({ code: 'keychain_locked' });
    expect(errors).toContain(sentence);
    await keyring.unlock();
  });

  it('lets the browser shell wait, which says so and goes on with the same data', async () => {
    await keyring.lock();
    const desk = browser();
    await heard(desk.stderr, sentence);
    // While it waits it has nothing open; it reads the keychain again in the same process.
    await keyring.unlock();
    expect(JSON.parse(await heard(desk.stdout, '"ready"'))).toMatchObject({ pid: desk.pid });
    expect(folders()).toEqual(['practice']);
    await end(desk);
  });

  it('lets the browser shell end when it is asked to', async () => {
    await keyring.lock();
    const desk = browser();
    await heard(desk.stderr, sentence);
    await end(desk);
    expect(desk.exitCode ?? desk.signalCode).not.toBeNull();
    await keyring.unlock();
  });

  it('is not opened without its keychain, which is gone', async () => {
    await keyring.kill();
    const desk = browser();
    await heard(desk.stderr, sayProblem({ code: 'keychain_unreachable', params: {} }, 'en'));
    await keyring.unlock();
    await heard(desk.stdout, '"ready"');
    expect(folders()).toEqual(['practice']);
    await end(desk);
  });
});
