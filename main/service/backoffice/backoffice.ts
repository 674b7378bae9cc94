import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { reasonMaxLength } from '#shared/api/limits.ts';
import { actNow, type Act, listEvents } from '../claims/change-claim.ts';
import { assignCase, caseMoves } from '../claims/case-acts.ts';
import { loadClaim } from '../claims/find-claims.ts';
import { parseBody, parseWith } from '../../front/parse-request.ts';
import { idSchema, textSchema } from '../../front/request-schemas.ts';
import type { ServiceContext } from '../context.ts';
import { Problem } from '../../front/problem.ts';
import {
  addOrganizationKey,
  listOrganizations,
  loadOrganization,
  registerOrganization,
  removeKey,
} from '../organizations/organizations.ts';
import { loadSubmission, judgeSubmission } from '../reports/submissions.ts';
import type { Database } from '../store/tables.ts';
import { faultRulesSchema, mountFaults } from './faults.ts';

const organizationBody = z.object({
  Kind: z.enum(['insurer', 'expert'], { error: 'must be one of: insurer, expert.' }),
  Name: textSchema(200).min(1, 'must not be empty.'),
  Members: z.int().min(0).default(1),
});
const keyBody = z.object({ PublicKeyPem: z.string({ error: 'must be a string.' }).nullish() });
const assignmentBody = z.object({ ExpertOrganizationId: idSchema });
const idParams = z.object({ id: idSchema });
const keyParams = z.object({ id: idSchema, kid: z.string() });
const submissionParams = z.object({ submissionId: idSchema });
const reasonBody = z
  .object({ Reason: textSchema(reasonMaxLength).trim().nullish() })
  .optional()
  .transform((body) => body?.Reason ?? '');

/**
 * The insurer's and administrator's side of the exchange (design, "Back office"): moves claims,
 * registers organizations, and injects faults. For tests; served only with --backoffice.
 */
// oxlint-disable-next-line max-lines-per-function -- one entry for each call of the back office
export function mountBackoffice(
  app: FastifyInstance,
  context: ServiceContext,
  token: string,
): void {
  const { db } = context;
  const setFaults = mountFaults(app, context);
  const mount = (scope: FastifyInstance) => {
    scope.addHook('onRequest', (request, reply, next) => {
      assertBearerToken(request.headers.authorization, token);
      // This is the default; some calls set another status.
      reply.code(204);
      next();
    });

    scope.post('/organizations', async (request, reply) => {
      const { Kind: kind, Name: name, Members: members } = parseBody(organizationBody, request);
      const responsible = { name: '', email: '', phone: '' };
      reply.code(201);
      return registerOrganization(context, { kind, name, members, responsible });
    });
    scope.get('/organizations', (_request, reply) => {
      reply.code(200);
      return listOrganizations(db);
    });
    scope.post('/organizations/:id/keys', async (request, reply) => {
      const { id } = paramsOf(idParams, request);
      const { PublicKeyPem } = parseBody(keyBody, request);
      await loadOrganization(db, id);
      reply.code(201);
      return addOrganizationKey(context, id, PublicKeyPem ?? undefined);
    });
    scope.delete('/organizations/:id/keys/:kid', async (request) => {
      const { id, kid } = paramsOf(keyParams, request);
      await loadOrganization(db, id);
      await removeKey(db, id, kid);
    });

    scope.post('/claims/:id/assign', async (request) => {
      const { id } = paramsOf(idParams, request);
      const { ExpertOrganizationId } = parseBody(assignmentBody, request);
      await inTransaction(context, async (transaction, act) => {
        const claim = await loadClaim(transaction, id);
        await assertExpert(transaction, ExpertOrganizationId);
        await assignCase(transaction, claim, ExpertOrganizationId, act);
      });
    });
    for (const [name, move] of Object.entries(caseMoves)) {
      scope.post(`/claims/:id/${name}`, async (request) => {
        const { id } = paramsOf(idParams, request);
        const reason = parseBody(reasonBody, request);
        await inTransaction(context, async (transaction, act) => {
          await move(transaction, await loadClaim(transaction, id), reason, act);
        });
      });
    }
    for (const verdict of ['approve', 'return'] as const) {
      scope.post(`/reports/:submissionId/${verdict}`, async (request) => {
        const { submissionId } = paramsOf(submissionParams, request);
        const reason = parseBody(reasonBody, request);
        await inTransaction(context, async (transaction, act) => {
          const submission = await loadSubmission(transaction, submissionId);
          const claim = await loadClaim(transaction, submission.claim_id);
          await judgeSubmission(transaction, claim, submission, verdict, reason, act);
        });
      });
    }
    scope.get('/claims/:id/events', async (request, reply) => {
      const { id } = paramsOf(idParams, request);
      await loadClaim(db, id);
      reply.code(200);
      return listEvents(db, id);
    });

    scope.put('/faults', (request, reply) => {
      setFaults(parseBody(faultRulesSchema, request).Rules);
      return reply.send();
    });
  };
  void app.register(
    (scope, _options, done) => {
      mount(scope);
      done();
    },
    { prefix: '/_backoffice' },
  );
}

const paramsOf = <Schema extends z.ZodType>(schema: Schema, request: FastifyRequest) =>
  parseWith(schema, request.params, 'path');

/**
 * Checks the token of the back office (RFC 6750, 2.1). The time does not depend on the token.
 * @throws {Problem} unauthorized
 */
function assertBearerToken(authorization: string | undefined, token: string): void {
  const given = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1] ?? '';
  // The tokens are hashed, because timingSafeEqual needs two inputs of the same length.
  if (!timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'))) {
    throw new Problem('unauthorized', 'The back office needs its own token.', {
      // RFC 9110 section 11.6.1 requires this header on every 401.
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
}

function inTransaction(
  { db, clock }: ServiceContext,
  work: (db: Kysely<Database>, act: Act) => Promise<void>,
): Promise<void> {
  return db
    .transaction()
    .execute(async (transaction) =>
      work(transaction, await actNow(transaction, clock, 'backoffice')),
    );
}

/** @throws {Problem} not_found, invalid_request */
async function assertExpert(db: Kysely<Database>, organizationId: string): Promise<void> {
  const { kind } = await loadOrganization(db, organizationId);
  if (kind === 'expert') return;
  throw new Problem('invalid_request', 'A case is assigned to an expert organization.', {
    errors: { ExpertOrganizationId: ['must be an expert organization.'] },
  });
}
