import type { Amounts } from '#shared/desk/amounts.ts';
import { chfOrNull } from '#shared/lib/money.ts';
import { caseAnswer, documentAnswer, tolerantPageAnswer } from './answers.ts';
import type { DeliveryOptions, RequestOptions } from './call.ts';
import { documentCall, type Sink } from './content-calls.ts';
import { about, json, type Paging, queryOf, type Requests } from './requests.ts';

const casePage = tolerantPageAnswer(caseAnswer);
const documentPage = tolerantPageAnswer(documentAnswer);

/** The operations on cases and their documents (X1 to X7). */
export function caseOperations({ ask, call, change }: Requests) {
  return {
    /** X1. @param query.lastChangedSince ISO 8601; greater than or equal */
    listCases: (query: Paging & { lastChangedSince?: string }, request?: RequestOptions) =>
      ask('X1', casePage, { query: queryOf(query) }, request),
    /** X2 */
    getCase: (caseId: string, request?: RequestOptions) =>
      ask('X2', about(caseId, caseAnswer), { params: { caseId } }, request),
    /** X3 */
    putComment: (caseId: string, text: string, delivery?: DeliveryOptions) =>
      change('X3', { params: { caseId }, body: json({ Text: text }) }, delivery),
    /** X4, whole Rappen */
    putAmounts: (
      caseId: string,
      { costEstimateRappen, approvedRappen }: Amounts,
      delivery?: DeliveryOptions,
    ) => {
      const body = json({
        CostEstimateAmount: chfOrNull(costEstimateRappen),
        ApprovedAmount: chfOrNull(approvedRappen),
      });
      return change('X4', { params: { caseId }, body }, delivery);
    },
    /** X5 */
    reopen: (caseId: string, reason: string, delivery?: DeliveryOptions) =>
      change('X5', { params: { caseId }, body: json({ Reason: reason }) }, delivery),
    /** X6 */
    listDocuments: (caseId: string, page: Paging, request?: RequestOptions) =>
      ask('X6', documentPage, { params: { caseId }, query: queryOf(page) }, request),

    /**
     * X7. The content is passed to `sink` decoded, as it arrives, in bytes that are reused once it has
     * resolved. Rejects if the answer breaks off or is not what the schema promises.
     */
    fetchDocument(caseId: string, documentId: string, sink: Sink, request?: RequestOptions) {
      return call(documentCall(caseId, documentId, sink), request);
    },
  };
}
