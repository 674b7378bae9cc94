import { parse as parseQueryString } from 'node:querystring';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clientAssertionType } from '#shared/api/client-assertion.ts';
import { accessTokenLifetimeS } from '#shared/api/limits.ts';
import { routes } from '#shared/api/routes.ts';
import type { ServiceContext } from '../context.ts';
import { assertNoContentCoding } from '../parse-request.ts';
import { Problem } from '../problem.ts';
import { sentTarget } from '../request-target.ts';
import { issueAccessToken } from './access-token/issue.ts';

const formLimitBytes = 64 * 1024;

/** RFC 6749 section 3.2: no field is included more than once, which would make it an array. */
const field = z.string({ error: 'is required, once.' }).min(1, 'must not be empty.');
const formSchema = z.object({
  grant_type: field,
  client_id: field,
  client_assertion_type: field,
  client_assertion: field,
  scope: z.string({ error: 'must be given once.' }).optional(),
});

/**
 * Mounts the token endpoint: client credentials with a signed client assertion, and a token bound
 * to the key of the request's DPoP proof (RFC 6749 section 4.4, RFC 7523, RFC 9449 section 5).
 * @param app hands bodies over as buffers
 */
export function mountTokenEndpoint(app: FastifyInstance, context: ServiceContext): void {
  const { path } = routes.token;
  context.operations.push({ id: 'token', body: formSchema });

  async function authenticate(request: FastifyRequest) {
    const jkt = await context.proofs.check({
      header: request.headers['dpop'],
      method: request.method,
      target: sentTarget(request.originalUrl),
      publicUrl: context.address.publicUrl,
    });
    assertNoContentCoding(request);
    const form = parseForm(request);
    const client = await context.assertions.check(form.client_assertion, form.client_id);
    return { client, jkt, scope: scopeOf(form) };
  }

  app.post(path, { bodyLimit: formLimitBytes }, async (request, reply) => {
    const { client, jkt, scope } = await authenticate(request).catch(async (error: unknown) => {
      // Nobody is known to have sent it, so it counts against where it came from.
      if (error instanceof Problem) await context.limiter.draw('token', { address: request.ip });
      throw error;
    });
    await context.limiter.draw('token', { client: client.clientId });
    const accessToken = issueAccessToken(context, { ...client, jkt, scope });
    return reply.header('Cache-Control', 'no-store').send({
      access_token: accessToken,
      token_type: 'DPoP',
      expires_in: accessTokenLifetimeS,
      ...(scope !== undefined && { scope }),
    });
  });
}

/** RFC 6749 section 3.2: a parameter without a value is taken as left out. */
function scopeOf({ scope }: z.infer<typeof formSchema>): string | undefined {
  return scope === '' ? undefined : scope;
}

/** The fields of the body; a body of another kind has none. */
function formOf({ headers, body }: FastifyRequest): object {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  const isForm = type.trim().toLowerCase() === 'application/x-www-form-urlencoded';
  return isForm && Buffer.isBuffer(body)
    ? parseQueryString(body.toString(), '&', '=', { maxKeys: 0 })
    : {};
}

function parseForm(request: FastifyRequest): z.infer<typeof formSchema> {
  const result = formSchema.safeParse(formOf(request));
  if (!result.success) {
    const errors: Record<string, string[]> = {};
    for (const issue of result.error.issues) {
      (errors[issue.path.join('.')] ??= []).push(issue.message);
    }
    throw invalidRequest('the form lacks a field', errors);
  }
  const form = result.data;
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
  checkScope(scopeOf(form));
  return form;
}

/** RFC 6749 section 3.3. No scope means anything here; a well-formed one is granted as it is. */
function checkScope(scope: string | undefined): void {
  if (scope === undefined) return;
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(scope)) {
    throw new Problem('invalid_scope', 'the scope is malformed', { oauthError: 'invalid_scope' });
  }
}

function invalidRequest(detail: string, errors: Record<string, string[]>): Problem {
  return new Problem('invalid_request', detail, { errors, oauthError: 'invalid_request' });
}
