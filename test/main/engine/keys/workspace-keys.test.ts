import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSessionVault } from '#main/engine/keys/vault.ts';
import {
  deleteWorkspaceKeys,
  deriveKey,
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
    await vault.set('workspace/one/dpop-key', 'damaged');
    expect((await openDpopKey(vault, 'one')).equals(key)).toBe(false);
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
    await deleteWorkspaceKeys(vault, 'one');
    expect(await openDatabaseKey(vault, 'one', false)).not.toBe(key);
  });
});
