import { z } from 'zod';
import { DeskError } from '#shared/desk/errors.ts';
import { operationUrl } from './call.ts';
import { type NetworkOptions, openTransport, parseBaseUrl } from './connection.ts';
import { readJson, readRefusal, refusalError } from './read-answer.ts';
import { RequestFailure } from './transport.ts';

const enrolmentSchema = z.object({
  BaseUrl: z.string(),
  Audience: z.string(),
  ClientId: z.string(),
});

/**
 * Gives an office gateway a code and the public part of a key, in exchange for a client id. The same
 * code with the same key has the same answer, so it may be asked for again if one was lost.
 * @param publicKeyPem of an RSA key
 * @throws {DeskError} base_url_invalid, enrolment_code_wrong, answer_invalid, those of the network
 */
export async function enrol(
  { gateway, code, publicKeyPem }: { gateway: string; code: string; publicKeyPem: string },
  network: NetworkOptions,
): Promise<{ baseUrl: string; audience: string; clientId: string }> {
  const url = operationUrl(parseBaseUrl(gateway), '/v1/gateway/enrolments');
  const body = Buffer.from(JSON.stringify({ Code: code, PublicKeyPem: publicKeyPem }));
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'content-length': String(body.length),
  };
  const transport = openTransport(network);
  try {
    const signal = new AbortController().signal;
    const answer = await transport.send({ method: 'POST', url, headers, body }, signal);
    if (answer.status !== 201) {
      const refusal = await readRefusal(answer, url.host, '');
      throw refusal.title === 'forbidden'
        ? new DeskError('enrolment_code_wrong')
        : refusalError(refusal);
    }
    const parsed = enrolmentSchema.safeParse(await readJson(answer, url.host));
    if (!parsed.success) {
      const field = parsed.error.issues[0]?.path.join('.') ?? '';
      throw new DeskError('answer_invalid', { operation: 'enrol', detail: field });
    }
    const { BaseUrl, Audience, ClientId } = parsed.data;
    return { baseUrl: BaseUrl, audience: Audience, clientId: ClientId };
  } catch (error) {
    throw error instanceof RequestFailure ? error.problem : error;
  } finally {
    transport.close();
  }
}
