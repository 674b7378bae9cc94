/*
 * What a download of documents takes: a list for each case whose list is missing or old, and a
 * request for each document. How many documents an unread list has is not known; it is expected to
 * have as many as the others, so that the end is known before the last list is read.
 */

/** Lists, and the documents that they have. */
export interface ListedDocuments {
  readonly lists: number;
  readonly documents: number;
}

/** The work of a download, as far as it is known. */
export interface FetchWork {
  /** The number of lists that are still read, and how many of them were never read before. */
  readonly unread: number;
  readonly neverRead: number;
  /** The number of known documents that are still downloaded. */
  readonly contents: number;
  /** The lists that this download read for the first time. */
  readonly sample: ListedDocuments;
  /** The lists that were known before this download. */
  readonly known: ListedDocuments;
  /** The average time of a request after its wait for the limits; null before the first one. */
  readonly listMs: number | null;
  readonly contentMs: number | null;
}

export interface FetchPlan {
  /** The number of requests that are still sent. */
  readonly requests: number;
  /** The time that they take at the pace until now, without limits (ms). */
  readonly paceMs: number;
  /** Whether documents are counted that no list has shown yet. */
  readonly isEstimate: boolean;
}

/** The number of lists of this download that count as much as all that were known before. */
const knownWeight = 5;

/** What is still to be done; null if nobody knows how many documents a list has. */
export function fetchPlan(work: FetchWork): FetchPlan | null {
  const { unread, neverRead, contents, listMs, contentMs } = work;
  const each = neverRead === 0 ? 0 : documentsPerList(work);
  if (each === null) return null;
  const documents = contents + neverRead * each;
  return {
    requests: Math.ceil(unread + documents),
    paceMs: Math.round(unread * (listMs ?? 0) + documents * (contentMs ?? 0)),
    isEstimate: unread > 0,
  };
}

function documentsPerList({ sample, known }: FetchWork): number | null {
  if (known.lists === 0) return sample.lists === 0 ? null : sample.documents / sample.lists;
  const usual = known.documents / known.lists;
  return (sample.documents + knownWeight * usual) / (sample.lists + knownWeight);
}
