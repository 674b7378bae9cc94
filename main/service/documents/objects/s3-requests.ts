import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { z } from 'zod';
import type { ObjectCredentials } from './object-credentials.ts';
import type { ObjectLocation } from './object-location.ts';
import { ObjectStorageError } from './object-storage-error.ts';
import { elementTexts } from './s3-xml.ts';

/** How often a request is sent before it counts as failed. */
const attempts = 4;
/** A storage that says nothing for so long is taken for gone. */
const silenceMs = 20_000;
/** Answers that are not documents are this long at most: lists of uploads. */
const answerMaxBytes = 1024 * 1024;

export interface S3RequestOptions {
  readonly location: ObjectLocation;
  readonly credentials: ObjectCredentials;
  /** Before the second attempt; it doubles before each further one. */
  readonly retryDelayMs?: number | undefined;
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Undefined for the bucket. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface S3Answer {
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/**
 * Sends signed requests (AWS Signature Version 4) to a bucket. The body's hash is always signed,
 * so a body that was garbled on its way is refused. What fails on the way or on the storage's side
 * is tried again, four times in all; every request here may be repeated.
 */
export class S3Requests {
  readonly #location: ObjectLocation;
  readonly #credentials: ObjectCredentials;
  readonly #retryDelayMs: number;
  readonly #agent: Agent;
  readonly #end = new AbortController();
  /** Of signing keys, which are the same for a day. */
  readonly #cache = new Map<string, ArrayBuffer>();

  constructor({ location, credentials, retryDelayMs = 200 }: S3RequestOptions) {
    this.#location = location;
    this.#credentials = credentials;
    this.#retryDelayMs = retryDelayMs;
    const isTls = location.endpoint.startsWith('https:');
    this.#agent = isTls ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  }

  /**
   * A whole, short answer.
   * @throws {ObjectStorageError}
   */
  send(request: S3Request): Promise<S3Answer> {
    return this.#repeatedly(request, async (incoming) => ({
      headers: incoming.headers,
      text: await readText(incoming),
    }));
  }

  /**
   * An answer whose body is still to be read, or to be destroyed.
   * @throws {ObjectStorageError}
   */
  open(request: S3Request): Promise<IncomingMessage> {
    return this.#repeatedly(request, (incoming) => Promise.resolve(incoming));
  }

  /** Breaks off whatever is under way. */
  close(): void {
    this.#end.abort();
    this.#agent.destroy();
  }

  async #repeatedly<T>(
    request: S3Request,
    read: (incoming: IncomingMessage) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const incoming = await this.#once(request);
        const { statusCode = 0 } = incoming;
        if (statusCode < 300) return await read(incoming);
        const [code = ''] = elementTexts(await readText(incoming), 'Code');
        throw new ObjectStorageError(request.method, statusCode, code);
      } catch (cause) {
        const error = asStorageError(request, cause);
        const isFinal = attempt === attempts || this.#end.signal.aborted || !isPassing(error);
        if (isFinal) throw error;
      }
      await delay(this.#retryDelayMs * 2 ** (attempt - 1), undefined, { signal: this.#end.signal });
    }
  }

  async #once({ method, key, query, headers, body }: S3Request): Promise<IncomingMessage> {
    const { endpoint, bucket, region } = this.#location;
    const url = new URL(`${endpoint}/${bucket}${key === undefined ? '' : `/${key}`}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const { accessKeyId, secretAccessKey, sessionToken } = this.#credentials;
    const bodyHash = createHash('sha256').update(body ?? '');
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': bodyHash.digest('hex') },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
      service: 's3',
      region,
      cache: this.#cache,
    }).sign();
    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(signed.url, {
      method,
      headers: {
        ...Object.fromEntries(signed.headers),
        ...((method === 'PUT' || method === 'POST') && { 'content-length': body?.length ?? 0 }),
      },
      agent: this.#agent,
      timeout: silenceMs,
      signal: this.#end.signal,
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('silence')));
    // Rejects where the request fails before there is an answer.
    const answered = once(outgoing, 'response');
    outgoing.end(body);
    // The cast restates what the event brings (node:http, "Event: 'response'").
    const [incoming] = (await answered) as [IncomingMessage];
    // What breaks off later is told by the answer; without a listener it would end the process.
    outgoing.on('error', () => undefined);
    return incoming;
  }
}

/** What may be better the next time: the way, the storage's own faults, and too many requests. */
function isPassing({ status }: ObjectStorageError): boolean {
  return status === undefined || status >= 500 || status === 429 || status === 408;
}

function asStorageError({ method }: S3Request, cause: unknown): ObjectStorageError {
  if (cause instanceof ObjectStorageError) return cause;
  const { code } = z.object({ code: z.string() }).catch({ code: '' }).parse(cause);
  return new ObjectStorageError(method, undefined, code);
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of incoming) {
    // A byte stream without an encoding gives buffers.
    const data = piece as Buffer;
    bytes += data.length;
    if (bytes > answerMaxBytes) throw new Error('the answer is too long');
    pieces.push(data);
  }
  return Buffer.concat(pieces).toString();
}
