import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { DocumentRecord } from '../cache/document-store.ts';

/** The waits before a content whose answer was wrong is downloaded again in the background. */
const firstWaitMs = 3_600_000;
const longestWaitMs = 24 * 3_600_000;

interface Sick {
  readonly error: DeskError;
  readonly sizeBytes: number;
  readonly waitMs: number;
  readonly untilMs: number;
}

/**
 * The contents whose answer was wrong, such as one of another size than the list says. Each round
 * would download them again, and the next answer is most likely the same. A list that says
 * something else, the user and a restart do not wait.
 */
export class SickContents {
  readonly #clock: Clock;
  readonly #sick = new Map<string, Sick>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The error of the last download, for as long as the content is not downloaded again. */
  errorOf(document: DocumentRecord): DeskError | null {
    const sick = this.#sick.get(keyOf(document));
    if (sick?.sizeBytes !== document.sizeBytes) return null;
    return sick.untilMs > this.#clock.monotonic() ? sick.error : null;
  }

  /** Notes that a content is stored. */
  noteStored(document: DocumentRecord): void {
    this.#sick.delete(keyOf(document));
  }

  /** Notes why a download failed. A failure that says nothing about the content changes nothing. */
  noteFailed(document: DocumentRecord, error: unknown): void {
    if (!(error instanceof DeskError) || error.code !== 'answer_invalid') return;
    const key = keyOf(document);
    const before = this.#sick.get(key);
    const { sizeBytes } = document;
    const isSame = before?.sizeBytes === sizeBytes;
    const waitMs = isSame ? Math.min(2 * before.waitMs, longestWaitMs) : firstWaitMs;
    const untilMs = this.#clock.monotonic() + waitMs;
    this.#sick.set(key, { error, sizeBytes, waitMs, untilMs });
  }
}

const keyOf = ({ caseId, id }: DocumentRecord): string => `${caseId} ${id}`;
