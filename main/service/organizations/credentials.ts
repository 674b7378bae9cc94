import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ServiceContext } from '../context.ts';
import {
  registerOrganization,
  type NewOrganization,
  type OrganizationCredentials,
} from './register-organization.ts';

/** How an organization's credentials are given out. */
export const organizationSchema = z.object({
  organizationId: z.string(),
  clientId: z.string(),
  privateKeyPem: z.string(),
});

/** The organizations that a service starts with, and the back office's token. */
export const credentialsSchema = z.object({
  insurer: organizationSchema,
  expert: organizationSchema,
  /** An expert organization with no cases. */
  otherExpert: organizationSchema,
  /** An insurer organization without members. */
  memberless: organizationSchema,
  backoffice: z.object({ token: z.string().min(1) }),
});
export type Credentials = z.infer<typeof credentialsSchema>;

/** Where credentials are kept between two starts. */
export interface CredentialsKeeper {
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
 * The credentials of this store: those that were kept, or new ones at the first start. Where they
 * were lost although the store has organizations, these stay and new ones are added beside them:
 * a lost private key cannot be had again.
 */
export async function ensureCredentials(
  context: Pick<ServiceContext, 'db' | 'clock' | 'newId'>,
  keeper: CredentialsKeeper,
): Promise<Credentials> {
  const kept = await keeper.read();
  if (kept && (await isOfThisStore(context, kept))) return kept;
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
  await keeper.write(credentials);
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
