import type { Migration } from '../../database/migrate.ts';

/**
 * What the documents' names and texts say. Of its own, beside the cases' index: a case that changes
 * is entered there again, and must not have its documents read again for that.
 */
export const documentTexts: Migration = {
  name: 'document-texts',
  up(db) {
    db.exec(`
      CREATE INDEX documents_here ON documents (case_id) WHERE blob_id IS NOT NULL;

      -- place: the rowid in the index below
      CREATE TABLE document_texts (
        place INTEGER PRIMARY KEY,
        case_id TEXT NOT NULL REFERENCES cases (id) ON DELETE CASCADE,
        document_id TEXT NOT NULL,
        file_name TEXT NOT NULL,
        -- the content whose text is in the index; null where only the name is
        text_of TEXT,
        UNIQUE (case_id, document_id)
      ) STRICT;
      CREATE VIRTUAL TABLE document_search USING fts5 (
        text, content='', contentless_delete=1, prefix='1 2 3',
        tokenize='unicode61 remove_diacritics 2', detail='none'
      );

      INSERT INTO document_texts (case_id, document_id, file_name)
        SELECT case_id, id, file_name FROM documents;
      INSERT INTO document_search (rowid, text) SELECT place, file_name FROM document_texts;
    `);
  },
};
