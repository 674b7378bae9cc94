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

/** One example for each kind of answer. */
export const answerExamples: Readonly<Record<ComponentName, object>> = {
  Case: { ...record, Insurer: contact('Muster Versicherung AG') },
  Claim: { ...record, Expert: contact('Expertise AG'), LastReportApprovedAt: null },
  ClaimCreationResult: {
    Id: ids.claim,
    ExternalKey: record.ExternalKey,
    Category: 'special',
    Status: 'Created',
    PayloadJson,
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
