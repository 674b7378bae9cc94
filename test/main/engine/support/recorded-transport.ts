import { Readable } from 'node:stream';
import type { OutgoingRequest, TransportFactory } from '#main/partner/requests/transport.ts';

/** A request as it was sent, with its body as text. */
type Sent = Pick<OutgoingRequest, 'method' | 'url' | 'headers'> & { readonly text: string };
interface Given {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Creates a network stack that notes what is sent, and answers as a partner without cases.
 * @param answer another answer to a request, whose number counts from 1; null for the usual one
 */
export function recordedTransport(answer: (request: Sent, number: number) => Given | null) {
  const sent: Sent[] = [];
  const createTransport: TransportFactory = () => ({
    send({ method, url, headers, body }) {
      const text = body instanceof Uint8Array ? Buffer.from(body).toString() : '';
      const request = { method, url, headers, text };
      sent.push(request);
      const usual =
        method === 'POST'
          ? { access_token: 'a', expires_in: 600, token_type: 'DPoP' }
          : { Total: 0, Page: 1, Size: 1, Items: [] };
      const given = answer(request, sent.length) ?? { status: 200, body: usual };
      return Promise.resolve({
        status: given.status,
        headers: { 'content-type': 'application/json' },
        body: Readable.from([Buffer.from(JSON.stringify(given.body))]),
      });
    },
    close: () => undefined,
  });
  return { createTransport, sent };
}
