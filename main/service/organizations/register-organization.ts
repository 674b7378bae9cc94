import type { ServiceContext } from '../context.ts';
import { generateClientKey, registerKey } from './client-keys.ts';

export interface NewOrganization {
  readonly kind: 'insurer' | 'expert';
  readonly name: string;
  /** People in the organization. */
  readonly members: number;
  readonly responsible: { readonly name: string; readonly email: string; readonly phone: string };
}

/** What an organization needs to reach the service; the private key is kept nowhere else. */
export interface OrganizationCredentials {
  readonly organizationId: string;
  readonly clientId: string;
  /** RSA, PKCS#8. */
  readonly privateKeyPem: string;
}

/** Adds an organization with a client id and its first key. */
export async function registerOrganization(
  { db, clock, newId }: Pick<ServiceContext, 'db' | 'clock' | 'newId'>,
  organization: NewOrganization,
): Promise<OrganizationCredentials> {
  const { publicKey, privateKeyPem } = await generateClientKey();
  const organizationId = newId();
  const clientId = `${organization.kind}-${newId()}`;
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('organizations')
      .values({
        id: organizationId,
        kind: organization.kind,
        name: organization.name,
        responsible_name: organization.responsible.name,
        responsible_email: organization.responsible.email,
        responsible_phone: organization.responsible.phone,
        members: organization.members,
        client_id: clientId,
        created_at: clock.now(),
      })
      .execute();
    await registerKey(transaction, organizationId, publicKey, clock.now());
  });
  return { organizationId, clientId, privateKeyPem };
}
