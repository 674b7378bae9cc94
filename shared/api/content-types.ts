/** Media types that a document may have (decisions, "Documents"). */
export const documentContentTypes = [
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/tiff',
  'text/plain',
  'text/csv',
  'message/rfc822',
  'application/zip',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
] as const;
export type DocumentContentType = (typeof documentContentTypes)[number];
