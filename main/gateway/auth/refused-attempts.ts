import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { gatewayRoutes } from '#shared/api/assignment.ts';
import { findCaller } from '../../front/admit.ts';
import { originOf } from '#shared/lib/error-origin.ts';
import { recordAudit } from '../writing/audit.ts';
import type { GatewayContext } from '../context.ts';
import { wasAudited } from '../writing/write-operations.ts';

/** The names of the addresses that are not an operation of the partner API. */
const names: Readonly<Record<string, string>> = {
  '/v1/gateway/enrolments': 'enrol_refused',
  [gatewayRoutes.G2.path]: 'hand_over_refused',
  '/dispatch/sign-in': 'sign_in_refused',
  '/dispatch/assign': 'assign_refused',
  '/dispatch/sign-out': 'sign_out_refused',
};

/**
 * Records refused attempts: another client's case, a wrong code, a revoked client, a bad proof. A
 * request that was passed on already has an entry.
 */
export function recordRefusals(app: FastifyInstance, context: GatewayContext): void {
  app.addHook('onResponse', async (request, { statusCode: status }) => {
    if ((status !== 401 && status !== 403) || wasAudited(request)) return;
    const { config, url = '' } = request.routeOptions;
    const caller = findCaller(request);
    const entry = {
      clientId: caller?.clientId ?? '',
      operation: config.operation ?? names[url] ?? 'refused',
      subject: caller ? subjectOf(request) : `${claimedClient(request)} from ${request.ip}`.trim(),
      status,
      correlationId: request.id,
    };
    await recordAudit(context, entry).catch((error: unknown) => {
      context.log.error(originOf(error), 'a refused attempt was not recorded');
    });
  });
}

const paramsSchema = z
  .object({ caseId: z.string().optional(), submissionId: z.string().optional() })
  .catch({});

function subjectOf({ params }: FastifyRequest): string {
  const { caseId, submissionId } = paramsSchema.parse(params);
  return (caseId ?? submissionId ?? '').slice(0, 100);
}

const formSchema = z.object({ client_id: z.string() });
const claimsSchema = z.object({ sub: z.string() });

/** The client that the request names, without verification; empty if it names none. */
function claimedClient({ body, headers }: FastifyRequest): string {
  const form = formSchema.safeParse(body);
  if (form.success) return plain(form.data.client_id);
  try {
    const token = (headers.authorization ?? '').replace(/^dpop +/i, '');
    return plain(claimsSchema.parse(decodeJwt(token)).sub);
  } catch {
    return '';
  }
}

/** PostgreSQL accepts no NUL, and a line of the audit must not contain a line break. */
const plain = (text: string) => text.slice(0, 100).replaceAll(/[^\x21-\x7e]/g, '?');
