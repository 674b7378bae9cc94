/**
 * The byte streams beside the contract, the same over both shells. Names travel in headers, never
 * in the address.
 * - GET  files/documents/{caseId}/{documentId}   decrypted content, byte ranges
 * - GET  files/attachments/{draftId}/{attachmentId}
 * - POST files/drafts/{draftId}/attachments      body: the bytes; answers an attachment
 *
 * Apart from the contract's schemas, so that the window starts without them.
 */
export const fileNameHeader = 'x-file-name';
export const salvageSaleHeader = 'x-salvage-sale';

/**
 * The browser shell's: the page proves itself with this header, and as the WebSocket's first
 * message. What a tag loads bears a ticket in its address, which serves once and for a minute:
 * `POST /tickets` with the ticket, made by the page, and the path that it is for.
 */
export const sessionHeader = 'x-desk-session';
export const ticketParameter = 'ticket';
/** The WebSocket was closed because the page did not prove itself. */
export const unknownSessionCode = 4401;
