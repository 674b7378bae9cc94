import { problemStatus, type ProblemTitle } from '#shared/api/problem.ts';
import { DeskError, paramOf } from '#shared/desk/contract/errors.ts';
import type { Refusal } from '../../partner/answers/read-answer.ts';
import { Problem } from '../../front/problem.ts';

/** The Retry-After in seconds if the partner cannot be reached. */
const retryAfterS = 15;

/** The reasons why the partner cannot be used, by code. Any other code means a lost connection. */
const reasons: Partial<Record<DeskError['code'], string>> = {
  client_id_unknown: 'it does not know the client id of the office',
  key_rejected: 'it does not accept the key of the office',
  audience_wrong: 'it does not accept the audience',
  sign_in_refused:
    'it refuses the sign-in: the key, the audience or the client id of the office is wrong',
  path_unknown: 'there is no partner API at its address',
  organization_kind_wrong: 'the client id is not one of an expert organization',
  unauthorized: 'it does not accept the credentials of the office',
  clock_wrong:
    'it does not accept the time of the requests, so its clock or that of this machine is wrong',
  certificate_untrusted: 'its certificate is not trusted',
  captive_portal: 'what answers there is no partner API',
  answer_foreign: 'it answers with a page in place of data',
  answer_invalid: 'what answers there is no partner API',
  server_refused: 'it refuses the list of cases',
  rate_limited: 'it asks to wait',
  server_failed: 'it answers with a failure of its own; it may be no partner API',
};

/** The reason as a part of a sentence for the operator of the gateway. */
export function reasonOf(error: unknown): string {
  const found = error instanceof DeskError ? reasons[error.code] : undefined;
  return found ?? 'it cannot be reached';
}

const isTitle = (title: string): title is ProblemTitle => title in problemStatus;

/**
 * The problem that a client receives if its request to the partner failed. The partner's refusal is
 * passed on. A wait, for the partner or for a turn at the gateway, becomes a 429.
 */
export function problemFor(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (!(error instanceof DeskError)) return unavailable('the request could not be passed on');
  const { code } = error;
  if (code === 'server_refused') return refusalOf(error);
  if (code === 'rate_limited') {
    return new Problem('rate_limited', 'the office has used up its turns at the partner', {
      headers: {
        'Retry-After': String(paramOf(error, 'retryAfterS') ?? retryAfterS),
        'X-RateLimit-Policy': 'office; shared by the clients of the gateway',
      },
    });
  }
  const cause = code === 'outcome_unknown' ? paramOf(error, 'cause') : code;
  if (cause === 'server_failed') {
    return new Problem('upstream_error', 'the partner failed; it may have carried the request out');
  }
  return unavailable(
    code === 'outcome_unknown'
      ? 'the partner did not answer; it may have carried the request out'
      : `the request was not carried out; of the partner: ${reasonOf(error)}`,
  );
}

/**
 * What a failed request ends with: the problem that its client receives, or what failed in the
 * gateway itself, which is logged and answered as such.
 */
export const failureFor = (error: unknown): Error =>
  error instanceof Error && !(error instanceof DeskError) ? error : problemFor(error);

/** Throws for a failed request to the partner. */
export function throwProblem(error: unknown): never {
  throw failureFor(error);
}

/** Whether the partner may have executed the request. */
export function isUnknown(error: unknown): boolean {
  return error instanceof DeskError && error.code === 'outcome_unknown';
}

function refusalOf(error: DeskError): Problem {
  // The cast is safe because the partner client sets this on every such error.
  const { title, sentence, status, errors } = error.cause as Refusal;
  const named = Object.keys(errors).length > 0 ? errors : undefined;
  const detail = sentence || 'the partner refused the request';
  if (isTitle(title) && problemStatus[title] === status) {
    return new Problem(title, detail, { errors: named });
  }
  if (status === 404) return new Problem('not_found', sentence || 'the partner has no such record');
  if (status === 403) return new Problem('forbidden', detail);
  return new Problem('invalid_request', detail, {
    errors: named ?? { request: ['was refused by the partner.'] },
  });
}

function unavailable(detail: string): Problem {
  return new Problem('upstream_unavailable', detail, {
    headers: { 'Retry-After': String(retryAfterS) },
  });
}
