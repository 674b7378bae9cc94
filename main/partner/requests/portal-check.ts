import { DeskError, paramOf } from '#shared/desk/contract/errors.ts';
import { discardBody, mediaTypeOf, portalStatus } from '../answers/read-answer.ts';
import type { Answer, Transport } from './transport.ts';

/** Decides whether an answer that is not the partner API's comes from a portal. */
export type PortalCheck = ReturnType<typeof createPortalCheck>;

/**
 * A web page in place of an answer comes from a portal if every request is answered so, even a
 * plain request for a case that does not exist. Otherwise it comes from the partner's side, such as
 * a firewall or a front server. A 404 means a wrong address, not a portal, and a 511 a portal.
 */
export function createPortalCheck(options: {
  transport: Transport;
  /** The address of a record that does not exist. */
  plainUrl: () => URL;
  closing: AbortSignal;
}) {
  const { transport, plainUrl, closing } = options;

  const isPlainAnsweredAlike = async ({ status }: Answer): Promise<boolean> => {
    const headers = { accept: 'application/json', 'accept-encoding': 'identity' };
    const request = { method: 'GET', url: plainUrl(), headers, body: null };
    try {
      const answer = await transport.send(request, closing);
      await discardBody(answer);
      return answer.status === status && isPage(answer);
    } catch {
      // The check itself failed, so nothing is known about a portal.
      return false;
    }
  };

  return {
    /**
     * @returns answer_foreign instead of captive_portal if there is no portal; otherwise the error
     *   itself
     */
    async judge(error: DeskError, answer: Answer): Promise<DeskError> {
      if (error.code !== 'captive_portal' || answer.status === portalStatus) return error;
      const isMissing = answer.status === 404 || answer.status === 410;
      if (!isMissing && isPage(answer) && (await isPlainAnsweredAlike(answer))) return error;
      const host = String(paramOf(error, 'host'));
      const found = String(paramOf(error, 'found'));
      return new DeskError(
        'answer_foreign',
        { host, status: answer.status, found },
        { cause: error },
      );
    },
  };
}

const isPage = (answer: Answer): boolean => mediaTypeOf(answer) === 'text/html';
