import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const skewMs = 15 * 60_000;

/**
 * Checks the signature of a request from the specification alone ("Authenticating Requests:
 * Using the Authorization Header", AWS Signature Version 4), sharing nothing with who signs.
 * @returns the code of the error, or undefined where the signature holds.
 */
export function refusalOf(
  request: IncomingMessage,
  keys: S3Keys,
  region: string,
): string | undefined {
  const header = (name: string) => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : '';
  };
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      header('authorization'),
    );
  if (!parts) return 'AccessDenied';
  const [, accessKeyId = '', day = '', signedRegion = '', names = '', signature = ''] = parts;
  if (accessKeyId !== keys.accessKeyId) return 'InvalidAccessKeyId';
  if (signedRegion !== region) return 'AuthorizationHeaderMalformed';
  const time = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(header('x-amz-date'));
  if (!time || !header('x-amz-date').startsWith(day)) return 'AccessDenied';
  const [, ...units] = time.map(Number);
  const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0] = units;
  const sentAt = Date.UTC(year, month - 1, date, hour, minute, second);
  if (Math.abs(Date.now() - sentAt) > skewMs) return 'RequestTimeTooSkewed';
  if (header('x-amz-security-token') !== (keys.sessionToken ?? '')) return 'InvalidToken';

  const signed = names.split(';');
  // "The CanonicalHeaders list must include host, and any x-amz-* headers."
  const mustBeSigned = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'));
  if (!['host', ...mustBeSigned].every((name) => signed.includes(name))) return 'AccessDenied';
  if (signed.join(';') !== signed.toSorted().join(';')) return 'SignatureDoesNotMatch';

  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const canonicalQuery = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('=', 2))
    .map(([name = '', value = '']) => [uriEncode(name), uriEncode(value)])
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&');
  const canonicalRequest = [
    request.method ?? '',
    path.split('/').map(uriEncode).join('/'),
    canonicalQuery,
    ...signed.map((name) => `${name}:${header(name).trim().replaceAll(/\s+/g, ' ')}`),
    '',
    names,
    header('x-amz-content-sha256'),
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const canonicalHash = createHash('sha256').update(canonicalRequest).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', header('x-amz-date'), scope, canonicalHash].join('\n');
  const hmac = (key: string | Buffer, text: string) =>
    createHmac('sha256', key).update(text).digest();
  const signingKey = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (key, text) => hmac(key, text),
    `AWS4${keys.secretAccessKey}`,
  );
  const expected = hmac(signingKey, toSign);
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
    ? undefined
    : 'SignatureDoesNotMatch';
}

/** "UriEncode": all but the unreserved characters, from what came escaped already. */
function uriEncode(escaped: string): string {
  return encodeURIComponent(decodeURIComponent(escaped)).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
