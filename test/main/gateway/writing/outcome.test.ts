import { describe, expect, it, test } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Refusal } from '#main/partner/answers/read-answer.ts';
import { Problem } from '#main/front/problem.ts';
import {
  failureFor,
  isUnknown,
  problemFor,
  reasonOf,
  throwProblem,
} from '#main/gateway/writing/outcome.ts';

const host = 'insurer';

/** The parts of a problem that a client receives. */
function answerFor(error: unknown) {
  const { title, status, detail, errors, headers } = problemFor(error);
  return { title, status, detail, errors, headers };
}

/** What the partner client throws for a refusal with this title and status. */
function refusal(
  title: string,
  status: number,
  { sentence = '', errors = {} }: Partial<Pick<Refusal, 'sentence' | 'errors'>> = {},
): DeskError {
  const cause = { status, title, detail: sentence, sentence, errors };
  return new DeskError('server_refused', { title, status }, { cause });
}

describe('the partner’s refusal', () => {
  const errors = { Text: ['too long'] };

  it('is passed on with its title, sentence and fields', () => {
    const given = refusal('invalid_payload', 400, { sentence: 'The text is wrong.', errors });
    expect(answerFor(given)).toEqual({
      title: 'invalid_payload',
      status: 400,
      detail: 'The text is wrong.',
      errors,
      headers: {},
    });
  });

  it('without a sentence and fields says that the partner refused', () => {
    expect(answerFor(refusal('invalid_state', 400))).toMatchObject({
      title: 'invalid_state',
      detail: 'the partner refused the request',
      errors: undefined,
    });
  });

  test.each([
    ['Not Found', 404, 'not_found', 'the partner has no such record'],
    ['Forbidden', 403, 'forbidden', 'the partner refused the request'],
    ['forbidden', 404, 'not_found', 'the partner has no such record'],
    ['not_found', 403, 'forbidden', 'the partner refused the request'],
  ])('of a title (%s) that does not belong to its status %i', (title, status, own, detail) => {
    expect(answerFor(refusal(title, status))).toMatchObject({ title: own, status, detail });
    const sentence = 'Not this one.';
    expect(answerFor(refusal(title, status, { sentence }))).toMatchObject({ detail: sentence });
  });

  it('of any other kind is an invalid request, never a success or a failure to repeat', () => {
    expect(answerFor(refusal('Conflict', 409, { sentence: 'No.', errors }))).toMatchObject({
      title: 'invalid_request',
      status: 400,
      detail: 'No.',
      errors,
    });
    expect(answerFor(refusal('internal_error', 409)).errors).toEqual({
      request: ['was refused by the partner.'],
    });
  });
});

describe('a wait', () => {
  const until = '2026-06-15T10:00:00Z';

  it('says how long the client waits, and whose limit it is', () => {
    expect(answerFor(new DeskError('rate_limited', { retryAfterS: 40, until }))).toEqual({
      title: 'rate_limited',
      status: 429,
      detail: 'the office has used up its turns at the partner',
      errors: undefined,
      headers: {
        'Retry-After': '40',
        'X-RateLimit-Policy': 'office; shared by the clients of the gateway',
      },
    });
  });

  it('of an unknown length is a quarter of a minute', () => {
    expect(answerFor(new DeskError('rate_limited', { until })).headers).toMatchObject({
      'Retry-After': '15',
    });
  });
});

describe('a request that failed', () => {
  const perhaps = (cause: string) => new DeskError('outcome_unknown', { cause, host });

  it('and may have been carried out says so', () => {
    const mayBe = /may have carried (the request|it) out/;
    for (const cause of ['timeout', 'connection_lost', 'server_failed']) {
      expect(problemFor(perhaps(cause)).detail).toMatch(mayBe);
    }
    expect(problemFor(new DeskError('server_failed', { status: 500 })).detail).toMatch(mayBe);
  });

  it('at the partner itself is the partner’s failure; without an answer nobody is reached', () => {
    expect(answerFor(perhaps('server_failed'))).toMatchObject({ title: 'upstream_error' });
    expect(answerFor(perhaps('server_failed')).headers).toEqual({});
    expect(answerFor(perhaps('timeout'))).toMatchObject({
      title: 'upstream_unavailable',
      status: 503,
      headers: { 'Retry-After': '15' },
    });
  });

  it('and certainly did not arrive says so, with the reason', () => {
    expect(problemFor(new DeskError('certificate_untrusted', { host, reason: 'x' })).detail).toBe(
      'the request was not carried out; of the partner: its certificate is not trusted',
    );
    expect(problemFor(new DeskError('offline', { host })).detail).toBe(
      'the request was not carried out; of the partner: it cannot be reached',
    );
  });

  it('for a reason of the gateway says nothing about it to the client, and is logged', () => {
    const own = new TypeError('a path of this machine');
    expect(answerFor(own)).toMatchObject({
      title: 'upstream_unavailable',
      detail: 'the request could not be passed on',
    });
    expect(failureFor(own)).toBe(own);
    expect(failureFor('a text')).toMatchObject({ title: 'upstream_unavailable' });
    expect(() => throwProblem(own)).toThrow(own);
  });

  it('with a problem already keeps it', () => {
    const problem = new Problem('forbidden', 'not yours');
    expect(problemFor(problem)).toBe(problem);
    expect(failureFor(problem)).toBe(problem);
  });

  it('at the partner becomes a problem, which is thrown', () => {
    const refused = refusal('invalid_state', 400);
    expect(failureFor(refused)).toMatchObject({ title: 'invalid_state' });
    expect(() => throwProblem(refused)).toThrow(Problem);
  });

  it('is unknown only if the partner may have executed it', () => {
    expect(isUnknown(perhaps('timeout'))).toBe(true);
    expect(isUnknown(new DeskError('timeout', { host }))).toBe(false);
    expect(isUnknown(new Error('outcome_unknown'))).toBe(false);
  });
});

describe('the reason for the operator', () => {
  const codes = [
    'client_id_unknown',
    'key_rejected',
    'audience_wrong',
    'sign_in_refused',
    'path_unknown',
    'organization_kind_wrong',
    'unauthorized',
    'clock_wrong',
    'certificate_untrusted',
    'captive_portal',
    'answer_foreign',
    'answer_invalid',
    'server_refused',
    'rate_limited',
    'server_failed',
  ] as const;
  const reasonFor = (code: string) =>
    reasonOf(DeskError.of({ code, params: {} } as Parameters<typeof DeskError.of>[0]));

  it.each(codes)('%s has a part of a sentence of its own', (code) => {
    expect(reasonFor(code)).toMatch(/^[a-z].{12,}[^.]$/);
    expect(reasonFor(code)).not.toBe(reasonFor('timeout'));
  });

  it('names what the operator can mend', () => {
    expect(reasonFor('client_id_unknown')).toContain('client id');
    expect(reasonFor('key_rejected')).toContain('key');
    expect(reasonFor('clock_wrong')).toContain('clock');
    expect(reasonFor('certificate_untrusted')).toContain('certificate');
    expect(reasonFor('timeout')).toBe('it cannot be reached');
  });

  it('of anything else is that the partner cannot be reached', () => {
    expect(reasonOf(new Error('x'))).toBe('it cannot be reached');
  });
});
