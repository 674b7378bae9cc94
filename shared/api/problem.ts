import { z } from 'zod';

/** RFC 9457 problem document; `instance` is the correlation id. */
export const problemSchema = z.looseObject({
  type: z.string().default('about:blank'),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  instance: z.string().optional(),
  /** Field name to messages. */
  errors: z.record(z.string(), z.array(z.string())).optional(),
  /** RFC 6749 section 5.2, on the token endpoint only. */
  error: z.string().optional(),
  error_description: z.string().optional(),
});

/** Status code per title (decisions, "Status code per title"). */
export const problemStatus = {
  unauthorized: 401,
  invalid_dpop: 401,
  invalid_client: 401,
  invalid_org_context: 403,
  forbidden: 403,
  org_without_members: 403,
  not_found: 404,
  invalid_category: 400,
  invalid_payload: 400,
  invalid_state: 400,
  invalid_document: 400,
  missing_documents: 400,
  unsupported_content_type: 400,
  size_limit_exceeded: 400,
  invalid_request: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  'One or more validation errors occurred.': 400,
  rate_limited: 429,
  upstream_timeout: 500,
  upstream_error: 500,
  internal_error: 500,
  /** Of a gateway whose partner cannot be reached. */
  upstream_unavailable: 503,
} as const;

export type ProblemTitle = keyof typeof problemStatus;

export const validationTitle = 'One or more validation errors occurred.' satisfies ProblemTitle;
