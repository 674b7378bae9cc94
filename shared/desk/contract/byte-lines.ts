/**
 * The bytes of documents and attachments in the browser shell travel over a separate WebSocket
 * (`/bytes`), on which both ends have proved who they are. It carries one request at a time.
 *
 * page → engine    {method, path, headers, hasBody}, then pieces of the body, then {isEnd}
 * engine → page    {isTaken} for each piece that it has taken
 * engine → page    {status, headers}, then pieces of the answer, then {isEnd}
 *
 * If the method is `TICKET`, a tag may request the path once over HTTP, with the ticket in
 * `headers`.
 */
export const pieceBytes = 256 * 1024;
/** The number of pieces that may be sent before the first is acknowledged. */
export const piecesAhead = 4;
export const ticketMethod = 'TICKET';
export const endMessage = JSON.stringify({ isEnd: true });
export const takenMessage = JSON.stringify({ isTaken: true });

export interface BytesHead {
  readonly method: string;
  /** The path of the address, still percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly hasBody: boolean;
}
