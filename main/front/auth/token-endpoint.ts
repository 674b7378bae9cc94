import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { clientAssertionType } from '#shared/api/token.ts';
import { accessTokenLifetimeS } from '#shared/api/limits.ts';
import { routes } from '#shared/api/routes.ts';
import type { FrontContext } from '../context.ts';
import { assertNoContentCoding, errorsOf } from '../parse-request.ts';
import { Problem } from '../problem.ts';
import { issueAccessToken } from './access-token.ts';
import { checkAssertion, useAssertion } from './assertion.ts';
import { checkProof, useProof } from './proof.ts';

const bodyLimit = 64 * 1024;

/** RFC 6749 section 3.2: no field is included more than once, which would make it an array. */
const field = z.string({ error: 'is required, once.' }).min(1, 'must not be empty.');
const formSchema = z.object({
  grant_type: field.meta({ const: 'client_credentials' }),
  client_id: field,
  client_assertion_type: field.meta({ const: clientAssertionType }),
  client_assertion: field,
  scope: z.string({ error: 'must be given once.' }).optional(),
});

/**
 * Mounts the token endpoint: client credentials with a signed client assertion, and a token that is
 * bound to the key of the request's DPoP proof (RFC 6749 section 4.4, RFC 7523, RFC 9449 section
 * 5).
 */
export function mountTokenEndpoint(app: FastifyInstance, context: FrontContext): void {
  const { path } = routes.token;
  context.operations.push({ id: 'token', body: formSchema });
  void app.register(async (scope) => {
    await scope.register(formbody);
    scope.post(path, { bodyLimit, config: { operation: 'token' } }, async (request, reply) => {
      const address = { address: request.ip };
      try {
        const proof = await checkProof(context, request);
        assertNoContentCoding(request);
        const form = parseForm(request.body);
        const assertion = await checkAssertion(context, form.client_assertion, form.client_id);
        const { client } = assertion;
        await context.limiter.draw('token', { client: client.clientId });
        await useProof(context, proof);
        await useAssertion(context, assertion);
        const granted = { jkt: proof.jkt, scope: form.scope };
        return await reply.send({
          access_token: await issueAccessToken(context, client, granted),
          token_type: 'DPoP',
          expires_in: accessTokenLifetimeS,
          scope: form.scope,
        });
      } catch (error) {
        // A failed attempt counts against the limit of the address, so that guessing is slow.
        if (error instanceof Problem && error.status !== 429) {
          await context.limiter.draw('token', address);
        }
        throw error;
      }
    });
  });
}

function parseForm(body: unknown): z.infer<typeof formSchema> {
  const result = formSchema.safeParse(body ?? {});
  if (!result.success) throw invalidRequest('the form lacks a field', errorsOf(result.error));
  const { scope, ...form } = result.data;
  if (form.grant_type !== 'client_credentials') {
    throw new Problem('unsupported_grant_type', 'the grant_type is not client_credentials', {
      oauthError: 'unsupported_grant_type',
    });
  }
  if (form.client_assertion_type !== clientAssertionType) {
    throw invalidRequest('the client_assertion_type is not that of a JWT', {
      client_assertion_type: [`must be ${clientAssertionType}.`],
    });
  }
  // RFC 6749 section 3.2: a parameter without a value counts as absent.
  if (!scope) return form;
  // Section 3.3: no scope has a meaning here, so a well-formed one is granted unchanged.
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(scope)) {
    throw new Problem('invalid_scope', 'the scope is malformed', { oauthError: 'invalid_scope' });
  }
  return { ...form, scope };
}

function invalidRequest(detail: string, errors: Record<string, string[]>): Problem {
  return new Problem('invalid_request', detail, { errors, oauthError: 'invalid_request' });
}
