import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { actNow, type Act } from '../act.ts';
import {
  answerAssignment,
  archiveCase,
  assignCase,
  cancelCase,
  finalizeCase,
} from '../cases/move-case.ts';
import { loadClaim } from '../claims/claim-access.ts';
import { isoTime } from '#shared/api/date-time.ts';
import { idSchema } from '../claims/request-schemas.ts';
import type { ServiceContext } from '../context.ts';
import { loadOrganization } from '../organizations/load-organization.ts';
import { parseJsonBody } from '../front/parse-request.ts';
import { Problem } from '../front/problem.ts';
import { loadSubmission } from '../reports/submission-access.ts';
import { judgeSubmission } from '../reports/submissions.ts';
import type { ClaimsTable, Database } from '../store/tables.ts';
import { backofficeDocument } from './backoffice-document.ts';
import { assertBearerToken } from './bearer-token.ts';
import { assignBody, caseMoveNames, reasonBody, verdicts } from './call-schemas.ts';
import { mountOrganizationCalls } from './organization-calls.ts';
import { jsonBody, parse, rawBody } from './read-body.ts';
import { faultRulesSchema, type Faults } from './faults.ts';

export interface BackofficeParts {
  readonly token: string;
  readonly faults: Faults;
}

const idParams = z.object({ id: idSchema });
const submissionParams = z.object({ submissionId: idSchema });
type CaseMove = (
  db: Kysely<Database>,
  claim: ClaimsTable,
  reason: string,
  act: Act,
) => Promise<unknown>;

const caseMoves: Readonly<Record<(typeof caseMoveNames)[number], CaseMove>> = {
  accept: (db, claim, reason, act) => answerAssignment(db, claim, 'accept', reason, act),
  reject: (db, claim, reason, act) => answerAssignment(db, claim, 'reject', reason, act),
  finalize: finalizeCase,
  cancel: cancelCase,
  archive: archiveCase,
};

/** The insurer's and administrator's side of the exchange (design, "Back office"). */
export function mountBackofficeCalls(
  app: FastifyInstance,
  context: ServiceContext,
  parts: BackofficeParts,
): void {
  const act = (db: Kysely<Database>) => actNow(db, context.clock, 'backoffice');

  void app.register(
    (scope, _options, done) => {
      scope.addHook('onRequest', (request, _reply, next) => {
        assertBearerToken(request.headers.authorization, parts.token);
        next();
      });

      mountOrganizationCalls(scope, context);

      scope.post('/claims/:id/assign', async (request, reply) => {
        const { id } = parse(idParams, request.params, 'path');
        const body = parse(assignBody, jsonBody(request), 'body');
        await context.db.transaction().execute(async (db) => {
          const claim = await loadClaim(db, id);
          await assertExpert(db, body.ExpertOrganizationId);
          await assignCase(db, claim, body.ExpertOrganizationId, await act(db));
        });
        return reply.code(204).send();
      });

      for (const name of caseMoveNames) {
        const move = caseMoves[name];
        scope.post(`/claims/:id/${name}`, async (request, reply) => {
          const { id } = parse(idParams, request.params, 'path');
          const reason = reasonOf(request);
          await context.db.transaction().execute(async (db) => {
            await move(db, await loadClaim(db, id), reason, await act(db));
          });
          return reply.code(204).send();
        });
      }

      for (const verdict of verdicts) {
        scope.post(`/reports/:submissionId/${verdict}`, async (request, reply) => {
          const { submissionId } = parse(submissionParams, request.params, 'path');
          const reason = reasonOf(request);
          await context.db.transaction().execute(async (db) => {
            const submission = await loadSubmission(db, submissionId);
            const claim = await loadClaim(db, submission.claim_id);
            await judgeSubmission(db, claim, submission, verdict, reason, await act(db));
          });
          return reply.code(204).send();
        });
      }

      scope.get('/claims/:id/events', async (request, reply) => {
        const { id } = parse(idParams, request.params, 'path');
        await loadClaim(context.db, id);
        return reply.send(await listEvents(context.db, id));
      });

      scope.get('/openapi.json', () => backofficeDocument(context.address.publicUrl));

      scope.put('/faults', async (request, reply) => {
        parts.faults.replace(parse(faultRulesSchema, jsonBody(request), 'body').Rules);
        return reply.code(204).send();
      });

      done();
    },
    { prefix: '/_backoffice' },
  );
}

async function listEvents(db: Kysely<Database>, claimId: string) {
  const rows = await db
    .selectFrom('events')
    .select(['at', 'name', 'by', 'detail'])
    .where('claim_id', '=', claimId)
    .orderBy('position')
    .execute();
  return rows.map((row) => ({
    At: isoTime(row.at),
    Name: row.name,
    By: row.by,
    Detail: row.detail,
  }));
}

/** @throws {Problem} not_found, invalid_request */
async function assertExpert(db: Kysely<Database>, organizationId: string): Promise<void> {
  const { kind } = await loadOrganization(db, organizationId);
  if (kind === 'expert') return;
  throw new Problem('invalid_request', 'A case is assigned to an expert organization.', {
    errors: { ExpertOrganizationId: ['must be an expert organization.'] },
  });
}

/** The optional Reason of an optional body. */
function reasonOf(request: FastifyRequest): string {
  const raw = rawBody(request);
  if (!raw || raw.length === 0) return '';
  return parse(reasonBody, parseJsonBody(request, raw), 'body').Reason?.trim() ?? '';
}
