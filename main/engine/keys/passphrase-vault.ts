import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { DeskError, homeProblem } from '#shared/desk/contract/errors.ts';
import { replaceFile } from '../disk/write-file.ts';
import type { Vault } from './vault.ts';

/** The cost of scrypt (RFC 7914): 128 MB and about half a second for every guess. */
export const scryptCost = { N: 2 ** 17, r: 8, p: 1 } as const;

/**
 * Derives 64 bytes from a passphrase: one half encrypts, the other half detects a wrong passphrase.
 */
export function derivePassphraseKey(
  passphrase: string,
  kdf: { readonly N: number; readonly r: number; readonly p: number; readonly salt: Buffer },
): Promise<Buffer> {
  const { N, r, p, salt } = kdf;
  const options = { N, r, p, maxmem: 256 * N * r };
  return new Promise<Buffer>((resolve, reject) => {
    // The text is normalized to NFC, because another system may send the same passphrase
    // decomposed.
    scrypt(passphrase.normalize('NFC'), salt, 64, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/**
 * Only the canonical form is accepted, because unused bits of the last character would hide a
 * change.
 */
const base64 = z.base64().refine((text) => Buffer.from(text, 'base64').toString('base64') === text);

const fileSchema = z.object({
  version: z.literal(1),
  kdf: z.object({
    name: z.literal('scrypt'),
    // The limits prevent a damaged file from requesting all of the memory.
    N: z
      .int()
      .min(2 ** 14)
      .max(2 ** 20),
    r: z.int().min(1).max(16),
    p: z.int().min(1).max(4),
    salt: base64,
    /** The check distinguishes a wrong passphrase from a damaged file. */
    check: base64,
    /** The SHA-256 of the members above. */
    digest: base64,
  }),
  nonce: base64,
  /**
   * The JSON of all secrets, encrypted with AES-256-GCM, with the tag at the end; the header is the
   * AAD.
   */
  secrets: base64,
});
type VaultFile = z.infer<typeof fileSchema>;
type Header = Pick<VaultFile, 'version' | 'kdf'>;

const secretsSchema = z.record(z.string(), z.string());

function deriveKey(passphrase: string, kdf: { N: number; r: number; p: number; salt: string }) {
  return derivePassphraseKey(passphrase, { ...kdf, salt: Buffer.from(kdf.salt, 'base64') });
}

const checkOf = (key: Buffer) =>
  createHmac('sha256', key.subarray(32)).update('appraiser-desk vault').digest('base64');

const digestOf = (kdf: Omit<VaultFile['kdf'], 'digest'>) =>
  createHash('sha256')
    .update([kdf.name, kdf.N, kdf.r, kdf.p, kdf.salt, kdf.check].join('.'))
    .digest('base64');

const aadOf = (header: Header) => Buffer.from(`${header.version}.${header.kdf.digest}`);

function encrypt(header: Header, key: Buffer, secrets: ReadonlyMap<string, string>): VaultFile {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key.subarray(0, 32), nonce);
  cipher.setAAD(aadOf(header));
  const text = JSON.stringify(Object.fromEntries(secrets));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { ...header, nonce: nonce.toString('base64'), secrets: sealed.toString('base64') };
}

/** @throws if the file was changed by somebody without the key */
function decrypt(file: VaultFile, key: Buffer): Map<string, string> {
  const sealed = Buffer.from(file.secrets, 'base64');
  const nonce = Buffer.from(file.nonce, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key.subarray(0, 32), nonce, {
    authTagLength: 16,
  });
  decipher.setAAD(aadOf(file));
  decipher.setAuthTag(sealed.subarray(-16));
  const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return new Map(Object.entries(secretsSchema.parse(JSON.parse(text.toString('utf8')))));
}

async function readVaultFile(file: string): Promise<VaultFile | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw homeProblem(error);
  }
  try {
    const parsed = fileSchema.parse(JSON.parse(text));
    if (digestOf(parsed.kdf) !== parsed.kdf.digest) throw new Error('header digest');
    return parsed;
  } catch (error) {
    throw damaged(file, error);
  }
}

const damaged = (file: string, cause: unknown) =>
  new DeskError('keychain_entry_lost', { fileName: basename(file) }, { cause });

/**
 * Stores secrets in one file under a passphrase, for machines without a keychain. Every change
 * replaces the whole file (temporary file, fsync, rename). The file is created at the first `set`.
 * @throws {DeskError} vault_passphrase_wrong; keychain_entry_lost `{ fileName }` for a damaged
 *   file; invalid_input for an empty passphrase
 */
export async function openPassphraseVault(file: string, passphrase: string): Promise<Vault> {
  if (passphrase === '') {
    throw new DeskError('invalid_input', { field: 'passphrase', rule: 'empty' });
  }
  const found = await readVaultFile(file);
  let header: Header;
  let key: Buffer;
  let secrets: Map<string, string>;
  if (found) {
    key = await deriveKey(passphrase, found.kdf);
    const check = Buffer.from(checkOf(key), 'base64');
    const expected = Buffer.from(found.kdf.check, 'base64');
    if (check.length !== expected.length || !timingSafeEqual(check, expected)) {
      throw new DeskError('vault_passphrase_wrong');
    }
    header = { version: found.version, kdf: found.kdf };
    try {
      secrets = decrypt(found, key);
    } catch (error) {
      throw damaged(file, error);
    }
  } else {
    const salt = randomBytes(32).toString('base64');
    key = await deriveKey(passphrase, { ...scryptCost, salt });
    const kdf = { name: 'scrypt' as const, ...scryptCost, salt, check: checkOf(key) };
    header = { version: 1, kdf: { ...kdf, digest: digestOf(kdf) } };
    secrets = new Map();
  }

  /** The memory changes only after the disk: a change that could not be written has no effect. */
  const change = (edit: (next: Map<string, string>) => void): Promise<void> =>
    Promise.resolve().then(() => {
      const next = new Map(secrets);
      edit(next);
      replaceFile(file, JSON.stringify(encrypt(header, key, next)));
      secrets = next;
    });

  return {
    kind: 'passphrase',
    get: (name) => Promise.resolve(secrets.get(name) ?? null),
    set: (name, secret) => change((next) => next.set(name, secret)),
    delete: (name) => change((next) => next.delete(name)),
  };
}
