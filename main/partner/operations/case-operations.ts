import type { Amounts } from '#shared/desk/cases/amounts.ts';
import { chfOrNull } from '#shared/lib/money.ts';
import { caseAnswer, documentAnswer, tolerantPageAnswer } from '../answers/answers.ts';
import type { DeliveryOptions, RequestOptions } from '../requests/call.ts';
import { documentCall, type Sink } from '../requests/content-calls.ts';
import { about, json, type Paging, queryOf, type Requests } from '../requests/requests.ts';

const casePage = tolerantPageAnswer(caseAnswer);
const documentPage = tolerantPageAnswer(documentAnswer);

/** The operations on cases and their documents (X1 to X7). */
export function caseOperations({ ask, call, change }: Requests) {
  return {
    /** X1. @param query.lastChangedSince ISO 8601; the comparison is greater than or equal */
    listCases: (query: Paging & { lastChangedSince?: string }, request?: RequestOptions) =>
      ask('X1', casePage, { query: queryOf(query) }, request),
    /** X2 */
    getCase: (caseId: string, request?: RequestOptions) =>
      ask('X2', about(caseId, caseAnswer), { params: { caseId } }, request),
    /** X3 */
    putComment: (caseId: string, text: string, delivery?: DeliveryOptions) =>
      change('X3', { params: { caseId }, body: json({ Text: text }) }, delivery),
    /** X4. The amounts are in whole Rappen. */
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
     * X7. The content is passed to `sink` decoded, while it arrives. The bytes are reused after the
     * sink has resolved. It rejects if the answer breaks off or does not match the schema.
     */
    fetchDocument(caseId: string, documentId: string, sink: Sink, request?: RequestOptions) {
      return call(documentCall(caseId, documentId, sink), request);
    },
  };
}
