import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { describe, expect, test } from 'vitest';
import { knownKey, readClientKey, storedKey } from '#main/front/auth/clients.ts';

const publicPem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });
const usual = rsa(2048);

const refusal = (rule: string) => ({
  title: 'invalid_request',
  detail: 'the key cannot be used',
  errors: { PublicKeyPem: [rule] },
});

describe('the key of a client', () => {
  test('rsaMinBits: is read from its PEM, with its thumbprint, and again from the store', async () => {
    const read = await readClientKey(publicPem(usual.publicKey));
    const { kty, n, e } = usual.publicKey.export({ format: 'jwk' });
    expect(read.jwk).toEqual({ kty, n, e });
    expect(read.kid).toBe(await calculateJwkThumbprint(read.jwk));
    expect(storedKey(read.kid, JSON.stringify(read.jwk))).toEqual(read);
  });

  test.each([
    ['a private key', () => usual.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
    [
      'a private key of RSA',
      () => usual.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    ],
    ['a key of 2047 bits', () => publicPem(rsa(2047).publicKey)],
    ['another kind of key', () => publicPem(generateKeyPairSync('ed25519').publicKey)],
    [
      'a key for RSA-PSS alone',
      () => publicPem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey),
    ],
    ['no key', () => 'a'],
    ['nothing', () => ''],
  ])('rsaMinBits: %s is refused', async (_what, pem) => {
    await expect(readClientKey(pem())).rejects.toMatchObject(
      refusal('must be the PEM of a public RSA key of at least 2048 bits.'),
    );
  });

  test('is refused if it is known', () => {
    expect(knownKey()).toMatchObject(refusal('must be a new key.'));
  });
});
