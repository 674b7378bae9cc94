import type { Kysely } from 'kysely';
import { isSameId } from '#shared/api/conventions.ts';
import { parseJson } from '#shared/lib/parse-json.ts';
import { ContentReader, isContentError } from '#shared/lib/content-reader.ts';
import { pageAnswer, submissionDocumentAnswer } from '../../partner/answers/answers.ts';
import { createDigester } from '../../partner/answers/document-bodies.ts';
import { maxWeight } from '../../partner/answers/read-answer.ts';
import { deleteContent, storeContent, type StagedContent } from '../../front/contents/contents.ts';
import type { PageRequest } from '../../front/request-schemas.ts';
import type { GatewayTables } from '../tables.ts';
import { createContentCopy, type CopyParts } from './content-copy.ts';

/* The stored pages of the documents of submitted reports (X12), byte for byte. */

type PageKey = PageRequest & { readonly submissionId: string };

/** Finds a stored page. */
export function findPage(db: Kysely<GatewayTables>, { submissionId, page, size }: PageKey) {
  return db
    .selectFrom('report_pages')
    .select(['content_id', 'size_bytes'])
    .where('submission_id', '=', submissionId)
    .where('page', '=', page)
    .where('size', '=', size)
    .executeTakeFirst();
}

/**
 * Passes a page on, and stores it if it is certainly one of this report's. Any other page is passed
 * on alone: the laptop reports what it cannot read, and the partner may mend it.
 */
export async function* relayAndStore(
  parts: CopyParts,
  key: PageKey,
  body: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  const copy = createContentCopy(parts);
  const check = createPageCheck(key.submissionId);
  try {
    for await (const piece of body) {
      await check.push(piece);
      await copy.push(piece);
      yield piece;
    }
    if (check.isWhole()) await copy.store((content) => storePage(parts, key, content));
  } finally {
    // The page is not whole, the client disconnected, or the partner's answer broke off.
    await copy.end();
  }
}

const pageSchema = pageAnswer(submissionDocumentAnswer);

/**
 * Checks a page while it is passed on. It is whole if it has documents, each of the report and with
 * a content of the size that the partner states. A page without documents may be filled later.
 */
function createPageCheck(submissionId: string) {
  const { receiver, digests } = createDigester();
  const reader = new ContentReader(receiver, { maxRestBytes: maxWeight, isCanonical: false });
  let isReadable = true;
  return {
    async push(piece: Uint8Array): Promise<void> {
      if (!isReadable) return;
      try {
        await reader.write(piece);
      } catch (error) {
        if (!isContentError(error)) throw error;
        isReadable = false;
      }
    },
    isWhole(): boolean {
      if (!isReadable) return false;
      const found = pageSchema.safeParse(parseJson(Buffer.from(reader.rest()).toString()));
      if (!found.success) return false;
      const { items } = found.data;
      return (
        items.length > 0 &&
        items.every(
          ({ document, content }) =>
            isSameId(document.submissionId, submissionId) &&
            digests[content]?.sizeBytes === document.sizeBytes,
        )
      );
    },
  };
}

function storePage(
  { db, clock }: CopyParts,
  { submissionId, page, size }: PageKey,
  content: StagedContent,
): Promise<boolean> {
  return db.transaction().execute(async (transaction: Kysely<GatewayTables>) => {
    await storeContent(transaction, content, clock.now());
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('report_pages')
      .values({
        submission_id: submissionId,
        page,
        size,
        size_bytes: content.sizeBytes,
        content_id: content.contentId,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    // Another request may have stored the page in the meantime.
    if (numInsertedOrUpdatedRows !== 1n) await deleteContent(transaction, content.contentId);
    return true;
  });
}
