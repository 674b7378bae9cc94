import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import keytar from 'keytar';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openKeychainVault } from '#main/engine/keys/keychain-vault.ts';
import { openPassphraseVault } from '#main/engine/keys/passphrase-vault.ts';
import { createSessionVault, type Vault } from '#main/engine/keys/vault.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'vault-'));
});
afterEach(() => rm(home, { recursive: true }));

const service = `appraiser-desk-test-${process.pid}`;
const passphrase = 'Grüezi, Tresor 7';

const implementations: Record<string, () => Promise<Vault>> = {
  session: () => Promise.resolve(createSessionVault()),
  passphrase: () => openPassphraseVault(join(home, 'vault.json'), passphrase),
  keychain: () => openKeychainVault(service),
};

describe.each(Object.entries(implementations))('%s vault', (kind, open) => {
  it('gives back what was put in, and null for what never was', async () => {
    const vault = await open();
    expect(vault.kind).toBe(kind);
    expect(await vault.get('absent')).toBeNull();
    await vault.set('a', 'one');
    await vault.set('b', '');
    expect(await vault.get('a')).toBe('one');
    expect(await vault.get('b')).toBe('');
    await vault.set('a', 'two');
    expect(await vault.get('a')).toBe('two');
    await vault.delete('a');
    await vault.delete('a');
    expect(await vault.get('a')).toBeNull();
    await vault.delete('b');
  });

  it('keeps secrets of any length and characters, replaced as a whole', async () => {
    const vault = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 6_000, size: 'max' }), {
          minLength: 1,
          maxLength: 3,
        }),
        async (secrets) => {
          for (const secret of secrets) {
            await vault.set('long', secret);
            expect(await vault.get('long')).toBe(secret);
          }
        },
      ),
      { numRuns: 10 },
    );
    await vault.delete('long');
  });

  it('keeps every secret when several change at once', async () => {
    const vault = await open();
    const names = Array.from({ length: 8 }, (_, index) => `n${index}`);
    await Promise.all(names.map((name) => vault.set(name, name.repeat(1000))));
    expect(await Promise.all(names.map((name) => vault.get(name)))).toEqual(
      names.map((name) => name.repeat(1000)),
    );
    await Promise.all(names.map((name) => vault.delete(name)));
  });
});

describe('passphrase vault', () => {
  const file = () => join(home, 'vault.json');

  it('survives the process, and the file tells nothing', async () => {
    const vault = await openPassphraseVault(file(), passphrase);
    await vault.set('workspace/1/database-key', 'a-very-distinctive-secret');
    expect(
      await (await openPassphraseVault(file(), passphrase)).get('workspace/1/database-key'),
    ).toBe('a-very-distinctive-secret');
    const text = await readFile(file(), 'utf8');
    expect(text).not.toContain('distinctive');
    expect(text).not.toContain('database-key');
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });

  it('refuses a wrong passphrase and an empty one', async () => {
    await (await openPassphraseVault(file(), passphrase)).set('a', 'b');
    await expect(openPassphraseVault(file(), 'other')).rejects.toMatchObject({
      code: 'vault_passphrase_wrong',
    });
    await expect(openPassphraseVault(file(), '')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('takes a passphrase however its accents are composed', async () => {
    await (await openPassphraseVault(file(), 'Zürich'.normalize('NFC'))).set('a', 'b');
    const vault = await openPassphraseVault(file(), 'Zürich'.normalize('NFD'));
    expect(await vault.get('a')).toBe('b');
  });

  it('calls a file that cannot be read not damaged', async () => {
    await mkdir(file());
    await expect(openPassphraseVault(file(), passphrase)).rejects.toMatchObject({
      code: 'home_unwritable',
      params: { reason: 'EISDIR' },
    });
  });

  it('names a damaged file, wherever the damage is, and leaves it as it was', async () => {
    await (await openPassphraseVault(file(), passphrase)).set('a', 'b');
    const whole = await readFile(file());
    for (let at = 0; at < whole.length; at += 37) {
      const damaged = Buffer.from(whole);
      damaged[at] = damaged[at] === 0x41 ? 0x42 : 0x41;
      await writeFile(file(), damaged);
      await expect(openPassphraseVault(file(), passphrase)).rejects.toMatchObject({
        code: 'keychain_entry_lost',
        params: { fileName: 'vault.json' },
      });
      expect(await readFile(file())).toEqual(damaged);
    }
    // The last character before the padding has bits that no byte is made of.
    const unusedBit = whole
      .toString('latin1')
      .replace(/(.)==("\})/, (_, last: string, end: string) => {
        const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
        return `${alphabet.charAt(alphabet.indexOf(last) + 1)}==${end}`;
      });
    expect(unusedBit).not.toBe(whole.toString('latin1'));
    await writeFile(file(), unusedBit);
    await expect(openPassphraseVault(file(), passphrase)).rejects.toMatchObject({
      code: 'keychain_entry_lost',
    });
    await writeFile(file(), whole.subarray(0, whole.length / 2));
    await expect(openPassphraseVault(file(), passphrase)).rejects.toMatchObject({
      code: 'keychain_entry_lost',
    });
  });
});

describe('keychain vault', () => {
  const accounts = async () =>
    (await keytar.findCredentials(service)).map(({ account }) => account).sort();

  it('keeps no entry over the 2,560 bytes that Windows takes', async () => {
    const vault = await openKeychainVault(service);
    await vault.set('key', 'ü'.repeat(5000));
    const entries = await keytar.findCredentials(service);
    expect(entries.length).toBeGreaterThan(5);
    for (const { password } of entries) {
      expect(Buffer.byteLength(password, 'utf16le')).toBeLessThanOrEqual(2560);
    }
    await vault.delete('key');
    expect(await accounts()).toEqual([]);
  });

  it('looks again if another program removed an entry meanwhile, and not if it is refused', async () => {
    const vault = await openKeychainVault(service);
    await vault.set('key', 'secret');
    // As gnome-keyring reports it; seen with three processes on one keyring.
    const gone = new Error(
      'No such secret item at path: /org/freedesktop/secrets/collection/login/1',
    );
    const read = vi.spyOn(keytar, 'getPassword').mockRejectedValueOnce(gone);
    expect(await vault.get('key')).toBe('secret');
    read.mockRejectedValueOnce(new Error('The prompt was dismissed'));
    await expect(vault.get('key')).rejects.toMatchObject({ code: 'keychain_locked' });
    read.mockRestore();
    await vault.delete('key');
  });

  it('leaves the old secret or the new one when a replacement stops after any of its writes', async () => {
    const vault = await openKeychainVault(service);
    const [old, long, short] = ['old'.repeat(2000), 'newer'.repeat(1500), 'short'];
    const wholeAt: number[] = [];
    for (const next of [long, short]) {
      for (let writes = 0; ; writes += 1) {
        await vault.set('key', old);
        let left = writes;
        const stopAfter = <T>(work: () => Promise<T>) =>
          left-- > 0 ? work() : Promise.reject(new Error('the process is gone'));
        const { setPassword, deletePassword } = keytar;
        const doubles = [
          vi.spyOn(keytar, 'setPassword').mockImplementation(async (...entry) => {
            await stopAfter(() => setPassword(...entry));
          }),
          vi
            .spyOn(keytar, 'deletePassword')
            .mockImplementation((...entry) => stopAfter(() => deletePassword(...entry))),
        ];
        const isWhole = await vault.set('key', next).then(
          () => true,
          () => false,
        );
        for (const double of doubles) double.mockRestore();
        expect([old, next]).toContain(await vault.get('key'));
        // Whatever was left behind goes with the next replacement.
        await vault.set('key', 'last');
        expect(await accounts()).toEqual(['key']);
        if (!isWhole) continue;
        wholeAt.push(writes);
        break;
      }
    }
    expect(Math.min(...wholeAt)).toBeGreaterThan(5);
    await vault.delete('key');
    expect(await accounts()).toEqual([]);
  });

  it('says that an entry is lost when a piece of it is gone or changed', async () => {
    const vault = await openKeychainVault(service);
    await vault.set('key', 'x'.repeat(4000));
    const [piece] = (await accounts()).filter((account) => account.includes('#'));
    await keytar.setPassword(service, piece ?? '', 'AAAA');
    await expect(vault.get('key')).rejects.toMatchObject({ code: 'keychain_entry_lost' });
    await keytar.deletePassword(service, piece ?? '');
    await expect(vault.get('key')).rejects.toMatchObject({ code: 'keychain_entry_lost' });
    await keytar.setPassword(service, 'key', 'something else');
    await expect(vault.get('key')).rejects.toMatchObject({ code: 'keychain_entry_lost' });
    await vault.delete('key');
  });

  it('is unavailable, at once and by its name, if there is no keychain', async () => {
    const script = `import { openKeychainVault } from '#main/engine/keys/keychain-vault.ts';
      await openKeychainVault('none').catch((error) => console.log(error.code));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script],
      { env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' } },
    );
    expect(stdout.trim()).toBe('keychain_unavailable');
  });
});
