import { problemStatus, type ProblemTitle } from '#shared/api/problem-titles.ts';
import type { Detail } from './details/details.ts';
import { sayDetail, type DetailValues } from './details/say-detail.ts';
import type { Language } from './language.ts';

export interface ProblemOptions {
  /** What stands for the `{names}` of the detail. */
  readonly values?: DetailValues;
  /** Field name to messages. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /** RFC 6749 section 5.2; on the token endpoint only. */
  readonly oauthError?: string;
  /** Further headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A refusal that the caller is told about. The status follows from the title (decisions, "Status
 * code per title"). `detail` is said in the caller's language when the refusal is sent.
 */
export class Problem extends Error {
  readonly title: ProblemTitle;
  readonly detail: Detail;
  readonly values: DetailValues | undefined;
  readonly errors: Readonly<Record<string, readonly string[]>> | undefined;
  readonly oauthError: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(title: ProblemTitle, detail: Detail, options: ProblemOptions = {}) {
    super(`${title}: ${detail}`);
    this.name = 'Problem';
    this.title = title;
    this.detail = detail;
    this.values = options.values;
    this.errors = options.errors;
    this.oauthError = options.oauthError;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return problemStatus[this.title];
  }
}

/** Who is told of a refusal. */
export interface Recipient {
  readonly correlationId: string;
  readonly language: Language;
}

/**
 * The problem document of a refusal (RFC 9457); `instance` is the correlation id.
 * @returns the JSON text.
 */
export function problemDocument(problem: Problem, recipient: Recipient): string {
  return JSON.stringify({
    type: 'about:blank',
    title: problem.title,
    status: problem.status,
    detail: sayDetail(problem.detail, recipient.language, problem.values),
    instance: recipient.correlationId,
    ...(problem.errors && { errors: problem.errors }),
    ...(problem.oauthError && {
      error: problem.oauthError,
      // RFC 6749 section 5.2 allows ASCII only, and no quotes: English in every language.
      error_description: sayDetail(problem.detail, 'en', problem.values),
    }),
  });
}

export const problemContentType = 'application/problem+json';
