import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { createSessionVault } from '#main/engine/keys/vault.ts';
import {
  deleteWorkspaceKeys,
  deriveKey,
  forgetDpopKey,
  hasDatabaseKey,
  openDatabaseKey,
  openDpopKey,
  openPrivateKey,
  storePrivateKey,
} from '#main/engine/keys/workspace-keys.ts';

describe('database key', () => {
  it('is made once, of 32 bytes, and another for each workspace', async () => {
    const vault = createSessionVault();
    const key = await openDatabaseKey(vault, 'one', false);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(await openDatabaseKey(vault, 'one', true)).toBe(key);
    expect(await openDatabaseKey(vault, 'two', false)).not.toBe(key);
  });

  it('is never made anew beside a database', async () => {
    const vault = createSessionVault();
    await expect(openDatabaseKey(vault, 'one', true)).rejects.toMatchObject({
      code: 'keychain_entry_lost',
    });
    expect(await vault.get('workspace/one/database-key')).toBeNull();
  });

  it('is not used if the keychain does not give it back', async () => {
    const vault = { ...createSessionVault(), set: () => Promise.resolve() };
    await expect(openDatabaseKey(vault, 'one', false)).rejects.toMatchObject({
      code: 'keychain_entry_lost',
    });
  });

  it('is looked for without making one, and is not lost while the keychain is locked', async () => {
    const vault = createSessionVault();
    expect(await hasDatabaseKey(vault, 'one')).toBe(false);
    expect(await vault.get('workspace/one/database-key')).toBeNull();
    await openDatabaseKey(vault, 'one', false);
    expect(await hasDatabaseKey(vault, 'one')).toBe(true);
    const locked = { ...vault, get: () => Promise.reject(new DeskError('keychain_locked')) };
    await expect(hasDatabaseKey(locked, 'one')).rejects.toThrow('keychain_locked');
  });

  it('is not replaced when it is damaged', async () => {
    const vault = createSessionVault();
    await vault.set('workspace/one/database-key', 'abc');
    await expect(openDatabaseKey(vault, 'one', false)).rejects.toMatchObject({
      code: 'keychain_entry_lost',
    });
    expect(await vault.get('workspace/one/database-key')).toBe('abc');
  });

  it('gives another key for each purpose', async () => {
    const key = await openDatabaseKey(createSessionVault(), 'one', false);
    expect(deriveKey(key, 'work files')).toHaveLength(32);
    expect(deriveKey(key, 'work files')).toEqual(deriveKey(key, 'work files'));
    expect(deriveKey(key, 'work files')).not.toEqual(deriveKey(key, 'cache files'));
  });
});

describe('signing keys', () => {
  it('the DPoP key is kept, and made anew only when it is lost or damaged', async () => {
    const vault = createSessionVault();
    const key = await openDpopKey(vault, 'one');
    expect(key.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    expect((await openDpopKey(vault, 'one')).equals(key)).toBe(true);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const unusable = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    for (const text of ['damaged', unusable]) {
      await vault.set('workspace/one/dpop-key', text);
      const made = await openDpopKey(vault, 'one');
      expect(made.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
      expect(made.equals(key)).toBe(false);
    }
    const { privateKey: ofOffice } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await storePrivateKey(vault, 'one', ofOffice);
    await forgetDpopKey(vault, 'one');
    expect(await vault.get('workspace/one/dpop-key')).toBeNull();
    expect((await openPrivateKey(vault, 'one')).equals(ofOffice)).toBe(true);
  });

  it('the private key is kept, replaced, and its loss told', async () => {
    const vault = createSessionVault();
    await expect(openPrivateKey(vault, 'one')).rejects.toMatchObject({
      code: 'keychain_entry_lost',
    });
    for (const { privateKey } of [
      generateKeyPairSync('rsa', { modulusLength: 2048 }),
      generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ]) {
      await storePrivateKey(vault, 'one', privateKey);
      expect((await openPrivateKey(vault, 'one')).equals(privateKey)).toBe(true);
    }
  });

  it('all of a workspace are forgotten together', async () => {
    const vault = createSessionVault();
    const key = await openDatabaseKey(vault, 'one', false);
    await openDpopKey(vault, 'one');
    await storePrivateKey(
      vault,
      'one',
      generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
    );
    await deleteWorkspaceKeys(vault, 'one');
    for (const entry of ['private-key', 'dpop-key', 'database-key'])
      expect(await vault.get(`workspace/one/${entry}`)).toBeNull();
    expect(await openDatabaseKey(vault, 'one', false)).not.toBe(key);
  });
});
