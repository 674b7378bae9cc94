import {
  createPublicKey,
  createSign,
  createVerify,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePrivateKey } from '#main/engine/keys/private-key.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const small = generateKeyPairSync('rsa', { modulusLength: 1024 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');
const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 });

const pem = (key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'sec1' | 'spki', passphrase?: string) =>
  key
    .export({
      type: type,
      format: 'pem',
      ...(passphrase !== undefined && { cipher: 'aes-256-cbc', passphrase }),
    })
    .toString();
const jwk = (key: KeyObject) => key.export({ format: 'jwk' });

function signsLikeOurs(key: KeyObject): boolean {
  const signature = createSign('sha256').update('x').sign(key);
  return createVerify('sha256').update('x').verify(rsa.publicKey, signature);
}

function refusal(text: string, passphrase?: string): unknown {
  try {
    parsePrivateKey(text, passphrase);
  } catch (error) {
    if (error instanceof DeskError) return error.problem;
    throw error;
  }
  return 'accepted';
}

describe('a private key is read from', () => {
  const certificate = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  it.each([
    ['PKCS#8', pem(rsa.privateKey, 'pkcs8'), undefined],
    ['PKCS#1', pem(rsa.privateKey, 'pkcs1'), undefined],
    ['encrypted PKCS#8', pem(rsa.privateKey, 'pkcs8', 'Pass wört'), 'Pass wört'],
    ['encrypted PKCS#1', pem(rsa.privateKey, 'pkcs1', 'Pass'), 'Pass'],
    ['a JWK', JSON.stringify(jwk(rsa.privateKey), null, 2), undefined],
    [
      'a file with Windows line ends',
      pem(rsa.privateKey, 'pkcs8').replaceAll('\n', '\r\n'),
      undefined,
    ],
    [
      'a file with a byte order mark and spaces',
      `\ufeff  ${pem(rsa.privateKey, 'pkcs8')}\n\n`,
      undefined,
    ],
    ['a file with a certificate before it', certificate + pem(rsa.privateKey, 'pkcs8'), undefined],
    ['a plain key, whatever passphrase is given', pem(rsa.privateKey, 'pkcs8'), 'not needed'],
  ])('%s', (_, text, passphrase) => {
    expect(signsLikeOurs(parsePrivateKey(text, passphrase))).toBe(true);
  });
});

describe('a file that is no RSA private key is named', () => {
  const { n, e } = jwk(rsa.publicKey);
  const files: [string, string, string][] = [
    ['', 'key_unreadable', 'empty'],
    [pem(rsa.publicKey, 'spki'), 'key_unreadable', 'public-key'],
    [pem(rsa.publicKey, 'pkcs1'), 'key_unreadable', 'public-key'],
    [JSON.stringify({ kty: 'RSA', n, e }), 'key_unreadable', 'public-key'],
    ['ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ user@host', 'key_unreadable', 'public-key'],
    [
      '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----',
      'key_unreadable',
      'certificate',
    ],
    [
      '-----BEGIN CERTIFICATE REQUEST-----\nAA==\n-----END CERTIFICATE REQUEST-----',
      'key_unreadable',
      'certificate-request',
    ],
    [pem(ec.privateKey, 'sec1'), 'key_not_rsa', 'ec-key'],
    [pem(ec.privateKey, 'pkcs8'), 'key_not_rsa', 'ec-key'],
    [JSON.stringify(jwk(ec.privateKey)), 'key_not_rsa', 'ec-key'],
    [pem(ed.privateKey, 'pkcs8'), 'key_not_rsa', 'ed-key'],
    [pem(pss.privateKey, 'pkcs8'), 'key_not_rsa', 'rsa-pss-key'],
    [JSON.stringify({ kty: 'oct', k: 'AAAA' }), 'key_not_rsa', 'symmetric-key'],
    [
      '-----BEGIN OPENSSH PRIVATE KEY-----\nAA==\n-----END OPENSSH PRIVATE KEY-----',
      'key_unreadable',
      'openssh-key',
    ],
    ['PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none', 'key_unreadable', 'putty-key'],
    ['-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nAA==\n', 'key_unreadable', 'pgp-key'],
    [JSON.stringify({ keys: [jwk(rsa.privateKey)] }), 'key_unreadable', 'key-set'],
    [JSON.stringify({ expert: { clientId: 'x' } }), 'key_unreadable', 'json'],
    ['[1, 2]', 'key_unreadable', 'json'],
    ['%PDF-1.7\n...', 'key_unreadable', 'pdf'],
    ['\u0030\u0082\u0004\u0000', 'key_unreadable', 'binary'],
    ['Dear Sir or Madam', 'key_unreadable', 'text'],
    ['{ not json', 'key_unreadable', 'text'],
    [
      '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
      'key_unreadable',
      'damaged-key',
    ],
    [pem(rsa.privateKey, 'pkcs8').slice(0, 600), 'key_unreadable', 'damaged-key'],
    ['-----BEGIN SOMETHING-----\nAAAA\n-----END SOMETHING-----', 'key_unreadable', 'unknown-pem'],
    [
      JSON.stringify({ ...jwk(rsa.privateKey), n: jwk(other.publicKey).n }),
      'key_unreadable',
      'damaged-key',
    ],
  ];
  it.each(files.map(([text, code, found]) => [found, code, text]))('%s', (found, code, text) => {
    expect(refusal(text)).toEqual({ code, params: { found } });
  });

  it('too short', () => {
    expect(refusal(pem(small.privateKey, 'pkcs1'))).toEqual({
      code: 'key_too_short',
      params: { bits: 1024 },
    });
  });

  it.each(['pkcs8', 'pkcs1'] as const)(
    'encrypted %s without or with a wrong passphrase',
    (type) => {
      const text = pem(rsa.privateKey, type, 'right');
      expect(refusal(text)).toEqual({ code: 'key_passphrase_needed', params: {} });
      expect(refusal(text, '')).toEqual({ code: 'key_passphrase_needed', params: {} });
      for (const wrong of ['wrong', 'Right', 'right ', 'x'.repeat(2000)]) {
        expect(refusal(text, wrong)).toEqual({ code: 'key_passphrase_wrong', params: {} });
      }
    },
  );

  it('a wrong passphrase, also if it leaves a valid padding by chance', () => {
    const text = pem(rsa.privateKey, 'pkcs1', 'right');
    // One in some 250 does.
    const refusals = Array.from({ length: 2000 }, (_, count) => refusal(text, `wrong ${count}`));
    const wrong = { code: 'key_passphrase_wrong', params: {} };
    expect(refusals).toEqual(refusals.map(() => wrong));
  });
});

describe('property', () => {
  it('arbitrary text throws nothing but DeskError', () => {
    const pieces = fc.constantFrom(
      '-----BEGIN PRIVATE KEY-----\n',
      '-----END PRIVATE KEY-----',
      '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n',
      '-----END RSA PRIVATE KEY-----',
      '{"kty":"RSA","d":',
      '"n":"AQAB"}',
    );
    const text = fc
      .array(fc.oneof(pieces, fc.string({ unit: 'binary' }), fc.base64String()))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.option(fc.string(), { nil: undefined }), (found, passphrase) => {
        expect(refusal(found, passphrase)).not.toBe('accepted');
      }),
    );
  });

  it('a key file with changed bytes is refused or still the same key', () => {
    const whole = pem(rsa.privateKey, 'pkcs8');
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 32, max: 126 }), (at, byte) => {
        const changed = whole.slice(0, at) + String.fromCharCode(byte) + whole.slice(at + 1);
        const isRefused = refusal(changed) !== 'accepted';
        const isSame = () => createPublicKey(parsePrivateKey(changed)).equals(rsa.publicKey);
        expect(isRefused || isSame()).toBe(true);
      }),
    );
  });
});
