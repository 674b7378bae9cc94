import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { isoTime, type Page } from '#shared/api/conventions.ts';
import type { Report, Submission } from '#shared/api/submission.ts';
import { actNow } from '../claims/change-claim.ts';
import type { Caller } from '../../front/admit.ts';
import { loadClaimFor } from '../claims/find-claims.ts';
import { draftBody, idSchema, pageQuery, type PageRequest } from '../../front/request-schemas.ts';
import type { ServiceContext } from '../context.ts';
import { operation } from '../../front/operation.ts';
import { readPage } from '../store/read-page.ts';
import type { Database, SubmissionsTable } from '../store/tables.ts';
import { loadSubmissionFor, openDraft, setDraftComment, submitDraft } from './submissions.ts';

const caseParams = z.object({ caseId: idSchema });
/**
 * Mounts the operations on report submissions: the insurer's I8 and the expert's X8 to X11 and X15.
 */
export function mountReportOperations(app: FastifyInstance, context: ServiceContext): void {
  operation(app, context, 'I8', {
    params: z.object({ claimId: idSchema }),
    query: z.object(pageQuery),
    handler: ({ db, caller, params, query }) => listReports(db, caller, params.claimId, query),
  });

  operation(app, context, 'X10', {
    params: caseParams,
    query: z.object(pageQuery),
    handler: ({ db, caller, params, query }) => listReports(db, caller, params.caseId, query),
  });

  operation(app, context, 'X8', {
    params: caseParams,
    body: draftBody,
    handler: async ({ db, caller, params, body }) => {
      const claim = await loadClaimFor(db, caller, params.caseId);
      const draft = { id: randomUUID(), comment: body.Comment };
      const act = await actNow(db, context.clock, caller.clientId);
      const { submission } = await openDraft(db, claim, draft, act);
      return submissionView(submission);
    },
  });

  operation(app, context, 'X9', {
    params: caseParams,
    body: draftBody,
    handler: async ({ db, caller, params, body }) => {
      const claim = await loadClaimFor(db, caller, params.caseId);
      const act = await actNow(db, context.clock, caller.clientId);
      const { submission } = await setDraftComment(db, claim, body.Comment, act);
      return submissionView(submission);
    },
  });

  operation(app, context, 'X11', {
    params: z.object({ caseId: idSchema, submissionId: idSchema }),
    handler: async ({ db, caller, params }) => {
      await loadClaimFor(db, caller, params.caseId);
      const { submission } = await loadSubmissionFor(
        db,
        caller,
        params.submissionId,
        params.caseId,
      );
      return submissionView(submission);
    },
  });

  operation(app, context, 'X15', {
    params: z.object({ submissionId: idSchema }),
    handler: async ({ db, caller, params }) => {
      const { claim, submission } = await loadSubmissionFor(db, caller, params.submissionId);
      const act = await actNow(db, context.clock, caller.clientId);
      const submitted = await submitDraft(db, claim, submission, act);
      return submissionView(submitted.submission);
    },
  });
}

/** The reports of the claim, newest first. An insurer's page has no drafts. */
async function listReports(
  db: Kysely<Database>,
  caller: Caller,
  claimId: string,
  page: PageRequest,
): Promise<Page<Report>> {
  const claim = await loadClaimFor(db, caller, claimId);
  const ofClaim = db.selectFrom('submissions').selectAll().where('claim_id', '=', claim.id);
  const visible = caller.kind === 'insurer' ? ofClaim.where('status', '!=', 'Draft') : ofClaim;
  return readPage(visible, page, (row) => ({
    ...submissionView(row),
    RevisionNo: row.revision_no,
  }));
}

function submissionView(row: SubmissionsTable): Submission {
  return {
    Id: row.id,
    ClaimId: row.claim_id,
    SequenceNo: row.sequence_no,
    Status: row.status,
    Comment: row.comment,
    SubmittedAt: row.submitted_at === null ? null : isoTime(row.submitted_at),
    CreatedAt: isoTime(row.created_at),
    UpdatedAt: isoTime(row.updated_at),
  };
}
