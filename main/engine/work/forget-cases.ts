import type { Database } from '../database/sqlite.ts';

/** What a removal of cases leaves without a name. */
export interface Forgotten {
  readonly files: number;
  /** Contents that nothing names any more. */
  readonly blobIds: readonly string[];
}

/**
 * Forgets what a person kept about these cases, and the files of their sent reports. The rows of the
 * outbox stay as proofs of delivery, with name, size and hash of each file. Drafts that are not
 * delivered are never touched.
 */
export function forgetCases(db: Database, caseIds: readonly string[]): Forgotten {
  return db.transaction(() => {
    const ids = JSON.stringify(caseIds);
    const ofCases = 'case_id IN (SELECT value FROM json_each(@ids))';
    const going = `SELECT d.id FROM drafts d LEFT JOIN outbox o ON o.id = d.queue_id
      WHERE d.${ofCases} AND (d.copy_of IS NOT NULL OR o.state = 'delivered')`;
    const files = db
      .prepare<[{ ids: string }], { sent: string; original: string | null }>(
        `SELECT blob_id AS sent, details ->> '$.original.blobId' AS original FROM attachments
         WHERE draft_id IN (${going})`,
      )
      .all({ ids });
    db.prepare(`DELETE FROM drafts WHERE id IN (${going})`).run({ ids });
    for (const table of ['visits', 'own_marks', 'notes', 'checklist_ticks'])
      db.prepare(`DELETE FROM ${table} WHERE ${ofCases}`).run({ ids });
    const isNamed = db.prepare<[string, string]>(
      `SELECT 1 FROM attachments WHERE blob_id = ? OR details ->> '$.original.blobId' = ?`,
    );
    const blobIds = new Set(files.flatMap(({ sent, original }) => [sent, original ?? []].flat()));
    return {
      files: files.length,
      blobIds: [...blobIds].filter((blobId) => isNamed.get(blobId, blobId) === undefined),
    };
  })();
}

/** Cases with a draft, typed text, or work that is not delivered: none of them is forgotten. */
export function casesInWork(db: Database): Set<string> {
  const rows = db
    .prepare<[], { id: string }>(
      `SELECT d.case_id AS id FROM drafts d LEFT JOIN outbox o ON o.id = d.queue_id
         WHERE d.copy_of IS NULL AND (d.queue_id IS NULL OR o.state != 'delivered')
       UNION SELECT case_id FROM edits
       UNION SELECT case_id FROM outbox WHERE state NOT IN ('delivered', 'discarded')`,
    )
    .all();
  return new Set(rows.map(({ id }) => id));
}
