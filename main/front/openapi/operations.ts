import { clientAssertionType } from '#shared/api/token.ts';
import { validationTitle, type ProblemTitle } from '#shared/api/problem.ts';
import type { OperationId } from '#shared/api/routes.ts';
import type { ComponentName } from './shared-parts.ts';

export interface OperationDescription {
  /** The operationId, from which generators name the method. */
  readonly name: string;
  readonly summary: string;
  /**
   * The purpose of the operation and its rules, in Markdown. Limits and refusals are added from the
   * route.
   */
  readonly text: string;
  /** The titles with which it may refuse, in addition to those that every operation has. */
  readonly refuses?: readonly ProblemTitle[];
  /** The answer of a success; absent for 204. */
  readonly answer?: { readonly one: ComponentName } | { readonly pageOf: ComponentName };
  /**
   * The members of the body that the schema cannot require, because each has a separate refusal.
   */
  readonly requires?: readonly string[];
  /** An example of a body that the operation accepts. */
  readonly example?: object;
  /** The ids in the answer that fill the paths of other operations: parameter to JSON pointer. */
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

const upTo50Mb =
  'At most 50 MB decoded. The content must begin with the signature of its ContentType; text has none.';
const page =
  'A page of the list: `page` counts from 1, a larger `size` than 200 is lowered to 200 and `Size` says so.';
/** Swagger UI shows this text in the description of the operation. */
const walk = [
  '**Walks.** Pages have numbers: a record that changes while you walk over them moves to another page, and another record can be missed.',
  'So follow changes with `lastChangedSince`: walk all pages, then start again at page 1 from the highest `LastChangedAt` that you received, until a walk brings nothing that has changed.',
  'The comparison is inclusive, so the last record comes again: store by `Id`.',
].join(' ');
const filters =
  'Filters: `status`, `category`, `q` (every word must occur in the ExternalKey or in a value of the payload), `createdFrom`, `createdTo`, `completedFrom`, `completedTo`. With `lastChangedSince` the oldest change comes first, otherwise the newest record.';
const open =
  'The case must be open for work: Accepted, InProgress, ExpertCompleted, AdminApproved or AdminReturned.';
const repeated =
  'Send an `Idempotency-Key`: if no answer comes, repeat the request with the same key and body; it is carried out once.';

/** The description of each operation. */
export const descriptions: Record<OperationId, OperationDescription> = {
  token: {
    name: 'getToken',
    summary: 'Get an access token',
    text: 'OAuth 2.0 client credentials with a client assertion (RFC 7523) and a DPoP proof (RFC 9449); see "Sign-in" above. The token lives for `expires_in` seconds; reuse it. The body of a refusal names the reason in `error` and `error_description`.',
    refuses: ['invalid_client', 'invalid_dpop', 'unsupported_grant_type', 'invalid_scope'],
    answer: { one: 'TokenResponse' },
    example: {
      grant_type: 'client_credentials',
      client_id: '<CLIENT_ID>',
      client_assertion_type: clientAssertionType,
      client_assertion: '<CLIENT_ASSERTION_JWT>',
    },
  },
  I1: {
    name: 'listClaims',
    summary: 'List claims',
    text: `Your organization's claims. ${page} ${filters} \`lastReportApprovedSince\` finds claims of which a report was approved since.\n\n${walk}`,
    answer: { pageOf: 'Claim' },
    gives: { claimId: firstItem },
  },
  I2: {
    name: 'createClaim',
    summary: 'Create a claim',
    text: `PayloadJson is the claim as JSON text and must match the schema of its Category (\`/v1/schemas/claims/{category}.json\`) and the rules for dates; a refusal names every fault by its path. Validate first with validateClaim. ${repeated}`,
    refuses: ['invalid_category', 'invalid_payload', validationTitle],
    answer: { one: 'ClaimCreationResult' },
    requires: ['Category', 'PayloadJson'],
    example: creation,
    gives: { claimId: '/Id' },
  },
  I3: {
    name: 'validateClaim',
    summary: 'Validate a claim payload',
    text: 'Takes the body of createClaim and stores nothing. Needs no token. `Valid` is false if the payload breaks a rule of its category, and `Errors` names every fault; an unknown Category, or a PayloadJson that is no JSON object, is refused.',
    refuses: ['invalid_category', 'invalid_payload'],
    answer: { one: 'ValidationResult' },
    requires: ['Category', 'PayloadJson'],
    example: creation,
  },
  I4: {
    name: 'getClaim',
    summary: 'Read a claim',
    text: 'One claim with its payload, its amounts and the expert organization, which is null until it is assigned.',
    answer: { one: 'Claim' },
  },
  I5: {
    name: 'listClaimDocuments',
    summary: 'List the documents of a claim',
    text: `The documents without their contents. ${page}`,
    answer: { pageOf: 'Document' },
    gives: { documentId: firstItem },
  },
  I6: {
    name: 'uploadClaimDocument',
    summary: 'Upload a document to a claim',
    text: `The expert can read it at once. ${upTo50Mb} ${repeated} A body over 16 MB is not stored for a repetition: look for the document before you send it again.`,
    refuses: [
      'invalid_document',
      'unsupported_content_type',
      'size_limit_exceeded',
      'invalid_state',
    ],
    answer: { one: 'Document' },
    example: upload,
    gives: { documentId: '/Id' },
  },
  I7: {
    name: 'getClaimDocument',
    summary: 'Read a document of a claim',
    text: 'One document with its content, in base64.',
    answer: { one: 'DocumentWithContent' },
  },
  I8: {
    name: 'listClaimReports',
    summary: 'List the reports of a claim',
    text: `Every submission that is not a draft. ${page}`,
    answer: { pageOf: 'Report' },
    gives: { submissionId: firstItem },
  },
  I9: {
    name: 'listClaimReportDocuments',
    summary: 'List the documents of a report',
    text: `The documents with their contents: ask for few at a time (\`size\`). ${page}`,
    answer: { pageOf: 'SubmissionDocumentWithContent' },
  },
  X1: {
    name: 'listCases',
    summary: 'List cases',
    text: `The cases that are assigned to your organization. ${page} ${filters} \`inspectionType\` filters by the payload's.\n\n${walk}`,
    answer: { pageOf: 'Case' },
    gives: { caseId: firstItem },
  },
  X2: {
    name: 'getCase',
    summary: 'Read a case',
    text: 'One case with its payload, its amounts and the insurer.',
    answer: { one: 'Case' },
  },
  X3: {
    name: 'setExpertComment',
    summary: 'Set the expert comment',
    text: `Replaces the comment, of at most 4,000 characters; an empty, null or absent Text clears it. ${open}`,
    refuses: ['invalid_state'],
    example: { Text: 'Economic total loss.' },
  },
  X4: {
    name: 'setAmounts',
    summary: 'Set the cost amounts',
    text: `Replaces both amounts, in CHF with at most two decimals: both members must be there, and null clears. ${open}`,
    refuses: ['invalid_state'],
    example: { CostEstimateAmount: 4200.5, ApprovedAmount: null },
  },
  X5: {
    name: 'reopenCase',
    summary: 'Reopen a closed case',
    text: `A case in the state Final goes back to InProgress; the Reason, of 1 to 4,000 characters, is recorded. ${repeated}`,
    refuses: ['invalid_state'],
    example: { Reason: 'A supplement has arrived.' },
  },
  X6: {
    name: 'listCaseDocuments',
    summary: 'List the documents of a case',
    text: `The documents without their contents. ${page}`,
    answer: { pageOf: 'Document' },
    gives: { documentId: firstItem },
  },
  X7: {
    name: 'getCaseDocument',
    summary: 'Read a document of a case',
    text: 'One document with its content, in base64.',
    answer: { one: 'DocumentWithContent' },
  },
  X8: {
    name: 'createReportDraft',
    summary: 'Open a draft of a report submission',
    text: `A case has at most one draft: a second one is invalid_state. Add documents with uploadReportDocument, then submitReport. ${open} ${repeated}`,
    refuses: ['invalid_state'],
    answer: { one: 'Submission' },
    example: comment,
    gives: { submissionId: '/Id' },
  },
  X9: {
    name: 'updateReportDraft',
    summary: 'Change the draft of a report submission',
    text: `Replaces the comment of the case's open draft. ${open}`,
    refuses: ['invalid_state'],
    answer: { one: 'Submission' },
    example: comment,
  },
  X10: {
    name: 'listCaseReports',
    summary: 'List the reports of a case',
    text: `Every submission of the case, its draft too. ${page}`,
    answer: { pageOf: 'Report' },
    gives: { submissionId: firstItem },
  },
  X11: {
    name: 'getReport',
    summary: 'Read a report submission',
    text: 'One submission of the case.',
    answer: { one: 'Submission' },
  },
  X12: {
    name: 'listReportDocuments',
    summary: 'List the documents of a report submission',
    text: `The documents with their contents: ask for few at a time (\`size\`). ${page}`,
    answer: { pageOf: 'SubmissionDocumentWithContent' },
    gives: { docId: firstItem },
  },
  X13: {
    name: 'uploadReportDocument',
    summary: 'Upload a document to a report submission',
    text: `Only into a draft. ${upTo50Mb} ${open} ${repeated} A body over 16 MB is not stored for a repetition: look for the document (listReportDocuments) before you send it again.`,
    refuses: [
      'invalid_document',
      'unsupported_content_type',
      'size_limit_exceeded',
      'invalid_state',
    ],
    answer: { one: 'SubmissionDocument' },
    example: { ...upload, IsSalvageSale: false },
    gives: { docId: '/Id' },
  },
  X14: {
    name: 'deleteReportDocument',
    summary: 'Delete a document of a report submission',
    text: `Only from a draft. ${open}`,
    refuses: ['invalid_state'],
  },
  X15: {
    name: 'submitReport',
    summary: 'Submit a report',
    text: `A draft with at least one document becomes Submitted, and its case ExpertCompleted. ${open} ${repeated}`,
    refuses: ['invalid_state', 'missing_documents'],
    answer: { one: 'Submission' },
  },
};
