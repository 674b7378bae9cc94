import { z } from 'zod';

/** The problem document of RFC 9457; `instance` is the correlation id. */
export const problemSchema = z.looseObject({
  type: z.string().default('about:blank'),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  instance: z.string().optional(),
  /** The messages of each field, by its name. */
  errors: z.record(z.string(), z.array(z.string())).optional(),
  /** The error code of RFC 6749 section 5.2, which only the token endpoint returns. */
  error: z.string().optional(),
  error_description: z.string().optional(),
});

/** The status code of each title (decisions, "Status code per title"). */
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
  /** A gateway answers this if it cannot reach its partner. */
  upstream_unavailable: 503,
} as const;

export type ProblemTitle = keyof typeof problemStatus;

export const validationTitle = 'One or more validation errors occurred.' satisfies ProblemTitle;
