import type { PageBox } from '#shared/lib/find-totals.ts';
import type { Problem } from '../../composables/problem.ts';
import type { ScanView } from '../../composables/scans/recognizer.ts';

export interface ViewedFile {
  readonly id: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** A place in a document that is shown when it opens. */
export interface ViewedPlace {
  readonly documentId: string;
  /** Counted from 1. */
  readonly page: number;
  readonly box: PageBox;
}

/** Documents that are read, one at a time. */
export interface Viewing {
  documents: readonly ViewedFile[];
  current: string;
  /** A new object each time that the place is shown. */
  place?: ViewedPlace;
  /** Address of a document's bytes. */
  url: (documentId: string) => string;
  /** Brings a document onto this laptop if it is not here yet; what stored it away, or null. */
  bring?: (documentId: string) => Promise<Problem | null>;
  /** Gives a document to the system's program for it; what went wrong, or null. */
  openWith?: (documentId: string) => Promise<Problem | null>;
  /** Null if no page of a document is to be recognized. */
  scanOf?: (documentId: string) => ScanView | null;
  recognize?: (documentId: string) => void;
}
