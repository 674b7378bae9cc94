import { DeskError } from '#shared/desk/errors.ts';
import type { DeliveryProof } from '#shared/desk/queue.ts';
import {
  assertReadable,
  type ClientSubmissionDocument,
  type TolerantPage,
  type UnreadableItem,
} from '../../partner/answers.ts';
import type { Answered } from '../../partner/call.ts';
import { isRefusedPage } from '../../partner/list-reading.ts';

type Page = TolerantPage<ClientSubmissionDocument>;

interface Search {
  /** X12 */
  readonly read: (page: { page: number; size: number }) => Promise<Answered<Page>>;
  readonly matches: (candidate: ClientSubmissionDocument) => boolean;
  readonly proofOf: (answered: Answered<Page>, found: ClientSubmissionDocument) => DeliveryProof;
  /** Documents of the submission that are this report's for certain. */
  readonly known: number;
}

/** Documents of others that a draft may have; a search reads past this number of them. */
const foreignMax = 30;

/**
 * Looks for one document among those of a submission, one a page, because each brings its content.
 * @returns null if it is certainly not there
 * @throws {DeskError} answer_invalid if the pages repeat or do not come to an end: what was not on
 * them may be there
 */
export async function findDocument(search: Search): Promise<DeliveryProof | null> {
  const pages = new Pages(search);
  const first = await pages.read(1);
  // Nothing is there but what this report has delivered; it is compared again before it is submitted.
  if (first.proof || first.total <= search.known) return first.proof;
  const met = new Set(first.ids);
  // The last one is most likely the newest.
  for (let page = first.total; page > 1; page -= 1) {
    const { proof, ids } = await pages.read(page);
    if (proof) return proof;
    if (ids.every((id) => met.has(id))) return await findFromFront(pages, first.ids);
    ids.forEach((id) => met.add(id));
  }
  assertReadable('X12', pages.unreadable);
  return null;
}

/** Total is higher than the number of documents, or pages repeat. */
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
  /** Each may be read twice. */
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
    try {
      const answered = await read({ page, size: 1 });
      const { items, unreadable, total } = answered.value;
      this.unreadable.push(...unreadable);
      const found = items.find(matches);
      const ids = [...items, ...unreadable].map(({ id }) => id);
      return { proof: found ? proofOf(answered, found) : null, total, ids };
    } catch (error) {
      // Some servers refuse a page after the last.
      if (page === 1 || !isRefusedPage(error)) throw error;
      return { proof: null, total: 0, ids: [] };
    }
  }
}

const endless = () => new DeskError('answer_invalid', { operation: 'X12', detail: 'Total' });
