import { submissionAnswer, tolerantPageAnswer, uploadAnswer } from '../answers/answers.ts';
import type { DeliveryOptions, RequestOptions } from '../requests/call.ts';
import {
  type Sink,
  submissionDocumentCall,
  submissionDocumentsCall,
} from '../requests/content-calls.ts';
import { uploadBody, type UploadSource } from '../answers/document-bodies.ts';
import { about, json, type Paging, queryOf, type Requests } from '../requests/requests.ts';

const submissionPage = tolerantPageAnswer(submissionAnswer);

/** The operations on reports and their documents (X8 to X15). */
export function reportOperations({ ask, call, change }: Requests) {
  return {
    /** X8 */
    createDraft: (caseId: string, comment: string, delivery?: DeliveryOptions) => {
      const values = { params: { caseId }, body: json({ Comment: comment }) };
      return ask('X8', submissionAnswer, values, delivery);
    },
    /** X9. It changes the one open draft of the case. */
    updateDraft: (caseId: string, comment: string, delivery?: DeliveryOptions) => {
      const values = { params: { caseId }, body: json({ Comment: comment }) };
      return ask('X9', submissionAnswer, values, delivery);
    },
    /** X10 */
    listReports: (caseId: string, page: Paging, request?: RequestOptions) =>
      ask('X10', submissionPage, { params: { caseId }, query: queryOf(page) }, request),
    /** X11 */
    getReport: (caseId: string, submissionId: string, request?: RequestOptions) =>
      ask(
        'X11',
        about(submissionId, submissionAnswer),
        { params: { caseId, submissionId } },
        request,
      ),

    /** X12. The contents are hashed, not stored. One document per page limits the memory. */
    listSubmissionDocuments: (submissionId: string, page: Paging, request?: RequestOptions) =>
      call(submissionDocumentsCall(submissionId, page), request),
    /**
     * X12 for the document at one place of the list. Its content is passed on as in
     * `fetchDocument`; it is null if the partner returns none.
     */
    fetchSubmissionDocument: (
      submissionId: string,
      place: number,
      sink: Sink,
      request?: RequestOptions,
    ) => call(submissionDocumentCall(submissionId, place, sink), request),

    /** X13 */
    uploadDocument: (submissionId: string, source: UploadSource, delivery?: DeliveryOptions) => {
      const body = () => uploadBody(source, delivery?.onProgress);
      return ask('X13', uploadAnswer, { params: { submissionId }, body }, delivery);
    },
    /** X14 */
    deleteSubmissionDocument: (submissionId: string, docId: string, delivery?: DeliveryOptions) =>
      change('X14', { params: { submissionId, docId } }, delivery),
    /** X15 */
    submit: (submissionId: string, delivery?: DeliveryOptions) =>
      ask('X15', submissionAnswer, { params: { submissionId } }, delivery),
  };
}
