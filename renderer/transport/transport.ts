import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { inject, type InjectionKey, shallowRef } from 'vue';
import type { contract } from '#shared/desk/contract/contract.ts';
import {
  type LinePurpose,
  UnansweredProofError,
  UnprovenError,
} from '#shared/desk/contract/page-proof.ts';
import { useByteLines } from '../lib/desk-bytes.ts';
import { setDeskCode } from '../lib/desk-code.ts';
import { createByteLines } from './byte-lines.ts';
import { createFileAccess, type FileAccess } from './files.ts';
import { createPortLink, createSocketLink } from './links.ts';
import { prove, UnknownSecretError } from './prove.ts';
import { openSession } from './session.ts';

/** The contract in the form in which the window calls it. */
export type DeskClient = ContractRouterClient<typeof contract>;

/** Both ways into the engine: calls and bytes. */
export interface Transport {
  readonly client: DeskClient;
  readonly files: FileAccess;
}

export const transportKey: InjectionKey<Transport> = Symbol('transport');

/** Returns the transport that the application was given. Only stores use it. */
export function useTransport(): Transport {
  const transport = inject(transportKey);
  if (!transport) throw new Error('no transport was provided');
  return transport;
}

/**
 * Whether the engine runs but does not know this page, because its link was used or its session is
 * over.
 */
export const isRefused = shallowRef(false);

/**
 * The code with which a browser closes the lines of a page that is being left (RFC 6455, section
 * 7.4.1). The engine never uses it, and a line has another code if its engine is gone.
 */
const leftCode = 1001;

/**
 * Opens the transport that fits the page's own protocol: message ports for `desk:`, WebSockets for
 * http.
 */
export async function openTransport(page: Window): Promise<Transport> {
  if (page.location.protocol === 'desk:')
    return {
      client: createORPCClient(createPortLink(page)),
      files: createFileAccess('desk://files/', true),
    };
  let isProven = false;
  let isLeft = false;
  const session = await openSession(page, { isProven: () => isProven, isLeft: () => isLeft });
  /** Opens a line on which the engine and the page have proved who they are. */
  const open = async (purpose: LinePurpose): Promise<WebSocket> => {
    const secret = session.secret();
    const { host } = page.location;
    // A line for bytes is opened only while the engine has proved who it is, and waits for nothing
    // else.
    if (secret === null || (purpose === 'bytes' && !isProven))
      throw new UnprovenError('the engine has not proved itself');
    const socket = new WebSocket(`ws://${host}/${purpose}`);
    socket.binaryType = 'arraybuffer';
    try {
      session.onProven(await prove(socket, secret, { purpose, authority: host }));
    } catch (error) {
      isLeft = false;
      if (error instanceof UnansweredProofError) session.onUnanswered(error.next);
      isRefused.value = error instanceof UnknownSecretError && !session.onUnknown();
      throw error;
    }
    isRefused.value = false;
    return socket;
  };
  const link = createSocketLink(
    () => open('contract'),
    (isOpen, code) => {
      isProven = isOpen;
      isLeft = code === leftCode;
      setDeskCode(isOpen ? 'safe' : 'unsafe');
    },
  );
  useByteLines(createByteLines(() => open('bytes')));
  return {
    client: createORPCClient(link),
    files: createFileAccess(new URL('files/', page.location.href).pathname, false),
  };
}
