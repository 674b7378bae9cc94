import { randomUUID } from 'node:crypto';
import { correlationIdMaxLength } from '#shared/api/limits.ts';
import { problemStatus, type ProblemTitle } from '#shared/api/problem.ts';

export interface ProblemOptions {
  /** The messages of each field, by its name. */
  readonly errors?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The error code of RFC 6749 section 5.2, which only the token endpoint returns. */
  readonly oauthError?: string | undefined;
  /** The further headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The cause, which is only for the log. */
  readonly cause?: unknown;
}

/**
 * A refusal that is reported to the caller. The status follows from the title (decisions, "Status
 * code per title"); `detail` is an English sentence for the partner's developer.
 */
export class Problem extends Error {
  readonly title: ProblemTitle;
  readonly detail: string;
  readonly errors: Readonly<Record<string, readonly string[]>> | undefined;
  readonly oauthError: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(title: ProblemTitle, detail: string, options: ProblemOptions = {}) {
    super(`${title}: ${detail}`, { cause: options.cause });
    this.name = 'Problem';
    this.title = title;
    this.detail = detail;
    this.errors = options.errors;
    this.oauthError = options.oauthError;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return problemStatus[this.title];
  }
}

/**
 * The problem document of a refusal (RFC 9457); `instance` is the correlation id.
 * @returns the JSON text.
 */
export function problemDocument(problem: Problem, correlationId: string): string {
  return JSON.stringify({
    type: 'about:blank',
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    instance: correlationId,
    ...(problem.errors && { errors: problem.errors }),
    ...(problem.oauthError && { error: problem.oauthError, error_description: problem.detail }),
  });
}

export const problemContentType = 'application/problem+json';

/** The name of the header that every answer has. */
export const correlationHeader = 'X-Correlation-Id';

const usableId = new RegExp(`^[\\x21-\\x7e]{1,${correlationIdMaxLength}}$`);

/**
 * The correlation id of a request: its own if that is 1 to 80 characters of 0x21 to 0x7E, else a new
 * uuid (decisions, "Correlation id").
 */
export function correlationIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && usableId.test(header) ? header : randomUUID();
}

/**
 * The reason why a server cannot start, as a part of a sentence for the operator; `fail` adds the
 * full stop.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
  /** The exit code; 2 if an option is wrong. */
  readonly exitCode: number;

  constructor(message: string, options: ErrorOptions & { readonly exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = options.exitCode ?? 1;
  }
}
