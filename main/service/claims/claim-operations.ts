import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { categories, type Category } from '#shared/api/case-words.ts';
import { validationTitle } from '#shared/api/problem.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import { validatePayload } from '#shared/payload/validate.ts';
import { actNow } from './change-claim.ts';
import type { ServiceContext } from '../context.ts';
import { operation } from '../../front/operation.ts';
import { Problem } from '../../front/problem.ts';
import { createClaim } from './create-claim.ts';
import { answerList, readClaim, loadClaimFor } from './find-claims.ts';
import {
  claimListQuery,
  idSchema,
  amountsBody,
  caseListQuery,
  expertCommentBody,
  reopenBody,
} from '../../front/request-schemas.ts';
import { reopenCase, setAmounts, setExpertComment } from './case-acts.ts';

const caseParams = z.object({ caseId: idSchema });

/**
 * The body of I2 and I3. `readCreation` checks the members, because each has a separate problem
 * title.
 */
const creationSchema = z.object(
  {
    Category: z
      .unknown()
      .optional()
      .meta({ type: 'string', enum: [...categories] }),
    PayloadJson: z
      .unknown()
      .optional()
      .meta({ type: 'string', description: "JSON text of the category's payload" }),
  },
  { error: 'must be a JSON object.' },
);

/** Mounts the operations on records: the insurer's I1 to I4, the expert's X1 to X5. */
// oxlint-disable-next-line max-lines-per-function -- one entry for each operation on a claim
export function mountClaimOperations(app: FastifyInstance, context: ServiceContext): void {
  const messagesOn = (category: Category, payload: object): string[] =>
    validatePayload(category, payload, zurichDay(context.clock.now()));

  operation(app, context, 'I1', {
    query: claimListQuery,
    handler: ({ caller, query }) => answerList(context, caller, query),
  });

  operation(app, context, 'I2', {
    body: creationSchema,
    handler: async ({ db, caller, body }) => {
      const { category, payloadJson, payload } = readCreation(body);
      const messages = messagesOn(category, payload);
      if (messages.length > 0) {
        throw new Problem(validationTitle, 'The payload does not keep to its category.', {
          errors: { PayloadJson: messages },
        });
      }
      const claim = await createClaim(
        db,
        {
          id: randomUUID(),
          category,
          payloadJson,
          insurerOrganizationId: caller.organizationId,
        },
        await actNow(db, context.clock, caller.clientId),
      );
      return {
        Id: claim.id,
        ExternalKey: claim.external_key,
        Category: claim.category,
        Status: claim.status,
        PayloadJson: payloadJson,
      };
    },
  });

  operation(app, context, 'I3', {
    body: creationSchema,
    handler: ({ body }) => {
      const { category, payload } = readCreation(body);
      const messages = messagesOn(category, payload);
      return messages.length === 0
        ? { Valid: true }
        : { Valid: false, Errors: { PayloadJson: messages } };
    },
  });

  operation(app, context, 'I4', {
    params: z.object({ claimId: idSchema }),
    handler: ({ db, caller, params }) => readClaim(db, caller, params.claimId),
  });

  operation(app, context, 'X1', {
    query: caseListQuery,
    handler: ({ caller, query }) => answerList(context, caller, query),
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

interface Creation {
  readonly category: Category;
  readonly payloadJson: string;
  readonly payload: object;
}

/** @throws {Problem} invalid_category, invalid_payload */
function readCreation(body: z.output<typeof creationSchema>): Creation {
  const category = categories.find((name) => name === body.Category);
  if (!category) {
    const allowed = `must be one of: ${categories.join(', ')}.`;
    throw new Problem('invalid_category', `Category ${allowed}`, {
      errors: { Category: [allowed] },
    });
  }
  const { PayloadJson: payloadJson } = body;
  if (payloadJson === undefined || payloadJson === null || payloadJson === '') {
    throw invalidPayload('is required.');
  }
  // A text with a lone surrogate could not be stored and returned byte for byte.
  if (typeof payloadJson !== 'string' || !payloadJson.isWellFormed()) {
    throw invalidPayload('must be JSON text.');
  }
  const payload = parseJson(payloadJson);
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw invalidPayload('must be the JSON text of an object.');
  }
  return { category, payloadJson, payload };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidPayload('must be JSON text.');
  }
}

function invalidPayload(message: string): Problem {
  return new Problem('invalid_payload', `PayloadJson ${message}`, {
    errors: { PayloadJson: [message] },
  });
}
