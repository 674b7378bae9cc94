import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { ServiceContext } from '../context.ts';
import type { ServerAddress } from '../../front/context.ts';
import type { Database } from '../store/tables.ts';
import {
  registerOrganization,
  type NewOrganization,
  type OrganizationCredentials,
} from './organizations.ts';

const organizationCredentialsSchema = z.object({
  organizationId: z.string(),
  clientId: z.string(),
  privateKeyPem: z.string(),
  kid: z.string().optional(),
});

/** The organizations that a service starts with, and the back office's token. */
const credentialsSchema = z.object({
  insurer: organizationCredentialsSchema,
  expert: organizationCredentialsSchema,
  /** An expert organization with no cases. */
  otherExpert: organizationCredentialsSchema,
  /** An insurer organization without members. */
  memberless: organizationCredentialsSchema,
  backoffice: z.object({ token: z.string().min(1) }),
});
export type Credentials = z.infer<typeof credentialsSchema>;

/** The storage of credentials from one start to the next. */
export interface CredentialsStorage {
  read(): Promise<Credentials | undefined> | Credentials | undefined;
  write(credentials: Credentials): Promise<void> | void;
}

const first: Record<'insurer' | 'expert' | 'otherExpert' | 'memberless', NewOrganization> = {
  insurer: {
    kind: 'insurer',
    name: 'Säntis Versicherungen AG',
    members: 3,
    responsible: {
      name: 'Regula Brunner',
      email: 'regula.brunner@versicherung.example',
      phone: '+41 44 555 01 10',
    },
  },
  expert: {
    kind: 'expert',
    name: 'Expertisen Zürichsee GmbH',
    members: 5,
    responsible: {
      name: 'Beat Ammann',
      email: 'beat.ammann@expertisen.example',
      phone: '+41 44 555 02 20',
    },
  },
  otherExpert: {
    kind: 'expert',
    name: 'Gutachten Mittelland AG',
    members: 2,
    responsible: {
      name: 'Chantal Favre',
      email: 'chantal.favre@gutachten.example',
      phone: '+41 31 555 03 30',
    },
  },
  memberless: {
    kind: 'insurer',
    name: 'Versicherung ohne Mitglieder AG',
    members: 0,
    responsible: { name: '', email: '', phone: '' },
  },
};

/**
 * Returns the stored credentials, or creates new ones at the first start. If the credentials were
 * lost but the store has organizations, it adds new organizations, because a lost private key
 * cannot be restored.
 */
export async function ensureCredentials(
  context: Pick<ServiceContext, 'db' | 'clock'>,
  storage: CredentialsStorage,
): Promise<Credentials> {
  const stored = await storage.read();
  if (stored && (await isOfThisStore(context, stored))) return stored;
  const register = (name: keyof typeof first): Promise<OrganizationCredentials> =>
    registerOrganization(context, first[name]);
  const [insurer, expert, otherExpert, memberless] = await Promise.all([
    register('insurer'),
    register('expert'),
    register('otherExpert'),
    register('memberless'),
  ]);
  const credentials: Credentials = {
    insurer,
    expert,
    otherExpert,
    memberless,
    backoffice: { token: randomBytes(32).toString('base64url') },
  };
  await storage.write(credentials);
  return credentials;
}

async function isOfThisStore(
  { db }: Pick<ServiceContext, 'db'>,
  credentials: Credentials,
): Promise<boolean> {
  const row = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', credentials.expert.organizationId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Stores credentials in a file that only its owner may read. It is synchronous, because it is used
 * only before the first answer.
 */
export function credentialsFile(file: string, address: ServerAddress): CredentialsStorage {
  return {
    /** @throws {Error} if the file exists and contains something else. */
    read() {
      const text = readIfExists(file);
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

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // A file that cannot be read must not be replaced.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function parseCredentials(text: string, file: string): Credentials {
  try {
    return credentialsSchema.parse(JSON.parse(text));
  } catch {
    throw new Error(`${file} holds no credentials; move it away to have new ones made`);
  }
}

/** Stores credentials in the database: an encrypted practice store, or a shared one. */
export function credentialsTable(db: Kysely<Database>): CredentialsStorage {
  return {
    async read() {
      const row = await db
        .selectFrom('credentials')
        .select('credentials_json')
        .orderBy('id', 'desc')
        .executeTakeFirst();
      return row && credentialsSchema.parse(JSON.parse(row.credentials_json));
    },
    async write(credentials) {
      await db
        .insertInto('credentials')
        .values({ credentials_json: JSON.stringify(credentials) })
        .execute();
    },
  };
}
