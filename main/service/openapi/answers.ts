import type { OperationId } from '#shared/api/routes.ts';

/** A schema of `components.ts`, by its name. */
export type ComponentName =
  | 'Case'
  | 'Claim'
  | 'ClaimCreationResult'
  | 'ValidationResult'
  | 'Document'
  | 'DocumentWithContent'
  | 'Submission'
  | 'Report'
  | 'SubmissionDocument'
  | 'SubmissionDocumentWithContent'
  | 'TokenResponse';

export interface AnswerDescription {
  readonly summary: string;
  /** What a success answers with; absent for 204. */
  readonly answer?: { readonly one: ComponentName } | { readonly pageOf: ComponentName };
}

/** What each operation does and answers with. */
export const answers: Record<OperationId, AnswerDescription> = {
  token: { summary: 'Get an access token', answer: { one: 'TokenResponse' } },
  I1: { summary: 'List claims', answer: { pageOf: 'Claim' } },
  I2: { summary: 'Create a claim', answer: { one: 'ClaimCreationResult' } },
  I3: { summary: 'Validate a claim payload', answer: { one: 'ValidationResult' } },
  I4: { summary: 'Read a claim', answer: { one: 'Claim' } },
  I5: { summary: 'List the documents of a claim', answer: { pageOf: 'Document' } },
  I6: { summary: 'Upload a document to a claim', answer: { one: 'Document' } },
  I7: { summary: 'Read a document of a claim', answer: { one: 'DocumentWithContent' } },
  I8: { summary: 'List the reports of a claim', answer: { pageOf: 'Report' } },
  I9: {
    summary: 'List the documents of a report',
    answer: { pageOf: 'SubmissionDocumentWithContent' },
  },
  X1: { summary: 'List cases', answer: { pageOf: 'Case' } },
  X2: { summary: 'Read a case', answer: { one: 'Case' } },
  X3: { summary: 'Set the expert comment' },
  X4: { summary: 'Set the cost amounts' },
  X5: { summary: 'Reopen a closed case' },
  X6: { summary: 'List the documents of a case', answer: { pageOf: 'Document' } },
  X7: { summary: 'Read a document of a case', answer: { one: 'DocumentWithContent' } },
  X8: { summary: 'Open a draft of a report submission', answer: { one: 'Submission' } },
  X9: { summary: 'Change the draft of a report submission', answer: { one: 'Submission' } },
  X10: { summary: 'List the reports of a case', answer: { pageOf: 'Report' } },
  X11: { summary: 'Read a report submission', answer: { one: 'Submission' } },
  X12: {
    summary: 'List the documents of a report submission',
    answer: { pageOf: 'SubmissionDocumentWithContent' },
  },
  X13: {
    summary: 'Upload a document to a report submission',
    answer: { one: 'SubmissionDocument' },
  },
  X14: { summary: 'Delete a document of a report submission' },
  X15: { summary: 'Submit a report', answer: { one: 'Submission' } },
};
