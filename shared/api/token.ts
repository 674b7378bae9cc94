import { z } from 'zod';

/** The token endpoint's answer (RFC 6749 section 5.1, RFC 9449 section 5). */
export const tokenResponseSchema = z.looseObject({
  access_token: z.string().min(1),
  token_type: z.string().optional(),
  expires_in: z.number().positive().optional(),
  scope: z.string().optional(),
});

/** The `client_assertion_type` of a signed assertion (RFC 7523 section 2.2). */
export const clientAssertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
