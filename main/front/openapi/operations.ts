import { clientAssertionType } from '#shared/api/token.ts';
import type { OperationId } from '#shared/api/routes.ts';
import type { ComponentName } from './shared-parts.ts';

export interface OperationDescription {
  readonly summary: string;
  /** The answer of a success; absent for 204. */
  readonly answer?: { readonly one: ComponentName } | { readonly pageOf: ComponentName };
  /** A body that the operation accepts. */
  readonly example?: object;
  /** Ids in the answer, for the paths of other operations: parameter to JSON pointer. */
  readonly gives?: Readonly<Record<string, string>>;
}

const party = {
  name: 'Noëmi Zürcher',
  phone: '+41 44 555 03 30',
  address: 'Bahnhofstrasse 1',
  postalCode: '8001',
  city: 'Zürich',
};
const creation = {
  Category: 'special',
  PayloadJson: JSON.stringify({
    policyNumber: 'P-100200',
    claimInsurance: 'comprehensive',
    claimType: 'collision',
    machineCategory: 'land_machine',
    machineType: 'tractor',
    insured: { ...party, carMake: 'Fendt' },
    location: { address: party.address, postalCode: party.postalCode, city: party.city },
    incidentDate: '2026-01-15',
    damageDescription: 'Front loader bent after a collision with a gate post.',
    estimatedAmount: 4200.5,
    estimatedCurrency: 'CHF',
    inspectionType: 'estimate_review',
    workshop: { name: 'Landmaschinen AG', phone: '+41 44 555 04 40' },
  }),
};
const comment = { Comment: 'Inspected on site.' };
const upload = {
  FileName: 'notes.txt',
  ContentType: 'text/plain',
  ContentBase64: Buffer.from('Front loader: replace both arms.').toString('base64'),
};
const firstItem = '/Items/0/Id';

/** What each operation does, takes and answers with. */
export const descriptions: Record<OperationId, OperationDescription> = {
  token: {
    summary: 'Get an access token',
    answer: { one: 'TokenResponse' },
    example: {
      grant_type: 'client_credentials',
      client_id: '<CLIENT_ID>',
      client_assertion_type: clientAssertionType,
      client_assertion: '<CLIENT_ASSERTION_JWT>',
    },
  },
  I1: { summary: 'List claims', answer: { pageOf: 'Claim' }, gives: { claimId: firstItem } },
  I2: {
    summary: 'Create a claim',
    answer: { one: 'ClaimCreationResult' },
    example: creation,
    gives: { claimId: '/Id' },
  },
  I3: {
    summary: 'Validate a claim payload',
    answer: { one: 'ValidationResult' },
    example: creation,
  },
  I4: { summary: 'Read a claim', answer: { one: 'Claim' } },
  I5: {
    summary: 'List the documents of a claim',
    answer: { pageOf: 'Document' },
    gives: { documentId: firstItem },
  },
  I6: {
    summary: 'Upload a document to a claim',
    answer: { one: 'Document' },
    example: upload,
    gives: { documentId: '/Id' },
  },
  I7: { summary: 'Read a document of a claim', answer: { one: 'DocumentWithContent' } },
  I8: {
    summary: 'List the reports of a claim',
    answer: { pageOf: 'Report' },
    gives: { submissionId: firstItem },
  },
  I9: {
    summary: 'List the documents of a report',
    answer: { pageOf: 'SubmissionDocumentWithContent' },
  },
  X1: { summary: 'List cases', answer: { pageOf: 'Case' }, gives: { caseId: firstItem } },
  X2: { summary: 'Read a case', answer: { one: 'Case' } },
  X3: { summary: 'Set the expert comment', example: { Text: 'Economic total loss.' } },
  X4: {
    summary: 'Set the cost amounts',
    example: { CostEstimateAmount: 4200.5, ApprovedAmount: null },
  },
  X5: { summary: 'Reopen a closed case', example: { Reason: 'A supplement has arrived.' } },
  X6: {
    summary: 'List the documents of a case',
    answer: { pageOf: 'Document' },
    gives: { documentId: firstItem },
  },
  X7: { summary: 'Read a document of a case', answer: { one: 'DocumentWithContent' } },
  X8: {
    summary: 'Open a draft of a report submission',
    answer: { one: 'Submission' },
    example: comment,
    gives: { submissionId: '/Id' },
  },
  X9: {
    summary: 'Change the draft of a report submission',
    answer: { one: 'Submission' },
    example: comment,
  },
  X10: {
    summary: 'List the reports of a case',
    answer: { pageOf: 'Report' },
    gives: { submissionId: firstItem },
  },
  X11: { summary: 'Read a report submission', answer: { one: 'Submission' } },
  X12: {
    summary: 'List the documents of a report submission',
    answer: { pageOf: 'SubmissionDocumentWithContent' },
    gives: { docId: firstItem },
  },
  X13: {
    summary: 'Upload a document to a report submission',
    answer: { one: 'SubmissionDocument' },
    example: { ...upload, IsSalvageSale: false },
    gives: { docId: '/Id' },
  },
  X14: { summary: 'Delete a document of a report submission' },
  X15: { summary: 'Submit a report', answer: { one: 'Submission' } },
};
