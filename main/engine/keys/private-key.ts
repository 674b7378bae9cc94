import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { rsaMinBits } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';

/**
 * What a key file contains instead of an RSA private key. It is `params.found` of the key errors.
 */
type KeyFound =
  | 'empty'
  | 'public-key'
  | 'certificate'
  | 'certificate-request'
  | 'ec-key'
  | 'ed-key'
  | 'dsa-key'
  | 'dh-key'
  | 'rsa-pss-key'
  | 'symmetric-key'
  | 'openssh-key'
  | 'putty-key'
  | 'pgp-key'
  | 'key-set'
  | 'json'
  | 'pdf'
  | 'binary'
  | 'text'
  | 'unknown-pem'
  | 'unsupported-encryption'
  | 'damaged-key';

/** The longest RSA key. Nobody creates longer ones, and signing with one would take seconds. */
const rsaMaxBits = 16_384;

const unreadable = (found: KeyFound, cause?: unknown) =>
  new DeskError('key_unreadable', { found }, { cause });
const notRsa = (found: KeyFound) => new DeskError('key_not_rsa', { found });

const pemLabels: Readonly<Record<string, () => DeskError>> = {
  'EC PRIVATE KEY': () => notRsa('ec-key'),
  'EC PARAMETERS': () => notRsa('ec-key'),
  'DSA PRIVATE KEY': () => notRsa('dsa-key'),
  'DH PARAMETERS': () => unreadable('dh-key'),
  'OPENSSH PRIVATE KEY': () => unreadable('openssh-key'),
  'PGP PRIVATE KEY BLOCK': () => unreadable('pgp-key'),
  'PGP PUBLIC KEY BLOCK': () => unreadable('pgp-key'),
  'PGP MESSAGE': () => unreadable('pgp-key'),
  'PUBLIC KEY': () => unreadable('public-key'),
  'RSA PUBLIC KEY': () => unreadable('public-key'),
  'SSH2 PUBLIC KEY': () => unreadable('public-key'),
  CERTIFICATE: () => unreadable('certificate'),
  'TRUSTED CERTIFICATE': () => unreadable('certificate'),
  'X509 CERTIFICATE': () => unreadable('certificate'),
  'CERTIFICATE REQUEST': () => unreadable('certificate-request'),
  'NEW CERTIFICATE REQUEST': () => unreadable('certificate-request'),
};

const keyTypes: Readonly<Record<string, KeyFound>> = {
  ec: 'ec-key',
  ed25519: 'ed-key',
  ed448: 'ed-key',
  x25519: 'dh-key',
  x448: 'dh-key',
  dh: 'dh-key',
  dsa: 'dsa-key',
  'rsa-pss': 'rsa-pss-key',
};

const bigNumber = z.string().max(rsaMaxBits / 4);

/** The members of RFC 7518 section 6.3.2, with two primes. */
const rsaJwkSchema = z.object({
  kty: z.literal('RSA'),
  n: bigNumber,
  e: bigNumber,
  d: bigNumber,
  p: bigNumber,
  q: bigNumber,
  dp: bigNumber,
  dq: bigNumber,
  qi: bigNumber,
});

/** The kind of a file that is neither PEM nor JSON, in a user's words. */
function foundIn(text: string): KeyFound {
  if (text.startsWith('%PDF-')) return 'pdf';
  if (text.startsWith('PuTTY-User-Key-File')) return 'putty-key';
  if (/^(?:ssh-|ecdsa-sha2-)/.test(text)) return 'public-key';
  // The control characters other than tab and line ends, and the character by which a UTF-8 decoder
  // replaces invalid bytes: such a file is a DER key, a PKCS#12 store or a picture.
  // eslint-disable-next-line no-control-regex
  return /[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text) ? 'binary' : 'text';
}

function keyFromJwk(text: string): KeyObject {
  let jwk: unknown;
  try {
    jwk = JSON.parse(text);
  } catch (error) {
    throw unreadable('text', error);
  }
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) throw unreadable('json');
  if ('keys' in jwk) throw unreadable('key-set');
  const kty = 'kty' in jwk ? jwk.kty : undefined;
  if (kty === 'EC') throw notRsa('ec-key');
  if (kty === 'OKP') throw notRsa('ed-key');
  if (kty === 'oct') throw notRsa('symmetric-key');
  if (kty !== 'RSA') throw unreadable('json');
  if (!('d' in jwk)) throw unreadable('public-key');
  const numbers = rsaJwkSchema.safeParse(jwk);
  if (!numbers.success) throw unreadable('damaged-key');
  try {
    return createPrivateKey({ key: numbers.data, format: 'jwk' });
  } catch (error) {
    throw unreadable('damaged-key', error);
  }
}

function keyFromPem(pem: string, label: string, passphrase: string | undefined): KeyObject {
  const encrypted = label === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type:.*ENCRYPTED/im.test(pem);
  if (encrypted && (passphrase === undefined || passphrase === '')) {
    throw new DeskError('key_passphrase_needed');
  }
  try {
    return createPrivateKey({ key: pem, format: 'pem', ...(encrypted && { passphrase }) });
  } catch (error) {
    if (!encrypted) throw unreadable('damaged-key', error);
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // In about one of 250 cases a wrong passphrase leaves a valid padding. Then the decoder reports
    // that the plain text is not a key (ERR_OSSL_UNSUPPORTED), which means the same.
    if (/UNSUPPORTED|UNKNOWN/.test(code) && code !== 'ERR_OSSL_UNSUPPORTED') {
      throw unreadable('unsupported-encryption', error);
    }
    throw new DeskError('key_passphrase_wrong', {}, { cause: error });
  }
}

/**
 * Numbers that do not belong together form a key that signs, but whose signatures are always
 * invalid.
 */
function signsTruly(key: KeyObject): boolean {
  try {
    const probe = Buffer.from('appraiser-desk');
    return verify('sha256', probe, createPublicKey(key), sign('sha256', probe, key));
  } catch {
    return false;
  }
}

const privateLabels = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'ENCRYPTED PRIVATE KEY'];

/** The first complete block with a private key. */
function privateBlock(text: string): { pem: string; label: string } | null {
  const whole = privateLabels.flatMap((label) => {
    const start = text.indexOf(`-----BEGIN ${label}-----`);
    const mark = `-----END ${label}-----`;
    const end = start < 0 ? -1 : text.indexOf(mark, start);
    return end < 0 ? [] : [{ start, pem: text.slice(start, end + mark.length), label }];
  });
  return whole.sort((one, other) => one.start - other.start)[0] ?? null;
}

/**
 * Reads the private key that an organization downloaded: PEM (PKCS#8 or PKCS#1, encrypted or not;
 * other blocks are skipped) or a JWK.
 * @returns an RSA private key of at least 2048 bits that signs and verifies
 * @throws {DeskError} key_unreadable and key_not_rsa `{ found: KeyFound }`, key_too_short `{ bits
 *   }`, key_passphrase_needed, key_passphrase_wrong; no part of the text is in the error
 */
export function parsePrivateKey(text: string, passphrase?: string): KeyObject {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  if (trimmed === '') throw unreadable('empty');

  let key: KeyObject;
  if (/^[{[]/.test(trimmed)) {
    key = keyFromJwk(trimmed);
  } else {
    const own = privateBlock(trimmed);
    if (own) {
      key = keyFromPem(own.pem, own.label, passphrase);
    } else {
      const label = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(trimmed)?.[1];
      if (label === undefined) throw unreadable(foundIn(trimmed));
      if (label.endsWith('PRIVATE KEY') && !(label in pemLabels)) throw unreadable('damaged-key');
      throw pemLabels[label]?.() ?? unreadable('unknown-pem');
    }
  }

  if (key.asymmetricKeyType !== 'rsa') {
    throw notRsa(keyTypes[key.asymmetricKeyType ?? ''] ?? 'damaged-key');
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < rsaMinBits) throw new DeskError('key_too_short', { bits });
  if (bits > rsaMaxBits || !signsTruly(key)) throw unreadable('damaged-key');
  return key;
}
