import { trimEndOf } from '#shared/lib/trim-end.ts';

/** The place of documents: a bucket of a storage that implements Amazon's S3 protocol. */
export interface ObjectLocation {
  /** The address without a slash at the end. The bucket is part of the path (path style). */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** The prefix; it is empty or ends with a slash. */
  readonly prefix: string;
}

const shape = 's3://bucket/prefix?endpoint=https://host&region=name';

/**
 * Parses `s3://bucket/prefix?endpoint=URL&region=R`. The default endpoint is Amazon's; the default
 * region is us-east-1, which most other storages accept.
 * @throws {TypeError} whose message never repeats the text, because it may contain a secret.
 */
export function parseObjectLocation(text: string): ObjectLocation {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 's3:') throw new TypeError(`It must look like ${shape}.`);
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('Keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, not from it.');
  }
  if (url.hash !== '' || url.port !== '') throw new TypeError(`It must look like ${shape}.`);
  for (const name of url.searchParams.keys()) {
    if (name !== 'endpoint' && name !== 'region') {
      throw new TypeError('After the question mark it takes endpoint and region only.');
    }
  }
  // Only the names that Amazon allows are accepted (S3 user guide, "General purpose bucket naming
  // rules").
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname)) {
    throw new TypeError('The bucket must have 3 to 63 small letters, digits, dots and hyphens.');
  }
  const prefix = url.pathname.replace(/^\/|\/$/g, '');
  // Only characters without escaping are accepted, so that every storage signs and shows the same
  // key.
  if (prefix !== '' && !/^[\w.-]+(?:\/[\w.-]+)*$/.test(prefix)) {
    throw new TypeError('The prefix may have letters, digits, dots, hyphens and underscores.');
  }
  const region = url.searchParams.get('region') ?? 'us-east-1';
  if (!/^[a-z0-9-]+$/i.test(region)) throw new TypeError('The region is not the name of one.');
  return {
    endpoint: parseEndpoint(
      url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`,
    ),
    region,
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
  };
}

function parseEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && url.username + url.password + url.search + url.hash === '';
  if (!isPlain || !['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError('The endpoint must be an http or https address without keys in it.');
  }
  return trimEndOf(url.href, '/');
}
