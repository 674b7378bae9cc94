import { trimEndOf } from '#shared/lib/trim-end.ts';
import { createHash, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { openTransport, parseBaseUrl } from '../../partner/connection.ts';
import {
  discardBody,
  readJson,
  readRefusal,
  refusalError,
} from '../../partner/answers/read-answer.ts';
import { parseRetryAfter } from '../../partner/requests/call.ts';
import { RequestFailure, type Answer, type Transport } from '../../partner/requests/transport.ts';
import type { EngineOptions } from '../engine.ts';
import { deleteWorkspaceKeys, openPrivateKey, storePrivateKey } from '../keys/workspace-keys.ts';
import { clientPolicy } from './connection-policy.ts';

const enrolledSchema = z.object({
  BaseUrl: z.string().min(1).max(2000),
  Audience: z.string().min(1).max(2000),
  ClientId: z.string().min(1).max(200),
});

/** If a gateway does not say when a code may be tried again. */
const usualWaitMs = 60_000;

/** The gateway's answer to this laptop, with the key that was created for it. */
interface Enrolled {
  readonly baseUrl: string;
  readonly audience: string;
  readonly clientId: string;
  readonly privateKey: KeyObject;
  /** Must be called once the key is stored with its connection. */
  readonly forget: () => Promise<void>;
}

/**
 * Exchanges a code for access to an office gateway. The key is created here and stored until the
 * connection works: if an answer is lost, the same code works again with the same key.
 * @throws {DeskError} base_url_invalid, code_refused, gateway_missing, and the errors of a request
 */
export async function enrol(
  options: EngineOptions,
  { gateway, code }: { readonly gateway: string; readonly code: string },
): Promise<Enrolled> {
  const { vault, clock } = options;
  const base = parseBaseUrl(trimEndOf(gateway.trim(), '/'));
  const url = new URL(`${trimEndOf(base.href, '/')}/v1/gateway/enrolments`);
  const digits = code.replaceAll(/[\s-]/g, '').toUpperCase();
  const made = createHash('sha256').update(`${url.href}\n${digits}`).digest('hex');
  const pendingId = `enrolment-${made.slice(0, 32)}`;
  const forget = () => deleteWorkspaceKeys(vault, pendingId);
  const privateKey = await pendingKey(options, pendingId);
  const transport = openTransport({ clock, ...clientPolicy(options) });
  try {
    const answer = await post(transport, url, {
      Code: digits,
      PublicKeyPem: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(),
    });
    if (answer.status !== 201) {
      const refused = await refusal(answer, url.host, clock.now());
      const { problem } = refused;
      // If the gateway refuses the code, the key for it is useless. A refusal without a reason may
      // be a proxy's, and the code may work with this key only.
      const isStated = problem.code === 'server_refused' && problem.params.title !== '';
      if (problem.code === 'code_refused' || isStated) await forget();
      throw refused;
    }
    const enrolled = enrolledSchema.safeParse(await readJson(answer, url.host));
    if (!enrolled.success) throw new DeskError('gateway_missing', { host: url.host });
    const { BaseUrl: baseUrl, Audience: audience, ClientId: clientId } = enrolled.data;
    return { baseUrl, audience, clientId, privateKey, forget };
  } finally {
    transport.close();
  }
}

async function pendingKey({ vault }: EngineOptions, pendingId: string): Promise<KeyObject> {
  try {
    return await openPrivateKey(vault, pendingId);
  } catch (error) {
    if (!(error instanceof DeskError) || error.code !== 'keychain_entry_lost') throw error;
  }
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 3072 });
  await storePrivateKey(vault, pendingId, privateKey);
  return privateKey;
}

async function post(transport: Transport, url: URL, body: object): Promise<Answer> {
  try {
    return await transport.send(
      {
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: Buffer.from(JSON.stringify(body)),
      },
      new AbortController().signal,
    );
  } catch (error) {
    throw error instanceof RequestFailure ? error.problem : error;
  }
}

async function refusal(answer: Answer, host: string, nowMs: number): Promise<DeskError> {
  const { status, headers } = answer;
  if (status === 401 || status === 404 || status === 405 || status < 300) {
    await discardBody(answer);
    return new DeskError('gateway_missing', { host });
  }
  const refused = await readRefusal(answer, host, String(headers['x-correlation-id'] ?? ''));
  if (refused.title === 'forbidden') return new DeskError('code_refused');
  if (status === 429) {
    const waitMs = parseRetryAfter(headers['retry-after'], nowMs) ?? usualWaitMs;
    const until = new Date(nowMs + waitMs).toISOString();
    return new DeskError('rate_limited', { retryAfterS: Math.ceil(waitMs / 1000), until });
  }
  return refusalError(refused);
}
