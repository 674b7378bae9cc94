import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { amountMaxRappen, commentMaxLength, reasonMaxLength } from '#shared/api/limits.ts';
import { chfFromRappen, rappenFromChf } from '#shared/lib/money.ts';
import { actNow } from '../act.ts';
import type { ServiceContext } from '../context.ts';
import { operation } from '../../front/operation.ts';
import { reopenCase, setAmounts, setExpertComment } from './case-acts.ts';
import { loadClaimFor } from './claim-access.ts';
import { listClaims, readClaim } from './find-claims.ts';
import {
  caseListQuery,
  clearableTextSchema,
  idSchema,
  stringSchema,
  textSchema,
} from '../../front/request-schemas.ts';

const caseParams = z.object({ caseId: idSchema });

/** One amount of X4, in whole Rappen; null clears it. */
const amountSchema = z
  .number({
    error: ({ input }) =>
      input === undefined ? 'is required; null clears it.' : 'must be a number or null.',
  })
  .min(0, 'must not be negative.')
  .max(chfFromRappen(amountMaxRappen), 'must be at most 999999999.99.')
  .transform((chf, check) => {
    try {
      return rappenFromChf(chf);
    } catch {
      check.addIssue('must have at most 2 decimals.');
      return z.NEVER;
    }
  })
  .nullable();

const reasonSchema = stringSchema
  .trim()
  .min(1, 'must not be empty.')
  .pipe(textSchema(reasonMaxLength));

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
    body: z.object({ Text: clearableTextSchema(commentMaxLength) }),
    handler: async ({ db, caller, params, body }) => {
      const claim = await loadClaimFor(db, caller, params.caseId);
      const act = await actNow(db, context.clock, caller.clientId);
      await setExpertComment(db, claim, body.Text, act);
      return undefined;
    },
  });

  operation(app, context, 'X4', {
    params: caseParams,
    body: z.object({ CostEstimateAmount: amountSchema, ApprovedAmount: amountSchema }),
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
    body: z.object({ Reason: reasonSchema }),
    handler: async ({ db, caller, params, body }) => {
      const claim = await loadClaimFor(db, caller, params.caseId);
      await reopenCase(db, claim, body.Reason, await actNow(db, context.clock, caller.clientId));
      return undefined;
    },
  });
}
