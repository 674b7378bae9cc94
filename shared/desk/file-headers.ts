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
