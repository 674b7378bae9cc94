import { problemStatus, validationTitle, type ProblemTitle } from '#shared/api/problem.ts';
import type { ComponentName } from './shared-parts.ts';

const ids = {
  claim: '8b0d4b2e-6f6a-4b6e-9d6b-0c1f0e2d3a4b',
  document: '3f1c2d94-3f0e-4a55-8d0b-6a3a4d0f9b11',
  submission: 'c2a7b1de-90f4-4c1c-a7a1-2d3e4f5a6b7c',
};
const at = '2026-03-02T08:15:00.000Z';
const contact = (name: string) => ({
  Name: name,
  Responsible: { Name: 'Anna Muster', Email: 'anna@muster.example', Phone: '+41 44 555 01 10' },
});
const PayloadJson = '{"policyNumber":"P-100200","inspectionType":"estimate_review"}';

const record = {
  Id: ids.claim,
  ExternalKey: 'SF-2026-000399',
  Category: 'special',
  Status: 'InProgress',
  CreatedAt: '2026-03-01T07:00:00.000Z',
  UpdatedAt: at,
  ExpertComment: 'Inspected on site.',
  PayloadJson,
  ArchiveState: false,
  HailDriveInAccepted: false,
  LastChangedAt: at,
  CostEstimateAmount: 4200.5,
  ApprovedAmount: 3900,
  SavingsAmount: 300.5,
};
const document = {
  Id: ids.document,
  FileName: 'notes.txt',
  ContentType: 'text/plain',
  SizeBytes: 32,
  CreatedAt: at,
};
const ContentBase64 = Buffer.from('Front loader: replace both arms.').toString('base64');
const submission = {
  Id: ids.submission,
  ClaimId: ids.claim,
  SequenceNo: 1,
  Status: 'Submitted',
  Comment: 'Inspected on site.',
  SubmittedAt: at,
  CreatedAt: '2026-03-02T08:10:00.000Z',
  UpdatedAt: at,
};
const submissionDocument = {
  ...document,
  SubmissionId: ids.submission,
  ClaimId: ids.claim,
  Kind: 'Report',
  IsSalvageSale: false,
};

/** An answer of each kind. */
export const answerExamples: Readonly<Record<ComponentName, object>> = {
  Case: { ...record, Insurer: contact('Muster Versicherung AG') },
  Claim: { ...record, Expert: contact('Expertise AG'), LastReportApprovedAt: null },
  ClaimCreationResult: {
    ...{ Id: ids.claim, ExternalKey: record.ExternalKey },
    ...{ Category: 'special', Status: 'Created', PayloadJson },
  },
  ValidationResult: {
    Valid: false,
    Errors: {
      PayloadJson: [
        'PayloadJson does not match the required schema for the selected category.',
        'location.city: is required.',
      ],
    },
  },
  Document: document,
  DocumentWithContent: { ...document, ContentBase64 },
  Submission: submission,
  Report: { ...submission, RevisionNo: 1 },
  SubmissionDocument: submissionDocument,
  SubmissionDocumentWithContent: { ...submissionDocument, ContentBase64 },
  TokenResponse: { access_token: '<ACCESS_TOKEN_JWT>', token_type: 'DPoP', expires_in: 300 },
};

const sentences: Readonly<Record<ProblemTitle, string>> = {
  unauthorized: 'the access token has expired',
  invalid_dpop: 'the htu of the proof is not the address of the request',
  invalid_client: 'the aud of the client assertion is not the address of the token endpoint',
  invalid_org_context: 'this operation is for experts',
  forbidden: 'the record belongs to another organization',
  org_without_members: 'the organization of the token has no members',
  not_found: 'there is no such record',
  invalid_category: 'the category is not one of vehicle, appraiser, fraud, special',
  invalid_payload: 'PayloadJson is missing or no JSON object',
  invalid_state: 'the case is closed',
  invalid_document: 'the document cannot be taken',
  missing_documents: 'a report needs at least one document',
  unsupported_content_type: 'the type of the document is not taken',
  size_limit_exceeded: 'the document is larger than 50 MB',
  invalid_request: 'the query is not as expected',
  unsupported_grant_type: 'the grant_type is not client_credentials',
  invalid_scope: 'the scope is malformed',
  [validationTitle]: 'the payload breaks the rules of its category',
  rate_limited: 'the limit of requests is reached',
  upstream_timeout: 'a downstream service did not answer in time',
  upstream_error: 'a downstream service failed',
  internal_error: 'the service failed; the operation was not carried out',
  upstream_unavailable: 'the partner cannot be reached',
};
const errors: Partial<Record<ProblemTitle, Record<string, string[]>>> = {
  invalid_request: { page: ['must be a whole number of 1 or more.'] },
  [validationTitle]: {
    PayloadJson: [
      'PayloadJson does not match the required schema for the selected category.',
      'location.city: is required.',
    ],
  },
};

/**
 * A problem document of each of these titles, by title.
 * @param isOauth with the members of RFC 6749 section 5.2
 */
export function problemExamples(titles: readonly ProblemTitle[], isOauth: boolean) {
  return Object.fromEntries(
    titles.map((title) => {
      const detail = sentences[title];
      const value = {
        ...{ type: 'about:blank', title, status: problemStatus[title], detail },
        instance: '5d3ee8a2-1c39-4cf5-9a0f-3f6a1f1f1f10',
        ...(errors[title] && { errors: errors[title] }),
        ...(isOauth && { error: title, error_description: detail }),
      };
      return [title.replaceAll(/\W+/g, '_').replace(/_$/, ''), { value }];
    }),
  );
}
