import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { actNow } from './change-claim.ts';
import type { ServiceContext } from '../context.ts';
import { operation } from '../../front/operation.ts';
import { reopenCase, setAmounts, setExpertComment } from './case-acts.ts';
import { loadClaimFor } from './claim-access.ts';
import { listClaims, readClaim } from './find-claims.ts';
import {
  amountsBody,
  caseListQuery,
  expertCommentBody,
  idSchema,
  reopenBody,
} from '../../front/request-schemas.ts';

const caseParams = z.object({ caseId: idSchema });

/** The expert's operations on cases: X1 to X5. */
export function mountCaseOperations(app: FastifyInstance, context: ServiceContext): void {
  operation(app, context, 'X1', {
    query: caseListQuery,
    handler: ({ db, caller, query }) => listClaims(db, caller, query),
  });

  operation(app, context, 'X2', {
    params: caseParams,
    handler: ({ db, caller, params }) => readClaim(db, caller, params.caseId),
  });

  operation(app, context, 'X3', {
    params: caseParams,
    body: expertCommentBody,
    handler: async ({ db, caller, params, body }) => {
      const claim = await loadClaimFor(db, caller, params.caseId);
      const act = await actNow(db, context.clock, caller.clientId);
      await setExpertComment(db, claim, body.Text, act);
      return undefined;
    },
  });

  operation(app, context, 'X4', {
    params: caseParams,
    body: amountsBody,
    handler: async ({ db, caller, params, body }) => {
      const claim = await loadClaimFor(db, caller, params.caseId);
      const amounts = {
        costEstimateRappen: body.CostEstimateAmount,
        approvedRappen: body.ApprovedAmount,
      };
      await setAmounts(db, claim, amounts, await actNow(db, context.clock, caller.clientId));
      return undefined;
    },
  });

  operation(app, context, 'X5', {
    params: caseParams,
    body: reopenBody,
    handler: async ({ db, caller, params, body }) => {
      const claim = await loadClaimFor(db, caller, params.caseId);
      await reopenCase(db, claim, body.Reason, await actNow(db, context.clock, caller.clientId));
      return undefined;
    },
  });
}
