/**
 * The byte streams next to the contract, which are the same in both shells. Names are sent in
 * headers, never in the address.
 * - GET  files/documents/{caseId}/{documentId}   decrypted content, byte ranges
 * - GET  files/attachments/{draftId}/{attachmentId}
 * - GET  files/originals/{draftId}/{attachmentId}    the file as the user added it
 * - POST files/drafts/{draftId}/attachments      body: the bytes; answers an attachment
 * - POST files/batches/{batchId}                body: the bytes of a file, by its path in the batch
 * - POST files/renditions/{draftId}/{attachmentId}   body: what is sent in place of the original
 *
 * They are not in the file of the contract's schemas, so that the window starts without the schema
 * library.
 */
export const fileNameHeader = 'x-file-name';
/** The window has checked a photo, and the photo is sent unchanged. */
export const seenHeader = 'x-seen';
export const salvageSaleHeader = 'x-salvage-sale';
/** The details of a rendition as JSON (shared/photos/details.ts). */
export const renditionHeader = 'x-rendition';
/** All headers that a shell passes on to the engine. */
export const uploadHeaders = [fileNameHeader, seenHeader, salvageSaleHeader, renditionHeader];

/**
 * A header of the browser shell. If a document is dropped on another program, that program loads an
 * address with a ticket, which is valid once and for one minute
 * (shared/desk/contract/byte-lines.ts).
 */
export const ticketParameter = 'ticket';
/** The WebSocket was closed because the page did not prove itself. */
export const unknownSessionCode = 4401;
