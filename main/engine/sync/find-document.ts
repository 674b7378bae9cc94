import { DeskError } from '#shared/desk/contract/errors.ts';
import type { DeliveryProof } from '#shared/desk/delivery/queue.ts';
import {
  assertReadable,
  type ClientSubmissionDocument,
  type TolerantPage,
  type UnreadableItem,
} from '../../partner/answers/answers.ts';
import type { Answered } from '../../partner/requests/call.ts';
import { unlessAfterLast } from '../../partner/pull/list-reading.ts';

type Page = TolerantPage<ClientSubmissionDocument>;

interface Search {
  /** Reads a page of X12. */
  readonly read: (page: { page: number; size: number }) => Promise<Answered<Page>>;
  readonly matches: (candidate: ClientSubmissionDocument) => boolean;
  readonly proofOf: (answered: Answered<Page>, found: ClientSubmissionDocument) => DeliveryProof;
  /** The number of documents of the submission that certainly belong to this report. */
  readonly known: number;
}

/** The most documents of others that a search skips. */
const foreignMax = 30;

/**
 * Searches one document among those of a submission. Each page has one document, because the answer
 * contains the content.
 * @returns null if the document certainly does not exist
 * @throws {DeskError} answer_invalid if pages repeat or do not end, because the document may exist
 *   then
 */
export async function findDocument(search: Search): Promise<DeliveryProof | null> {
  const pages = new Pages(search);
  const first = await pages.read(1);
  // The submission has only the documents that this report has delivered. They are compared again
  // before it is submitted.
  if (first.proof || first.total <= search.known) return first.proof;
  const met = new Set(first.ids);
  // The last document is most likely the newest.
  for (let page = first.total; page > 1; page -= 1) {
    const { proof, ids } = await pages.read(page);
    if (proof) return proof;
    if (ids.every((id) => met.has(id))) return await findFromFront(pages, first.ids);
    ids.forEach((id) => met.add(id));
  }
  assertReadable('X12', pages.unreadable);
  return null;
}

/**
 * Searches from the front, because Total is higher than the number of documents, or pages repeat.
 */
async function findFromFront(
  pages: Pages,
  first: readonly string[],
): Promise<DeliveryProof | null> {
  const met = new Set(first);
  for (let page = 2; ; page += 1) {
    const { proof, ids } = await pages.read(page);
    if (proof) return proof;
    if (ids.length === 0) break;
    if (ids.every((id) => met.has(id))) throw endless();
    ids.forEach((id) => met.add(id));
  }
  assertReadable('X12', pages.unreadable);
  return null;
}

class Pages {
  readonly unreadable: UnreadableItem[] = [];
  readonly #search: Search;
  /** Each document may be read twice. */
  readonly #max: number;
  #count = 0;

  constructor(search: Search) {
    this.#search = search;
    this.#max = 2 * (search.known + foreignMax);
  }

  async read(page: number) {
    this.#count += 1;
    if (this.#count > this.#max) throw endless();
    const { read, matches, proofOf } = this.#search;
    const answered = await unlessAfterLast(page, () => read({ page, size: 1 }));
    if (!answered) return { proof: null, total: 0, ids: [] };
    const { items, unreadable, total } = answered.value;
    this.unreadable.push(...unreadable);
    const found = items.find(matches);
    const ids = [...items, ...unreadable].map(({ id }) => id);
    return { proof: found ? proofOf(answered, found) : null, total, ids };
  }
}

const endless = () => new DeskError('answer_invalid', { operation: 'X12', detail: 'Total' });
