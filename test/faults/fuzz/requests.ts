import fc from 'fast-check';
import { operationIds, routes, type OperationId } from '#shared/api/routes.ts';

/** How the access token and its proof are spoilt; `right` and `otherKind` get behind them. */
export const credentialKinds = [
  'right',
  'right',
  'right',
  'right',
  'otherKind',
  'none',
  'junkToken',
  'brokenToken',
  'junkProof',
  'brokenProof',
  'noProof',
  'twoProofs',
  'claims',
  'header',
] as const;

export interface FuzzedRequest {
  readonly method: string;
  /** Path and query in printable ASCII. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  readonly id: OperationId;
  readonly credentials: (typeof credentialKinds)[number];
  /** Takes the place of claims or header members of the proof. */
  readonly spoilt: object;
}

const junkText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '.',
    '..',
    '../..',
    '%',
    '%00',
    '%zz',
    '%2e%2e',
    '%2F',
    '%3A',
    ':reopen',
    'null',
    '-1',
    '0',
    '1e9',
    '99999999999999999999',
    "' or 1=1 --",
    '{}',
    '[]',
    '\u0000',
    '\ud800',
    'a'.repeat(3000),
    '2026-02-30T00:00:00Z',
    '2026-13-01',
    '9999999-01-01T00:00:00Z',
    '__proto__',
    'constructor',
  ),
);
const queryNames = fc.constantFrom(
  'page',
  'size',
  'q',
  'status',
  'category',
  'inspectionType',
  'lang',
  'createdFrom',
  'createdTo',
  'completedFrom',
  'completedTo',
  'lastChangedSince',
  'lastReportApprovedSince',
  '__proto__',
  'page[]',
  'x',
);
const headerNames = fc.constantFrom(
  'accept',
  'accept-language',
  'accept-encoding',
  'content-type',
  'content-encoding',
  'idempotency-key',
  'x-correlation-id',
  'x-forwarded-for',
  'range',
  'if-match',
  'cookie',
  'origin',
  'upgrade',
  'expect',
  'x-http-method-override',
  'host',
);
/** What Node lets into a header: Latin-1 without control characters. */
const headerValue = fc
  .oneof(junkText, fc.constantFrom('de;q=1e9', '*/*;q=', 'text/html', ',;,', 'identity;q=0'))
  .map((text) =>
    Buffer.from(text)
      .toString('latin1')
      .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ''),
  );

const names = ['Category', 'PayloadJson', 'Text', 'Reason', 'Comment', 'FileName', 'ContentType'];
const members = [
  ...names,
  'ContentBase64',
  'IsSalvageSale',
  'CostEstimateAmount',
  'ApprovedAmount',
];
const likely = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  0.001,
  1e21,
  12.5,
  '',
  'vehicle',
  'special',
  '{}',
  '{"insured":null}',
  '[]',
  'application/pdf',
  'JVBERi0xLjcK',
  'x.pdf',
  'a/b',
  'image/png',
  '====',
  [],
  {},
);
const jsonBody = fc
  .dictionary(
    fc.constantFrom(...members),
    fc.oneof(likely, likely, fc.jsonValue({ maxDepth: 3 })),
    {
      maxKeys: 6,
    },
  )
  .map((body) => JSON.stringify(body));
/** Gets as far as the payload's own rules. */
const claimBody = fc
  .tuple(
    fc.constantFrom('vehicle', 'special'),
    fc.constantFrom('{}', '{"insured":null}', '[]', '{"claim":1}'),
  )
  .map(([Category, PayloadJson]) => JSON.stringify({ Category, PayloadJson }));
const formBody = fc
  .dictionary(
    fc.constantFrom(
      'grant_type',
      'client_id',
      'client_assertion_type',
      'client_assertion',
      'scope',
    ),
    fc.oneof(fc.constantFrom('client_credentials', 'a.b.c', 'e30.e30.e30', 'x'), junkText),
    { maxKeys: 5 },
  )
  .map((form) => {
    const wellFormed = Object.entries(form).map(
      ([name, value]) => [name, value.toWellFormed()] as const,
    );
    return new URLSearchParams(Object.fromEntries(wellFormed)).toString();
  });
const upload = { FileName: 'x.pdf', ContentType: 'application/pdf', ContentBase64: 'JVBERi0xLjcK' };
const uploadBody = fc
  .tuple(fc.constantFrom(...Object.keys(upload)), fc.oneof(likely, junkText))
  .map(([name, value]) => JSON.stringify({ ...upload, [name]: value }));
const junkBody = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.json({ maxDepth: 4 }),
  fc.constantFrom('{', '{"a":1,"a":2}', '[', '"', '\u0000', '['.repeat(3000), '{"__proto__":{}}'),
);

const jsonValue = fc.jsonValue({ maxDepth: 2 });
const spoilt = fc.oneof(
  fc.record(
    { htm: jsonValue, htu: jsonValue, jti: jsonValue, iat: jsonValue, ath: jsonValue },
    { requiredKeys: [] },
  ),
  fc.record(
    {
      typ: jsonValue,
      alg: jsonValue,
      jwk: jsonValue,
      crit: jsonValue,
      kid: jsonValue,
      b64: jsonValue,
    },
    { requiredKeys: [] },
  ),
  fc.constant({ iat: -1e300 }),
  fc.constant({ iat: 1e300 }),
  fc.constant({ jwk: { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) } }),
  fc.constant({ alg: 'none' }),
);

/**
 * Requests that are malformed in at least one place; most have a right token and proof, so that
 * they get behind authentication.
 * @param ids of records that there are.
 */
export function fuzzedRequests(ids: readonly string[]): fc.Arbitrary<FuzzedRequest> {
  const parameter = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...ids) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 2, arbitrary: junkText },
  );
  const query = fc.array(fc.tuple(queryNames, junkText), { maxLength: 3 });
  const headers = fc.dictionary(headerNames, headerValue, { maxKeys: 2 });
  return fc
    .constantFrom<OperationId>(...operationIds)
    .chain((id) =>
      fc.record({
        id: fc.constant(id),
        method: fc.oneof(
          { weight: 12, arbitrary: fc.constant(routes[id].method as string) },
          { weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH') },
        ),
        parameters: fc.array(parameter, { minLength: 2, maxLength: 2 }),
        tail: fc.oneof({ weight: 15, arbitrary: fc.constant('') }, junkText),
        query,
        headers,
        body: bodyOf(id),
        credentials: fc.constantFrom(...credentialKinds),
        spoilt,
      }),
    )
    .map(({ parameters, tail, query: pairs, ...request }) => {
      let at = 0;
      const path = routes[request.id].path.replaceAll(/\{\w+\}/g, () =>
        printable(parameters[at++] ?? ''),
      );
      const search = pairs.map(([name, value]) => `${printable(name)}=${printable(value)}`);
      return {
        ...request,
        target: path + printable(tail) + (search.length > 0 ? `?${search.join('&')}` : ''),
        headers: { ...contentType(request.id, request.body), ...request.headers },
      };
    });
}

/** A body that fits the operation, if the operation has one. */
const ownBodies: Partial<Record<OperationId, fc.Arbitrary<string>>> = {
  I2: claimBody,
  I3: claimBody,
  I6: uploadBody,
  X13: uploadBody,
};

function bodyOf(id: OperationId): fc.Arbitrary<string | Buffer | undefined> {
  if (routes[id].method === 'GET') return fc.constant(undefined);
  return fc.oneof(
    { weight: 3, arbitrary: id === 'token' ? formBody : jsonBody },
    { weight: 2, arbitrary: ownBodies[id] ?? jsonBody },
    { weight: 2, arbitrary: junkBody },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

function contentType(id: OperationId, body: string | Buffer | undefined): Record<string, string> {
  if (body === undefined) return {};
  const type = id === 'token' ? 'application/x-www-form-urlencoded' : 'application/json';
  return { 'content-type': type };
}

/** Percent signs stay, so that wrong escapes get through; other forbidden characters are removed. */
function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character))
    .replaceAll(/[#?]/g, '');
}
