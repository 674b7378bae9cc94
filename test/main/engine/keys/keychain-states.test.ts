import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Keyring, startKeyring } from '../../../support/keyring.ts';

// Over a real gnome-keyring: what a keychain that is locked, gone or silent is taken for.

const program = join(import.meta.dirname, 'support/vault-process.ts');

describe.skipIf(process.platform !== 'linux')('keychain vault over the Secret Service', () => {
  let keyring: Keyring;
  let child: ChildProcess;
  /** A call of the vault; what it gives, or the code of its error. */
  const ask = async (...call: readonly string[]): Promise<unknown> => {
    const over = new AbortController();
    const { signal } = over;
    const ended = once(child, 'exit', { signal }).then(() => {
      throw new Error(`the process with the vault ended at ${call.join(' ')}`);
    });
    const answer = once(child, 'message', { signal });
    child.send(call);
    try {
      const [{ value }] = (await Promise.race([answer, ended])) as [{ value: unknown }];
      return value;
    } finally {
      over.abort();
      await Promise.allSettled([answer, ended]);
    }
  };
  const begin = () => {
    child = fork(program, { env: { ...process.env, ...keyring.env } });
  };
  const finish = async () => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  beforeEach(async () => {
    keyring = await startKeyring();
    begin();
  });
  afterEach(async () => {
    await finish();
    await keyring.end();
  });
  /** Another daemon has the keyring, which only another process finds. */
  const unlock = async () => {
    await keyring.unlock();
    await finish();
    begin();
    expect(await ask('open')).toBe('keychain');
  };
  const fill = async () => {
    expect(await ask('open')).toBe('keychain');
    expect(await ask('set', 'short', 'secret')).toBe('done');
    expect(await ask('set', 'long', 'x'.repeat(4000))).toBe('done');
  };

  it('takes an entry for missing only if the keychain is open', async () => {
    await fill();
    expect(await ask('get', 'never')).toBeNull();
    await keyring.lock();
    // The prompt for the password is refused, and libsecret reports no error.
    for (const name of ['short', 'long', 'never'])
      expect(await ask('get', name)).toBe('keychain_locked');
    await unlock();
    expect(await ask('get', 'short')).toBe('secret');
    expect(await ask('get', 'long')).toBe('x'.repeat(4000));
    expect(await ask('get', 'never')).toBeNull();
  });

  it('neither opens, stores nor removes anything in a locked keychain, and says why', async () => {
    await fill();
    await keyring.lock();
    expect(await ask('open')).toBe('keychain_locked');
    expect(await ask('set', 'short', 'other')).toBe('keychain_locked');
    expect(await ask('delete', 'short')).toBe('keychain_locked');
    await unlock();
    expect(await ask('get', 'short')).toBe('secret');
  });

  it('is unavailable if the session has no keychain, and back with its entries later', async () => {
    await fill();
    await keyring.kill();
    expect(await ask('open')).toBe('keychain_unavailable');
    expect(await ask('get', 'short')).toBe('keychain_unavailable');
    await unlock();
    expect(await ask('get', 'short')).toBe('secret');
  });

  it('is unreachable for a process whose keychain another daemon has taken over', async () => {
    await fill();
    await keyring.unlock();
    expect(await ask('get', 'short')).toBe('keychain_unreachable');
    expect(await ask('set', 'short', 'other')).toBe('keychain_unreachable');
  });

  it('is unreachable if the keychain does not answer', async () => {
    await fill();
    keyring.silence();
    await ask('wait-no-longer');
    expect(await ask('get', 'short')).toBe('keychain_unreachable');
  });
});
