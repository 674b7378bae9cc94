import type { z } from 'zod';
import { isSameId } from '#shared/api/conventions.ts';
import type { OperationId } from '#shared/api/routes.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import {
  documentContentAnswer,
  pageAnswer,
  submissionDocumentAnswer,
  submissionDocumentHead,
  tolerantPageAnswer,
  type documentAnswer,
  type ClientSubmissionDocument,
  type TolerantPage,
} from '../answers/answers.ts';
import type { Call } from './call.ts';
import { createDigester, scanAnswer } from '../answers/document-bodies.ts';
import { checked, type Paging, queryOf } from './requests.ts';
import type { Exchanged } from './signed-request.ts';

/* The calls whose answers contain documents. */

/** Receives a content in pieces. Each piece is reused after the returned promise has resolved. */
export type Sink = (chunk: Uint8Array) => void | Promise<void>;

/**
 * X7. The content is passed to `sink` decoded, while it arrives. The bytes are reused after the
 * sink has resolved.
 */
export function documentCall(
  caseId: string,
  documentId: string,
  sink: Sink,
): Call<z.output<typeof documentAnswer>> {
  const content = intoSink('X7', sink);
  return {
    operation: 'X7',
    params: { caseId, documentId },
    mayRepeat: content.mayRepeat,
    async read(exchanged) {
      const { found, contents, sizeBytes } = await content.read(exchanged);
      const { document } = checked('X7', documentContentAnswer, found);
      // Two contents were written into one sink and cannot be separated.
      if (contents !== 1) throw contentInvalid('X7');
      if (!isSameId(document.id, documentId))
        throw new DeskError('answer_invalid', { operation: 'X7', detail: 'Id' });
      return { ...document, sizeBytes };
    },
  };
}

/** X12. The contents are hashed, not stored. One document per page limits the memory. */
export function submissionDocumentsCall(
  submissionId: string,
  page: Paging,
): Call<TolerantPage<ClientSubmissionDocument>> {
  return {
    operation: 'X12',
    params: { submissionId },
    query: queryOf(page),
    async read({ answer, host }) {
      const { receiver, digests } = createDigester();
      const found = await scanAnswer(answer, { host, operation: 'X12' }, receiver);
      const { items, ...envelope } = checked('X12', submissionDocumentPage, found);
      return {
        ...envelope,
        items: items.map(({ document, content }) => {
          const digest = digests[content];
          if (!digest) throw contentInvalid('X12');
          return { ...document, ...digest };
        }),
      };
    },
  };
}

/** X12 for the document at one place of the list. Its content is passed on as in `documentCall`. */
export function submissionDocumentCall(
  submissionId: string,
  place: number,
  sink: Sink,
): Call<{
  total: number;
  document: Omit<ClientSubmissionDocument, 'sha256'> | null;
  hasContent: boolean;
}> {
  const content = intoSink('X12', sink);
  return {
    operation: 'X12',
    params: { submissionId },
    query: queryOf({ page: place, size: 1 }),
    mayRepeat: content.mayRepeat,
    async read(exchanged) {
      const { found, contents } = await content.read(exchanged);
      const { items, total } = checked('X12', submissionDocumentHeads, found);
      // Two contents were written into one sink and cannot be separated.
      if (contents > 1 || items.length > 1) throw contentInvalid('X12');
      return { total, document: items[0] ?? null, hasContent: contents === 1 };
    },
  };
}

/**
 * Passes the contents of answers to `sink`. Until the sink has received bytes, the request may be
 * repeated.
 */
function intoSink(operation: OperationId, sink: Sink) {
  let sizeBytes = 0;
  return {
    mayRepeat: () => sizeBytes === 0,
    /** @returns the answer without its contents, and the number of contents */
    async read({ answer, host }: Exchanged) {
      let contents = 0;
      const found = await scanAnswer(
        answer,
        { host, operation },
        {
          begin() {
            contents++;
          },
          data(bytes) {
            sizeBytes += bytes.length;
            return sink(bytes);
          },
          end: () => undefined,
        },
      );
      return { found, contents, sizeBytes };
    },
  };
}

const submissionDocumentPage = tolerantPageAnswer(submissionDocumentAnswer);
const submissionDocumentHeads = pageAnswer(submissionDocumentHead);

const contentInvalid = (operation: OperationId) =>
  new DeskError('answer_invalid', { operation, detail: 'ContentBase64' });
