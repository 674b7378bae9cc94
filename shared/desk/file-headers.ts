/**
 * The byte streams next to the contract, the same over both shells. Names travel in headers, never
 * in the address.
 * - GET  files/documents/{caseId}/{documentId}   decrypted content, byte ranges
 * - GET  files/attachments/{draftId}/{attachmentId}
 * - GET  files/originals/{draftId}/{attachmentId}    as the file came in
 * - POST files/drafts/{draftId}/attachments      body: the bytes; answers an attachment
 * - POST files/batches/{batchId}                body: the bytes of a file, by its path in the batch
 * - POST files/renditions/{draftId}/{attachmentId}   body: what is sent in place of the original
 *
 * Apart from the contract's schemas, so that the window starts without them.
 */
export const fileNameHeader = 'x-file-name';
/** The window looked at a photo, and it is sent as it is. */
export const seenHeader = 'x-seen';
export const salvageSaleHeader = 'x-salvage-sale';
/** What is known of a rendition, as JSON (shared/photos/details.ts). */
export const renditionHeader = 'x-rendition';
/** All of them: what a shell passes on to the engine. */
export const uploadHeaders = [fileNameHeader, seenHeader, salvageSaleHeader, renditionHeader];

/**
 * The browser shell's: the page proves itself with this header, and as the WebSocket's first
 * message. What a tag loads bears a ticket in its address, which serves once and for a minute:
 * `POST /tickets` with the ticket, made by the page, and the path that it is for.
 */
export const sessionHeader = 'x-desk-session';
export const ticketParameter = 'ticket';
/** The WebSocket was closed because the page did not prove itself. */
export const unknownSessionCode = 4401;
