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
const upload = { FileName: 'a.txt', ContentType: 'text/plain', ContentBase64: 'YQ==' };
const since = new Date(0).toISOString();

const token = await call('token', {
  body: {
    grant_type: 'client_credentials',
    client_id: 'client',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: 'jwt',
  },
});
export const accessToken: string = token.access_token;

const claims = await call('I1', {
  query: { page: 1, size: 50, lastChangedSince: since, lastReportApprovedSince: since },
});
export const approvedAt: (string | null)[] = claims.Items.map((claim) => claim.LastReportApprovedAt);
const created = await call('I2', { body: { Category: 'special', PayloadJson: '{}' } });
export const externalKey: string = created.ExternalKey;
const validation = await call('I3', { body: { Category: 'special', PayloadJson: '{}' } });
export const messages: string[] = validation.Errors?.['PayloadJson'] ?? [];
const claim = await call('I4', { path: { claimId: id } });
export const expertName: string | undefined = claim.Expert?.Name;
const documents = await call('I5', { path: { claimId: id }, query: { page: 2 } });
export const total: number = documents.Total;
const added = await call('I6', { path: { claimId: id }, body: upload });
export const sizeBytes: number = added.SizeBytes;
const document = await call('I7', { path: { claimId: id, documentId: id } });
export const content: string = document.ContentBase64;
const reports = await call('I8', { path: { claimId: id } });
export const revisions: number[] = reports.Items.map((report) => report.RevisionNo);
const reportDocuments = await call('I9', {
  path: { claimId: id, submissionId: id },
  query: { lang: 'de' },
});
export const kinds: string[] = reportDocuments.Items.map(({ Kind }) => Kind);

const cases = await call('X1', {
  query: { status: 'Accepted', category: 'fraud', q: 'Hagel', createdFrom: since, size: 200 },
});
export const savings: (number | null)[] = cases.Items.map((item) => item.SavingsAmount);
const one = await call('X2', { path: { caseId: id } });
export const phone: string = one.Insurer.Responsible.Phone;
await call('X3', { path: { caseId: id }, body: { Text: null } });
await call('X4', { path: { caseId: id }, body: { CostEstimateAmount: 12.5, ApprovedAmount: null } });
await call('X5', { path: { caseId: id }, body: { Reason: 'supplement' } });
await call('X6', { path: { caseId: id } });
await call('X7', { path: { caseId: id, documentId: id } });
const draft = await call('X8', { path: { caseId: id } });
export const submittedAt: string | null = draft.SubmittedAt;
const changed = await call('X9', { path: { caseId: id }, body: { Comment: 'text' } });
export const sequenceNo: number = changed.SequenceNo;
await call('X10', { path: { caseId: id } });
await call('X11', { path: { caseId: id, submissionId: id } });
await call('X12', { path: { submissionId: id } });
const report = await call('X13', {
  path: { submissionId: id },
  body: { ...upload, IsSalvageSale: null },
});
export const isSalvageSale: boolean = report.IsSalvageSale;
await call('X14', { path: { submissionId: id, docId: id } });
const submitted = await call('X15', { path: { submissionId: id } });
export const status: 'Draft' | 'Submitted' | 'Approved' | 'Returned' | 'Cancelled' = submitted.Status;

// @ts-expect-error a page is a number
await call('X1', { query: { page: '1' } });
`;
