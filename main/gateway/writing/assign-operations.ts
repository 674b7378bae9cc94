import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import {
  gatewayRoutes,
  handedOverSchema,
  handOverSchema,
  peopleSchema,
  type GatewayOperationId,
} from '#shared/api/assignment.ts';
import { admitTo, findCaller, type Caller } from '../../front/admit.ts';
import { answer, json } from '../../front/openapi/document.ts';
import { jsonSchemaOf, parameterRef, problemRef } from '../../front/openapi/shared-parts.ts';
import { parseBody } from '../../front/parse-request.ts';
import { Problem } from '../../front/problem.ts';
import { recordAudit, recordOutcome } from './audit.ts';
import type { GatewayContext } from '../context.ts';
import { isDispatcher } from '../reading/find-cases.ts';
import { handOverCase } from '../reading/store-cases.ts';

/** The limit suffices for two hundred ids, even if they are longer than UUIDs. */
const bodyLimit = 64 * 1024;

/** Mounts G1 and G2, with which a dispatcher's desk assigns cases. */
export function mountAssignOperations(app: FastifyInstance, context: GatewayContext): void {
  const mount = (
    id: GatewayOperationId,
    handler: (request: FastifyRequest, caller: Caller) => Promise<object>,
  ) => {
    const { method, path: url } = gatewayRoutes[id];
    app.route({
      method,
      url,
      bodyLimit,
      onRequest: (request) => admitTo(context, gatewayRoutes[id], request),
      handler: (request) => {
        const caller = findCaller(request);
        if (!caller) throw new Problem('unauthorized', 'the request has no caller');
        return handler(request, caller);
      },
    });
  };

  mount('G1', async (_request, caller): Promise<z.output<typeof peopleSchema>> => {
    const MayAssign = await isDispatcher(context, caller);
    const people = MayAssign
      ? await activeClients(context).orderBy('name').orderBy('client_id').execute()
      : [];
    const Items = people.map(({ client_id: ClientId, name: Name }) => ({ ClientId, Name }));
    return { MayAssign, Visibility: context.visibility, Items };
  });

  mount('G2', async (request, caller): Promise<z.output<typeof handedOverSchema>> => {
    if (!(await isDispatcher(context, caller))) {
      const detail = 'this client may not assign cases; who runs the gateway can allow it';
      throw new Problem('forbidden', detail);
    }
    const { ClientId: clientId, CaseIds } = parseBody(handOverSchema, request);
    const person = await activeClients(context)
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    if (!person) throw new Problem('not_found', 'There is no such client.');
    const Items: z.output<typeof handedOverSchema>['Items'] = [];
    for (const caseId of new Set(CaseIds)) {
      const change = { caseId, clientId, dispatcher: caller.clientId, correlationId: request.id };
      Items.push({ CaseId: caseId, IsAssigned: await handOver(context, change) });
    }
    return { Items };
  });
}

const activeClients = ({ db }: GatewayContext) =>
  db.selectFrom('clients').select(['client_id', 'name']).where('revoked_at', 'is', null);

interface HandOver {
  readonly caseId: string;
  readonly clientId: string;
  readonly dispatcher: string;
  readonly correlationId: string;
}

/**
 * Assigns a case. The line is in the audit before it is carried out. @returns false if there is no
 * such case
 */
async function handOver(
  context: GatewayContext,
  { caseId, clientId, dispatcher, correlationId }: HandOver,
): Promise<boolean> {
  const { db, clock } = context;
  const id = await recordAudit(context, {
    clientId: dispatcher,
    operation: 'hand_over',
    subject: `${caseId} ${clientId}`,
    status: null,
    correlationId,
  });
  const isAssigned = await handOverCase(db, clock, { caseId, clientId });
  await recordOutcome(db, id, isAssigned ? 200 : 404);
  return isAssigned;
}

const described = {
  tags: ['experts'],
  security: [{ dpop: [], proof: [] }],
  parameters: [parameterRef('CorrelationId')],
};
const refusals = (...statuses: number[]) =>
  Object.fromEntries(statuses.map((status) => [status, problemRef(status)]));
const success = (schema: z.ZodType) => answer('Success.', json(jsonSchemaOf(schema, 'output')));

/** G1 and G2 in the OpenAPI document. */
export const assignmentPaths = {
  [gatewayRoutes.G1.path]: {
    get: {
      operationId: 'listPeople',
      summary: 'Whether the client may assign cases, and to whom (G1)',
      description:
        'Nobody is named to a client that may not. With `assigned`, a client sees its own cases alone.',
      ...described,
      responses: { 200: success(peopleSchema), ...refusals(400, 401, 403, 429, 500) },
    },
  },
  [gatewayRoutes.G2.path]: {
    put: {
      operationId: 'handOverCases',
      summary: 'Give cases to one person, and take them from everybody else (G2)',
      description: 'For dispatchers alone. A repetition changes nothing.',
      ...described,
      requestBody: { required: true, content: json(jsonSchemaOf(handOverSchema, 'input')) },
      responses: { 200: success(handedOverSchema), ...refusals(400, 401, 403, 404, 429, 500) },
    },
  },
};
