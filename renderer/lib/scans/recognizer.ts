import { inject, type InjectionKey } from 'vue';
import type {
  RecognizedPage,
  ScanFault,
  ScannedDocument,
  ScannedPage,
} from '#shared/desk/reports/scans.ts';
import type { PictureReading } from '#shared/lib/vehicle-marks.ts';
import { readWhole } from '../desk-bytes.ts';
import { assertCodeIsSafe } from '../desk-code.ts';
import type { Problem } from '../problem.ts';
import { type AskedWorker, askedWorker } from '../asked-worker.ts';

/** A task for the worker: a drawn page, or a page of a picture file. */
export type ScanTask = (
  | { readonly picture: ImageBitmap }
  | { readonly content: Blob; readonly page: number }
) & { readonly wanted: Wanted };

/**
 * What is read: text and bills of a page, or only its bills because its text is known; the codes of
 * a photo, or also its words.
 */
type Wanted = 'page' | 'bills' | 'codes' | 'codesAndWords';

/** The result for a page. */
export type ReadPage =
  | Pick<RecognizedPage, 'text' | 'totals' | 'bills' | 'pages'>
  | { readonly fault: Exclude<ScanFault, 'gave_up'> };

/** The result for a photo. */
export type ReadPicture = PictureReading | { readonly fault: Exclude<ScanFault, 'gave_up'> };

/**
 * The answer of the worker. `isBroken` means that the recognition itself could not be started,
 * which is not the page's fault.
 */
export type ScanAnswer = ReadPage | PictureReading | { readonly isBroken: true };

/** The state of the recognition of a document. */
export interface ScanView extends Omit<ScannedDocument, 'documentId'> {
  /** Whether the user asked for the recognition and it is not done. */
  readonly isBusy: boolean;
  readonly problem: Problem | null;
}

/** Recognizes one page at a time. */
export interface Recognizer {
  /** @throws if the bytes or the recognition are not available, which is not the page's fault */
  readonly read: (page: ScannedPage, url: string) => Promise<ReadPage>;
  /**
   * Reads the codes of a photo, and its words if they are wanted.
   * @throws as `read`
   */
  readonly readPicture: (content: Blob, withWords: boolean) => Promise<ReadPicture>;
  /** Releases the memory until the next page. */
  readonly rest: () => void;
}

export const recognizerKey: InjectionKey<Recognizer> = Symbol('recognizer');

/** A page is recognized best at 300 dots per inch. */
const drawing = {
  longEdge: 3508,
  scaleMax: 300 / 72,
  // The page is drawn as for a printer, because a window that is out of sight draws nothing for the
  // screen.
  intent: 'print',
  timeoutMs: 30_000,
} as const;

/** The timeout. The words of a page that takes longer are not worth the time. */
const timeoutMs = 120_000;

function createRecognizer(): Recognizer {
  let worker: AskedWorker | null = null;
  const rest = () => {
    worker?.end();
    worker = null;
  };
  async function ask<Answer extends object>(
    task: ScanTask,
  ): Promise<Answer | { readonly fault: 'too_slow' }> {
    if (!worker) assertCodeIsSafe();
    worker ??= askedWorker(
      new Worker(new URL('./scan-worker.ts', import.meta.url), {
        type: 'module',
        name: 'scan-worker',
      }),
    );
    const transfer = 'picture' in task ? [task.picture] : [];
    // The worker answers each task with the answer of its kind.
    const answer = await worker.ask<Answer | { readonly isBroken: true }>(task, {
      timeoutMs,
      transfer,
    });
    if (typeof answer === 'object' && !('isBroken' in answer)) return answer;
    rest();
    if (answer === 'late') return { fault: 'too_slow' };
    throw new Error('the recognition does not work');
  }
  return {
    async read({ contentType, page, hasText }, url) {
      const wanted = hasText ? 'bills' : 'page';
      if (contentType === 'application/pdf') {
        const { drawPdfPage } = await import('../pdf/open-pdf.ts');
        const drawn = await drawPdfPage(url, page, drawing);
        return 'fault' in drawn
          ? drawn
          : ask<ReadPage>({ picture: await createImageBitmap(drawn), wanted });
      }
      return ask<ReadPage>({ content: await readWhole(url), page, wanted });
    },
    readPicture: (content, withWords) =>
      ask<ReadPicture>({ content, page: 1, wanted: withWords ? 'codesAndWords' : 'codes' }),
    rest,
  };
}

let recognizer: Recognizer | null = null;

/** Returns the window's own recognizer, unless another one is provided. */
export const useRecognizer = (): Recognizer =>
  inject(recognizerKey, () => (recognizer ??= createRecognizer()), true);
