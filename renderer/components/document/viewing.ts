import type { PageBox } from '#shared/lib/find-totals.ts';
import type { Problem } from '../../lib/problem.ts';
import type { ScanView } from '../../lib/scans/recognizer.ts';

export interface ViewedFile {
  readonly id: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** A place in a document, which is shown when the document opens. */
export interface ViewedPlace {
  readonly documentId: string;
  /** The number of the page, counted from 1. */
  readonly page: number;
  readonly box: PageBox;
}

/** The documents that the viewer shows one at a time. */
export interface Viewing {
  documents: readonly ViewedFile[];
  current: string;
  /** Each call sets a new object, even for the same place. */
  place?: ViewedPlace;
  /** Address of a document's bytes. */
  url: (documentId: string) => string;
  /**
   * Downloads a document to this laptop if it is not here yet. Resolves to the problem, or null.
   */
  bring?: (documentId: string) => Promise<Problem | null>;
  /** Opens a document in the system's program for it. Resolves to the problem, or null. */
  openWith?: (documentId: string) => Promise<Problem | null>;
  /** Returns null if the document has no page to recognize. */
  scanOf?: (documentId: string) => ScanView | null;
  recognize?: (documentId: string) => void;
}
