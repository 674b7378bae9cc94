import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { ServerAddress } from '../front/context.ts';
import { credentialsSchema, type Credentials, type CredentialsKeeper } from './credentials.ts';

/**
 * Keeps credentials in a file that only its owner may read. Used before the first answer alone,
 * when nothing else has to be done, so its calls need no thread.
 * @throws {Error} on read where the file is there and holds something else.
 */
export function credentialsFile(file: string, address: ServerAddress): CredentialsKeeper {
  return {
    read() {
      const text = textOf(file);
      return text === undefined ? undefined : parseCredentials(text, file);
    },
    write(credentials) {
      const whole = { baseUrl: address.publicUrl, audience: address.audience, ...credentials };
      const fresh = `${file}.new`;
      writeFileSync(fresh, `${JSON.stringify(whole, null, 2)}\n`, { mode: 0o600 });
      renameSync(fresh, file);
    },
  };
}

/** Undefined where there is no file. One that cannot be read must not be replaced. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function parseCredentials(text: string, file: string): Credentials {
  try {
    // Read once, so a parser made for it alone would cost more than it saves.
    return credentialsSchema.parse(JSON.parse(text), { jitless: true });
  } catch {
    throw new Error(`${file} holds no credentials; move it away to have new ones made`);
  }
}
