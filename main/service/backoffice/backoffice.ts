import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { dateTimeSchema } from '#shared/api/date-time.ts';
import { reasonMaxLength } from '#shared/api/limits.ts';
import { actNow, type Act } from '../claims/change-claim.ts';
import {
  answerAssignment,
  archiveCase,
  assignCase,
  cancelCase,
  finalizeCase,
} from '../claims/case-acts.ts';
import { loadClaim } from '../claims/claim-access.ts';
import { idSchema, textSchema } from '../../front/request-schemas.ts';
import type { ServiceContext } from '../context.ts';
import { listEvents } from '../claims/events.ts';
import { Problem } from '../../front/problem.ts';
import { organizationCredentialsSchema } from '../organizations/credentials.ts';
import {
  addOrganizationKey,
  loadOrganization,
  registerOrganization,
  removeKey,
} from '../organizations/organizations.ts';
import { loadSubmission, judgeSubmission } from '../reports/submissions.ts';
import type { ClaimsTable, Database } from '../store/tables.ts';
import { defineCall, mountCalls, type BackofficeCall } from './call.ts';
import { describeCalls } from './document.ts';
import { faultRulesSchema, mountFaults } from './faults.ts';

/*
 * The insurer's and administrator's side of the exchange (design, "Back office"): moves claims,
 * registers organizations, and injects faults. For tests; served only with --backoffice.
 */

export function mountBackoffice(
  app: FastifyInstance,
  context: ServiceContext,
  token: string,
): void {
  mountCalls(app, calls, { context, token, faults: mountFaults(app, context) });
}

/** The OpenAPI 3.1 document of the back office, which is no part of the partner API's. */
export function backofficeDocument(publicUrl: string): Record<string, unknown> {
  return describeCalls(calls, publicUrl);
}

const idParams = z.object({ id: idSchema });
const submissionParams = z.object({ submissionId: idSchema });
const reasonBody = z
  .object({ Reason: textSchema(reasonMaxLength).trim().nullish() })
  .optional()
  .transform((body) => body?.Reason ?? '');

type CaseMove = (
  db: Kysely<Database>,
  claim: ClaimsTable,
  reason: string,
  act: Act,
) => Promise<unknown>;

/** Moves that take a reason and nothing else. */
const caseMoves: Readonly<Record<string, CaseMove>> = {
  accept: (db, claim, reason, act) => answerAssignment(db, claim, 'accept', reason, act),
  reject: (db, claim, reason, act) => answerAssignment(db, claim, 'reject', reason, act),
  finalize: finalizeCase,
  cancel: cancelCase,
  archive: archiveCase,
};

const calls: readonly BackofficeCall[] = [
  defineCall({
    method: 'POST',
    path: '/organizations',
    id: 'addOrganization',
    summary: 'Register an organization with its first key',
    body: z.object({
      Kind: z.enum(['insurer', 'expert'], { error: 'must be one of: insurer, expert.' }),
      Name: textSchema(200).min(1, 'must not be empty.'),
      Members: z.int().min(0).default(1),
    }),
    answer: { status: 201, schema: organizationCredentialsSchema },
    handle: ({ context }, { body }) =>
      registerOrganization(context, {
        kind: body.Kind,
        name: body.Name,
        members: body.Members,
        responsible: { name: '', email: '', phone: '' },
      }),
  }),
  defineCall({
    method: 'POST',
    path: '/organizations/{id}/keys',
    id: 'addKey',
    summary: "Register a key of the organization's own, or make a pair",
    params: idParams,
    body: z.object({ PublicKeyPem: z.string({ error: 'must be a string.' }).nullish() }),
    answer: {
      status: 201,
      schema: z.object({ kid: z.string(), privateKeyPem: z.string().optional() }),
    },
    async handle({ context }, { params, body }) {
      await loadOrganization(context.db, params.id);
      return addOrganizationKey(context, params.id, body.PublicKeyPem ?? undefined);
    },
  }),
  defineCall({
    method: 'DELETE',
    path: '/organizations/{id}/keys/{kid}',
    id: 'removeKey',
    summary: 'Remove a key',
    params: z.object({ id: idSchema, kid: z.string() }),
    async handle({ context }, { params }) {
      await loadOrganization(context.db, params.id);
      await removeKey(context.db, params.id, params.kid);
    },
  }),
  defineCall({
    method: 'POST',
    path: '/claims/{id}/assign',
    id: 'assign',
    summary: 'Assign a claim to an expert organization',
    params: idParams,
    body: z.object({ ExpertOrganizationId: idSchema }),
    handle: ({ context }, { params, body: { ExpertOrganizationId } }) =>
      inTransaction(context, async (db, act) => {
        const claim = await loadClaim(db, params.id);
        await assertExpert(db, ExpertOrganizationId);
        await assignCase(db, claim, ExpertOrganizationId, act);
      }),
  }),
  ...Object.entries(caseMoves).map(([name, move]) =>
    defineCall({
      method: 'POST',
      path: `/claims/{id}/${name}`,
      id: name,
      summary: `The case's move: ${name}`,
      params: idParams,
      body: reasonBody,
      handle: ({ context }, { params, body: reason }) =>
        inTransaction(context, async (db, act) => {
          await move(db, await loadClaim(db, params.id), reason, act);
        }),
    }),
  ),
  ...(['approve', 'return'] as const).map((verdict) =>
    defineCall({
      method: 'POST',
      path: `/reports/{submissionId}/${verdict}`,
      id: verdict,
      summary: `Judge a report submission: ${verdict}`,
      params: submissionParams,
      body: reasonBody,
      handle: ({ context }, { params, body: reason }) =>
        inTransaction(context, async (db, act) => {
          const submission = await loadSubmission(db, params.submissionId);
          const claim = await loadClaim(db, submission.claim_id);
          await judgeSubmission(db, claim, submission, verdict, reason, act);
        }),
    }),
  ),
  defineCall({
    method: 'GET',
    path: '/claims/{id}/events',
    id: 'events',
    summary: "A claim's audit trail, the oldest first",
    params: idParams,
    answer: {
      status: 200,
      schema: z.array(
        z.object({ At: dateTimeSchema, Name: z.string(), By: z.string(), Detail: z.string() }),
      ),
    },
    async handle({ context }, { params }) {
      await loadClaim(context.db, params.id);
      return listEvents(context.db, params.id);
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/faults',
    id: 'setFaults',
    summary: 'Replace the fault rules; an empty list clears them',
    body: faultRulesSchema,
    handle({ faults }, { body }) {
      faults.replace(body.Rules);
      return Promise.resolve();
    },
  }),
  defineCall({
    method: 'GET',
    path: '/openapi.json',
    id: 'openapi',
    summary: 'This document',
    answer: { status: 200, schema: z.record(z.string(), z.unknown()) },
    handle: ({ context }) => Promise.resolve(backofficeDocument(context.address.publicUrl)),
  }),
];

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
