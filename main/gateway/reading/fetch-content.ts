import type { PassThrough } from 'node:stream';
import type { Kysely } from 'kysely';
import { storeContent, type StagedContent } from '../../front/contents/contents.ts';
import { drained } from '../../front/upload-operation.ts';
import type { DocumentsTable, GatewayTables } from '../tables.ts';
import type { Upstream } from '../upstream.ts';
import { failureFor } from '../writing/outcome.ts';
import { createContentCopy, type CopyParts } from './content-copy.ts';

/**
 * The time within which a client must accept a piece. One that lost its network accepts none until
 * its connection ends, and the others would wait for the document.
 */
const stalledAfterMs = 20_000;

interface FetchParts extends CopyParts {
  readonly upstream: Pick<Upstream, 'fetchDocument'>;
}

/**
 * Fetches a document, passes its bytes to `out`, and stores it, even if the client disconnects or
 * accepts nothing more. If the document cannot be stored, it is still passed on.
 */
export async function fetchContent(
  parts: FetchParts,
  clientId: string,
  { id, case_id: caseId }: Pick<DocumentsTable, 'id' | 'case_id'>,
  out: PassThrough,
): Promise<void> {
  const { upstream, clock } = parts;
  // Whoever reads `out` gets its failure; a client may have left before it was read.
  out.on('error', () => undefined);
  const copy = createContentCopy(parts);
  try {
    await upstream.fetchDocument({ client: clientId }, caseId, id, async (bytes) => {
      await copy.push(bytes);
      // The bytes are copied, because their memory is reused.
      if (out.destroyed || out.write(Buffer.from(bytes))) return;
      const giveUp = clock.after(stalledAfterMs, () =>
        out.destroy(new Error('the client stalled')),
      );
      await drained(out).finally(giveUp);
    });
    await copy.store((content) => storeFetched(parts, id, content));
    out.end();
  } catch (error) {
    out.destroy(failureFor(error));
    throw error;
  } finally {
    await copy.end();
  }
}

function storeFetched(
  { db, clock }: FetchParts,
  documentId: string,
  content: StagedContent,
): Promise<boolean> {
  return db.transaction().execute(async (transaction: Kysely<GatewayTables>) => {
    const row = await transaction
      .selectFrom('documents')
      .select('content_id')
      .where('id', '=', documentId)
      .executeTakeFirst();
    // Another process may have stored the document during the fetch.
    if (row?.content_id !== null) return false;
    await storeContent(transaction, content, clock.now());
    await transaction
      .updateTable('documents')
      .set({ content_id: content.contentId, size_bytes: content.sizeBytes })
      .where('id', '=', documentId)
      .execute();
    return true;
  });
}
