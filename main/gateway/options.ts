import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { parameterName } from '#shared/api/conventions.ts';
import { parseJson } from '#shared/lib/parse-json.ts';
import { documentsBucket, standardBucket } from '#shared/api/limits.ts';
import { UsageError } from '#shared/lib/usage-error.ts';
import {
  address,
  addresses,
  database,
  notEmpty,
  type OperatingOptions,
  url,
  wholeNumber,
  withOperating,
} from '../front/command-line.ts';
import { parseObjectLocation, type ObjectLocation } from '../front/contents/object-location.ts';
import type { Visibility, PartnerCredentials } from './context.ts';
import type { PartnerLimits } from './upstream.ts';

/** The location of the store; every command has these options. */
export interface StoreOptions {
  readonly data: string;
  /** The address postgres://..., which may contain a password. */
  readonly database: string | undefined;
}

/** The parsed options of `npm run gateway` without a command. */
export interface ServeOptions extends StoreOptions, OperatingOptions {
  readonly port: number;
  readonly host: string;
  readonly documents: ObjectLocation | undefined;
  readonly publicUrl: string | undefined;
  readonly visibility: Visibility;
  readonly trustedProxy: readonly string[] | undefined;
  readonly upstreamCredentials: string | undefined;
  readonly upstreamBaseUrl: string | undefined;
  readonly upstreamAudience: string | undefined;
  readonly upstreamClientId: string | undefined;
  readonly upstreamKey: string | undefined;
  readonly upstreamChangedSinceParameter: string | undefined;
  readonly upstreamLimits: PartnerLimits | undefined;
}

/** Adds the options of the store. */
export function withStore(command: Command): Command {
  return command
    .option('--data <dir>', 'Data folder. Example: --data ./gateway', notEmpty, './gateway-data')
    .option(
      '--database <url>',
      'PostgreSQL that several gateways share. Example: --database postgres://user@host/name',
      address('--database', database),
    );
}

/** Adds the options of the server. */
export function withServer(command: Command): Command {
  return withOperating(withStore(command))
    .option('--port <n>', 'Port to listen on; 0 takes a free one.', wholeNumber(0, 65_535), 0)
    .option(
      '--host <address>',
      'Address to listen on. Example: --host 0.0.0.0',
      notEmpty,
      '127.0.0.1',
    )
    .option(
      '--documents <url>',
      'Bucket for documents. Example: --documents s3://bucket/prefix?endpoint=https://storage.example',
      address('--documents', parseObjectLocation),
    )
    .option(
      '--public-url <url>',
      'The address that laptops use. Example: --public-url https://gateway.example',
      url,
    )
    .option(
      '--trusted-proxy <address>',
      'A proxy whose X-Forwarded-For names the laptop; may be given several times. Example: --trusted-proxy 10.0.0.5',
      addresses,
    )
    .option(
      '--visibility <all|assigned>',
      'Whether every client sees every case, or its own.',
      visibility,
      'all',
    )
    .option(
      '--upstream-credentials <file>',
      'A credentials.json; its expert is the office. Example: --upstream-credentials ./credentials.json',
    )
    .option('--upstream-base-url <url>', 'Base address of the partner.', url)
    .option('--upstream-audience <url>', 'Audience of the client assertions.', url)
    .option('--upstream-client-id <id>', 'Client id of the office.')
    .option('--upstream-key <file>', 'Private key of the office, PEM.')
    .option(
      '--upstream-changed-since-parameter <name>',
      'What the partner calls lastChangedSince. Example: --upstream-changed-since-parameter updatedSince',
      changedSinceParameter,
    )
    .option(
      '--upstream-limits <limits>',
      'Limits that the partner has granted, if not the published ones. Example: --upstream-limits "standard=120/60s:40 documents=40/60s:20"',
      partnerLimits,
    );
}

/**
 * Parses `standard=120/60s:40 documents=40/60s:20 token=20/60s`: the requests in a time, and the
 * burst.
 */
export function partnerLimits(text: string): PartnerLimits {
  let found: PartnerLimits = { standard: standardBucket, documents: documentsBucket };
  for (const part of text.split(/\s+/).filter((each) => each !== '')) {
    const [, name, requests, seconds, burst] =
      /^(standard|documents|token)=(\d{1,6})\/(\d{1,5})s(?::(\d{1,6}))?$/.exec(part) ?? [];
    const isToken = name === 'token';
    const hasTime = Number(requests) > 0 && Number(seconds) > 0;
    // A bucket of one token has no room for the request that is running.
    const isUsable = hasTime && (isToken ? burst === undefined : Number(burst) >= 2);
    if (!isUsable || name === undefined) {
      throw new InvalidArgumentError('It must be like standard=120/60s:40 documents=40/60s:20.');
    }
    const limit = isToken
      ? { requests: Number(requests), windowMs: Number(seconds) * 1000 }
      : { capacity: Number(burst), refillPerMinute: (Number(requests) * 60) / Number(seconds) };
    found = { ...found, [name]: limit };
  }
  return found;
}

function changedSinceParameter(text: string): string {
  if (parameterName.test(text)) return text;
  throw new InvalidArgumentError('It must be letters, digits and _ . $ -');
}

function visibility(text: string): Visibility {
  if (text === 'all' || text === 'assigned') return text;
  throw new InvalidArgumentError('It must be all or assigned.');
}

const credentialsSchema = z.object({
  baseUrl: z.url(),
  audience: z.url(),
  expert: z.object({ clientId: z.string(), privateKeyPem: z.string() }),
});

/**
 * The office's credentials at the partner, from a file or from four options.
 * @throws {UsageError} with a sentence that repeats no part of the files
 */
export function partnerOf(options: ServeOptions): PartnerCredentials {
  const { upstreamCredentials: file } = options;
  if (file !== undefined) {
    const found = credentialsSchema.safeParse(parseJson(readText(file)));
    if (!found.success) throw new UsageError(`${file} holds no credentials of an expert`, 2);
    const { baseUrl, audience, expert } = found.data;
    const privateKey = privateKeyOf(expert.privateKeyPem, file);
    return { baseUrl, audience, clientId: expert.clientId, privateKey };
  }
  const { upstreamBaseUrl, upstreamAudience, upstreamClientId, upstreamKey } = options;
  if (
    upstreamBaseUrl === undefined ||
    upstreamAudience === undefined ||
    upstreamClientId === undefined ||
    upstreamKey === undefined
  ) {
    throw new UsageError(
      'needed are --upstream-credentials, or --upstream-base-url, --upstream-audience, --upstream-client-id and --upstream-key',
      2,
    );
  }
  return {
    baseUrl: upstreamBaseUrl,
    audience: upstreamAudience,
    clientId: upstreamClientId,
    privateKey: privateKeyOf(readText(upstreamKey), upstreamKey),
  };
}

function privateKeyOf(pem: string, file: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // The error is not rethrown, because the one below does not quote the key.
  }
  throw new UsageError(`${file} holds no private RSA key`, 2);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`${file} cannot be read`, 2);
  }
}
