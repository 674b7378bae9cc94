import { handedOverSchema, peopleSchema } from '#shared/api/assignment.ts';
import { json, type Requests } from '../requests/requests.ts';

/**
 * The operations that an office gateway adds to the partner API (G1 and G2). The user waits for
 * them.
 */
export function gatewayOperations({ ask }: Requests) {
  return {
    /** G1 */
    listPeople: () => ask('G1', peopleSchema, {}, { priority: 'person' }),
    /** G2. It may be repeated without effect. */
    handOver: (ClientId: string, CaseIds: readonly string[]) =>
      ask('G2', handedOverSchema, { body: json({ ClientId, CaseIds }) }, { priority: 'person' }),
  };
}
