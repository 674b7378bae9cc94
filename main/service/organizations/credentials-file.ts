import { readFile, rename, writeFile } from 'node:fs/promises';
import type { ServiceAddress } from '../service-address.ts';
import { credentialsSchema, type Credentials, type CredentialsKeeper } from './credentials.ts';

/**
 * Keeps credentials in a file that only its owner may read.
 * @throws {Error} on read where the file is there and holds something else.
 */
export function credentialsFile(file: string, address: ServiceAddress): CredentialsKeeper {
  return {
    async read() {
      const text = await readFile(file, 'utf8').catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (text === undefined) return undefined;
      return parseCredentials(text, file);
    },
    async write(credentials) {
      const whole = { baseUrl: address.publicUrl, audience: address.audience, ...credentials };
      const fresh = `${file}.new`;
      await writeFile(fresh, `${JSON.stringify(whole, null, 2)}\n`, { mode: 0o600 });
      await rename(fresh, file);
    },
  };
}

function parseCredentials(text: string, file: string): Credentials {
  try {
    return credentialsSchema.parse(JSON.parse(text));
  } catch {
    throw new Error(`${file} holds no credentials; move it away to have new ones made`);
  }
}
