import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { idSchema, textSchema } from '../claims/request-schemas.ts';
import type { ServiceContext } from '../context.ts';
import { generateClientKey, registerKey, removeKey } from '../organizations/client-keys.ts';
import { loadOrganization } from '../organizations/load-organization.ts';
import { registerOrganization } from '../organizations/register-organization.ts';
import { jsonBody, parse } from './read-body.ts';

const idParams = z.object({ id: idSchema });
export const organizationBody = z.object({
  Kind: z.enum(['insurer', 'expert'], { error: 'must be one of: insurer, expert.' }),
  Name: textSchema(200).min(1, 'must not be empty.'),
  Members: z.int().min(0).default(1),
});

export const keyBody = z.object({
  PublicKeyPem: z.string({ error: 'must be a string.' }).nullish(),
});
const keyParams = z.object({ id: idSchema, kid: z.string() });

/** Organizations and their keys (specification, "Authentication", step 1). */
export function mountOrganizationCalls(scope: FastifyInstance, context: ServiceContext): void {
  scope.post('/organizations', async (request, reply) => {
    const body = parse(organizationBody, jsonBody(request), 'body');
    const credentials = await registerOrganization(context, {
      kind: body.Kind,
      name: body.Name,
      members: body.Members,
      responsible: { name: '', email: '', phone: '' },
    });
    return reply.code(201).send(credentials);
  });

  scope.post('/organizations/:id/keys', async (request, reply) => {
    const { id } = parse(idParams, request.params, 'path');
    const body = parse(keyBody, jsonBody(request), 'body');
    await loadOrganization(context.db, id);
    return reply.code(201).send(await addKey(context, id, body.PublicKeyPem));
  });

  scope.delete('/organizations/:id/keys/:kid', async (request, reply) => {
    const { id, kid } = parse(keyParams, request.params, 'path');
    await loadOrganization(context.db, id);
    await removeKey(context.db, id, kid);
    return reply.code(204).send();
  });
}

/**
 * A key of the partner's own making, or where none is given a new pair, whose private half the
 * answer alone holds.
 */
async function addKey(
  { db, clock }: ServiceContext,
  organizationId: string,
  publicKeyPem: string | null | undefined,
): Promise<{ kid: string; privateKeyPem?: string }> {
  if (typeof publicKeyPem === 'string') {
    return { kid: await registerKey(db, organizationId, publicKeyPem, clock.now()) };
  }
  const { publicKey, privateKeyPem } = await generateClientKey();
  return { kid: await registerKey(db, organizationId, publicKey, clock.now()), privateKeyPem };
}
