import { isoTime } from '#shared/api/date-time.ts';
import type { Document } from '#shared/api/document.ts';
import type { ClaimDocumentsTable } from '../store/tables.ts';

/** A document without its content. */
export function documentView(row: ClaimDocumentsTable): Document {
  return {
    Id: row.id,
    FileName: row.file_name,
    ContentType: row.content_type,
    SizeBytes: row.size_bytes,
    CreatedAt: isoTime(row.created_at),
  };
}
