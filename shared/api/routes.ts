import { isSafeInPath } from './conventions.ts';
/**
 * All operations of the partner API. Paths are templates with `{name}` for a parameter; the service
 * mounts them, the client fills them, and IT may override any of them by policy.
 */

/** The names of the rate limits in `limits.ts`. */
export type Bucket = 'standard' | 'documents' | 'token' | 'validate';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Route {
  readonly method: Method;
  readonly path: string;
  /** The status of a successful answer. A client accepts any 2xx. */
  readonly success: 200 | 201 | 204;
  readonly bucket: Bucket;
  /** Whose token the operation expects; `none` needs no token. */
  readonly audience: 'insurer' | 'expert' | 'none';
}

const claims = '/v1/insurers/claims';
const cases = '/v1/experts/cases';
const reports = '/v1/experts/reports';

const get = { method: 'GET', success: 200 } as const;
const post = { method: 'POST', success: 201 } as const;
const put = { method: 'PUT', success: 204 } as const;
const insurer = { bucket: 'standard', audience: 'insurer' } as const;
const insurerDocuments = { bucket: 'documents', audience: 'insurer' } as const;
const expert = { bucket: 'standard', audience: 'expert' } as const;
const expertDocuments = { bucket: 'documents', audience: 'expert' } as const;

export const routes = {
  token: { ...post, path: '/v1/oauth/token', success: 200, bucket: 'token', audience: 'none' },

  I1: { ...get, ...insurer, path: claims },
  I2: { ...post, ...insurer, path: claims },
  I3: { ...post, path: `${claims}:validate`, success: 200, bucket: 'validate', audience: 'none' },
  I4: { ...get, ...insurer, path: `${claims}/{claimId}` },
  I5: { ...get, ...insurerDocuments, path: `${claims}/{claimId}/documents` },
  I6: { ...post, ...insurerDocuments, path: `${claims}/{claimId}/documents` },
  I7: { ...get, ...insurerDocuments, path: `${claims}/{claimId}/documents/{documentId}` },
  I8: { ...get, ...insurer, path: `${claims}/{claimId}/reports` },
  I9: { ...get, ...insurerDocuments, path: `${claims}/{claimId}/reports/{submissionId}/documents` },

  X1: { ...get, ...expert, path: cases },
  X2: { ...get, ...expert, path: `${cases}/{caseId}` },
  X3: { ...put, ...expert, path: `${cases}/{caseId}/expert-comment` },
  X4: { ...put, ...expert, path: `${cases}/{caseId}/amounts` },
  X5: { ...post, ...expert, path: `${cases}/{caseId}:reopen`, success: 204 },
  X6: { ...get, ...expertDocuments, path: `${cases}/{caseId}/documents` },
  X7: { ...get, ...expertDocuments, path: `${cases}/{caseId}/documents/{documentId}` },
  X8: { ...post, ...expert, path: `${cases}/{caseId}/reports:draft` },
  X9: { ...put, ...expert, path: `${cases}/{caseId}/reports:draft`, success: 200 },
  X10: { ...get, ...expert, path: `${cases}/{caseId}/reports` },
  X11: { ...get, ...expert, path: `${cases}/{caseId}/reports/{submissionId}` },
  X12: { ...get, ...expertDocuments, path: `${reports}/{submissionId}/documents` },
  X13: { ...post, ...expertDocuments, path: `${reports}/{submissionId}/documents` },
  X14: {
    method: 'DELETE',
    ...expertDocuments,
    path: `${reports}/{submissionId}/documents/{docId}`,
    success: 204,
  },
  X15: { ...post, ...expert, path: `${reports}/{submissionId}/submit`, success: 200 },
} as const satisfies Record<string, Route>;

export type OperationId = keyof typeof routes;
export const operationIds = Object.keys(routes) as OperationId[];

/**
 * A value in a path that a server between client and partner could read as another path; see
 * `isSafeInPath`.
 */
export class UnsafePathError extends Error {
  override readonly name = 'UnsafePathError';
  readonly value: string;

  constructor(value: string) {
    super('a value of a path is not safe in it');
    this.value = value;
  }
}

/**
 * Fills a path template. Each value is percent-encoded, and stays one part of the path even if a
 * server decodes it.
 * @throws {RangeError} when a parameter of the template has no value.
 * @throws {UnsafePathError} when a value is not safe in a path.
 */
export function fillPath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '')
      throw new RangeError(`path parameter ${name} is missing`);
    if (!isSafeInPath(value)) throw new UnsafePathError(value);
    return encodeURIComponent(value);
  });
}
