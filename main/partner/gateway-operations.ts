import { handedOverSchema, peopleSchema } from '#shared/api/assignment.ts';
import { json, type Requests } from './requests.ts';

/** What an office gateway adds to the partner API (G1 and G2), for a user who waits. */
export function gatewayOperations({ ask }: Requests) {
  return {
    /** G1 */
    listPeople: () => ask('G1', peopleSchema, {}, { priority: 'person' }),
    /** G2. A repetition changes nothing. */
    handOver: (ClientId: string, CaseIds: readonly string[]) =>
      ask('G2', handedOverSchema, { body: json({ ClientId, CaseIds }) }, { priority: 'person' }),
  };
}
