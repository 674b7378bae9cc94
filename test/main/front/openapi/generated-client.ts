/**
 * A use of every operation in TypeScript, with the `api.ts` of a generator. A text, because that file
 * exists only while the test runs.
 */
export const usesOfEveryOperation = `
import type { operations } from './api.ts';

type Body<Operation> = Operation extends { requestBody?: { content: infer Content } }
  ? Content[keyof Content]
  : undefined;
type Answer<Operation> = Operation extends {
  responses: { 200?: { content: { 'application/json': infer Json } } };
}
  ? Json
  : Operation extends { responses: { 201: { content: { 'application/json': infer Json } } } }
    ? Json
    : undefined;
type Part<Operation, Name extends 'path' | 'query'> = Operation extends {
  parameters: { [Key in Name]?: infer Value };
}
  ? Value
  : never;

declare function call<Id extends keyof operations>(
  id: Id,
  input: {
    path?: Part<operations[Id], 'path'>;
    query?: Part<operations[Id], 'query'>;
    body?: Body<operations[Id]>;
  },
): Promise<Answer<operations[Id]>>;

const id = '8b0d4b2e-6f6a-4b6e-9d6b-0c1f0e2d3a4b';
const upload = { FileName: 'a.txt', ContentType: 'text/plain' as const, ContentBase64: 'YQ==' };
const since = new Date(0).toISOString();

const token = await call('getToken', {
  body: {
    grant_type: 'client_credentials',
    client_id: 'client',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: 'jwt',
  },
});
export const accessToken: string = token.access_token;

const claims = await call('listClaims', {
  query: { page: 1, size: 50, lastChangedSince: since, lastReportApprovedSince: since },
});
export const approvedAt: (string | null)[] = claims.Items.map((claim) => claim.LastReportApprovedAt);
const created = await call('createClaim', { body: { Category: 'special', PayloadJson: '{}' } });
export const externalKey: string = created.ExternalKey;
const validation = await call('validateClaim', { body: { Category: 'special', PayloadJson: '{}' } });
export const messages: string[] = validation.Errors?.['PayloadJson'] ?? [];
const claim = await call('getClaim', { path: { claimId: id } });
export const expertName: string | undefined = claim.Expert?.Name;
const documents = await call('listClaimDocuments', { path: { claimId: id }, query: { page: 2 } });
export const total: number = documents.Total;
const added = await call('uploadClaimDocument', { path: { claimId: id }, body: upload });
export const sizeBytes: number = added.SizeBytes;
const document = await call('getClaimDocument', { path: { claimId: id, documentId: id } });
export const content: string = document.ContentBase64;
const reports = await call('listClaimReports', { path: { claimId: id } });
export const revisions: number[] = reports.Items.map((report) => report.RevisionNo);
const reportDocuments = await call('listClaimReportDocuments', {
  path: { claimId: id, submissionId: id },
  query: { lang: 'de' },
});
export const kinds: string[] = reportDocuments.Items.map(({ Kind }) => Kind);

const cases = await call('listCases', {
  query: { status: 'Accepted', category: 'fraud', q: 'Hagel', createdFrom: since, size: 200 },
});
export const savings: (number | null)[] = cases.Items.map((item) => item.SavingsAmount);
const one = await call('getCase', { path: { caseId: id } });
export const phone: string = one.Insurer.Responsible.Phone;
await call('setExpertComment', { path: { caseId: id }, body: { Text: null } });
await call('setAmounts', { path: { caseId: id }, body: { CostEstimateAmount: 12.5, ApprovedAmount: null } });
await call('reopenCase', { path: { caseId: id }, body: { Reason: 'supplement' } });
await call('listCaseDocuments', { path: { caseId: id } });
await call('getCaseDocument', { path: { caseId: id, documentId: id } });
const draft = await call('createReportDraft', { path: { caseId: id } });
export const submittedAt: string | null = draft.SubmittedAt;
const changed = await call('updateReportDraft', { path: { caseId: id }, body: { Comment: 'text' } });
export const sequenceNo: number = changed.SequenceNo;
await call('listCaseReports', { path: { caseId: id } });
await call('getReport', { path: { caseId: id, submissionId: id } });
await call('listReportDocuments', { path: { submissionId: id } });
const report = await call('uploadReportDocument', {
  path: { submissionId: id },
  body: { ...upload, IsSalvageSale: null },
});
export const isSalvageSale: boolean = report.IsSalvageSale;
await call('deleteReportDocument', { path: { submissionId: id, docId: id } });
const submitted = await call('submitReport', { path: { submissionId: id } });
export const status: 'Draft' | 'Submitted' | 'Approved' | 'Returned' | 'Cancelled' = submitted.Status;

// @ts-expect-error a page is a number
await call('listCases', { query: { page: '1' } });
`;
