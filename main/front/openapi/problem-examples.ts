import { problemStatus, validationTitle, type ProblemTitle } from '#shared/api/problem.ts';

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
 * A problem document for each of these titles, by title.
 * @param isOauth whether to add the members of RFC 6749 section 5.2
 */
export function problemExamples(titles: readonly ProblemTitle[], isOauth: boolean) {
  return Object.fromEntries(
    titles.map((title) => {
      const detail = sentences[title];
      const value = {
        type: 'about:blank',
        title,
        status: problemStatus[title],
        detail,
        instance: '5d3ee8a2-1c39-4cf5-9a0f-3f6a1f1f1f10',
        ...(errors[title] && { errors: errors[title] }),
        ...(isOauth && { error: title, error_description: detail }),
      };
      return [title.replaceAll(/\W+/g, '_').replace(/_$/, ''), { value }];
    }),
  );
}
