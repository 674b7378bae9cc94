import { scrypt } from 'node:crypto';

/** scrypt (RFC 7914): 128 MB and about half a second for every guess. */
export const scryptCost = { N: 2 ** 17, r: 8, p: 1 } as const;

/** 64 bytes from a passphrase: one half encrypts, the other tells a wrong passphrase apart. */
export function derivePassphraseKey(
  passphrase: string,
  kdf: { readonly N: number; readonly r: number; readonly p: number; readonly salt: Buffer },
): Promise<Buffer> {
  const { N, r, p, salt } = kdf;
  const options = { N, r, p, maxmem: 256 * N * r };
  return new Promise<Buffer>((resolve, reject) => {
    // NFC, because the same passphrase typed on another system may come decomposed.
    scrypt(passphrase.normalize('NFC'), salt, 64, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
