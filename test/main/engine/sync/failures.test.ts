import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { DeskError, type DeskErrorCode, type DeskProblem } from '#shared/desk/contract/errors.ts';
import {
  failureKind,
  goneReason,
  isStateRefusal,
  retryDelayMs,
  suspectedKind,
} from '#main/engine/sync/failures.ts';

/** An error of a code; its parameters are looked at by some rules only. */
const errorOf = (code: DeskErrorCode, params: DeskProblem['params'] = {}): DeskError =>
  DeskError.of({ code, params } as DeskProblem);

const network: DeskErrorCode[] = [
  'offline',
  'address_unknown',
  'connection_refused',
  'certificate_untrusted',
  'redirect_refused',
  'proxy_sign_in',
];
const interrupted: DeskErrorCode[] = ['captive_portal', 'connection_lost', 'timeout'];
const signIn: DeskErrorCode[] = [
  'clock_wrong',
  'client_id_unknown',
  'key_rejected',
  'access_revoked',
  'audience_wrong',
  'sign_in_refused',
  'path_unknown',
  'organization_kind_wrong',
  'unauthorized',
];
const keychain: DeskErrorCode[] = [
  'keychain_unavailable',
  'keychain_locked',
  'keychain_unreachable',
  'keychain_entry_lost',
];
const foreign: DeskErrorCode[] = ['answer_foreign', 'answer_too_large'];
const unknown: DeskErrorCode[] = ['outcome_unknown', 'answer_invalid', 'answer_mismatch'];
const busy: DeskErrorCode[] = ['rate_limited', 'server_failed'];
const asksTheUser: DeskErrorCode[] = [
  'server_draft_documents',
  'documents_not_there',
  'documents_not_removed',
  'server_draft_gone',
  'restored_unsure',
  'resubmission_unsure',
  'reopening_unsure',
];
const refused: DeskErrorCode[] = ['server_refused', 'id_unsafe', ...asksTheUser];

test.each([
  ['without a network or a host, everything waits', 'host', network],
  ['an interrupted request says nothing about others', 'line', interrupted],
  ['who is not admitted must act', 'locked', [...signIn, ...keychain]],
  ['a foreign answer is odd', 'odd', foreign],
  ['an answer that was lost or cannot be used leaves the outcome unknown', 'unknown', unknown],
  ['a server that is busy may take it later', 'busy', busy],
  ['what is refused, or only the user can decide, is not repeated', 'refused', refused],
] as const)('%s', (_, kind, codes) => {
  expect(codes.filter((code) => failureKind(errorOf(code)) !== kind)).toEqual([]);
});

test('what has nothing to do with the partner is a failure of this laptop', () => {
  const own = [new Error('odd'), 'a text', undefined, errorOf('disk_full'), errorOf('internal')];
  expect(own.map(failureKind)).toEqual(own.map(() => 'local'));
});

describe('the failure of one row', () => {
  it('may concern the host if the request did not arrive, or nobody was admitted', () => {
    expect(network.map((code) => suspectedKind(errorOf(code)))).toEqual(network.map(() => 'host'));
    expect(suspectedKind(errorOf('timeout'))).toBe('line');
    expect(suspectedKind(errorOf('key_rejected'))).toBe('locked');
  });

  it('concerns an odd row if its answer cannot be read', () => {
    const odd = [errorOf('answer_foreign'), errorOf('answer_invalid')];
    expect(odd.map(suspectedKind)).toEqual(['odd', 'odd']);
  });

  it('whose outcome is unknown counts by its cause', () => {
    const because = (cause: string) => suspectedKind(errorOf('outcome_unknown', { cause }));
    expect(because('offline')).toBe('host');
    expect(because('timeout')).toBe('line');
    expect(because('answer_invalid')).toBe('odd');
    expect(because('server_failed')).toBeNull();
    expect(because('of a later version')).toBeNull();
    expect(suspectedKind(errorOf('outcome_unknown'))).toBeNull();
  });

  it('has a cause only if its outcome is unknown', () => {
    expect(suspectedKind(errorOf('server_failed', { cause: 'offline' }))).toBeNull();
  });

  it('leaves the others alone if the partner answered it, or this laptop failed', () => {
    const alone: DeskErrorCode[] = [...busy, ...refused, 'answer_mismatch', 'disk_full'];
    expect(alone.filter((code) => suspectedKind(errorOf(code)) !== null)).toEqual([]);
  });
});

describe('a record no longer exists for the organization', () => {
  test.each([
    ['forbidden', { title: 'forbidden', status: 403 }],
    ['not_found', { title: 'not_found', status: 404 }],
    ['not_found', { title: 'Not Found', status: 404 }],
    ['not_found', { title: 'Gone', status: 410 }],
    ['not_found', { title: 'not_found', status: 400 }],
    [null, { title: 'invalid_state', status: 400 }],
    [null, { title: 'Forbidden by a proxy', status: 403 }],
  ])('%s: %o', (reason, params) => {
    expect(goneReason(errorOf('server_refused', params))).toBe(reason);
  });

  it('only by a refusal of the partner', () => {
    expect(goneReason(errorOf('server_failed', { title: 'not_found', status: 404 }))).toBeNull();
    expect(goneReason(new Error('not_found'))).toBeNull();
    expect(goneReason(undefined)).toBeNull();
  });
});

test.each([
  [true, { title: 'invalid_state', status: 400 }],
  [true, { title: 'Conflict', status: 409 }],
  [false, { title: 'invalid_payload', status: 409 }],
  [false, { title: 'invalid_payload', status: 400 }],
  [false, { title: 'Bad Request', status: 400 }],
])('the state forbids the act: %s for %o', (isState, params) => {
  expect(isStateRefusal(errorOf('server_refused', params))).toBe(isState);
});

describe('the wait after failures', () => {
  it('doubles from one second with each failure, and ends at a quarter of an hour', () => {
    const waits = [0, 1, 2, 9, 10, 20, 21, 5000].map((failures) => retryDelayMs(failures, 1));
    const most = 15 * 60_000;
    expect(waits).toEqual([1000, 2000, 4000, 512_000, most, most, most, most]);
  });

  it('is between half and all of that, so that desks do not come back all at once', () => {
    const fraction = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.nat(40), fraction, (failures, at) => {
        const longest = retryDelayMs(failures, 1);
        expect(retryDelayMs(failures, 0)).toBe(longest / 2);
        expect(retryDelayMs(failures, at)).toBeCloseTo((longest / 2) * (1 + at), 5);
      }),
    );
  });
});
