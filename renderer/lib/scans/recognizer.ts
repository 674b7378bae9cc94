import { inject, type InjectionKey } from 'vue';
import type {
  RecognizedPage,
  ScanFault,
  ScannedDocument,
  ScannedPage,
} from '#shared/desk/reports/scans.ts';
import { readWhole } from '../desk-bytes.ts';
import { assertCodeIsSafe } from '../desk-code.ts';
import type { Problem } from '../problem.ts';
import { askWorker } from '../tasks.ts';

/** A task for the worker: a drawn page, or a page of a picture file. */
export type ScanTask = (
  | { readonly picture: ImageBitmap }
  | { readonly content: Blob; readonly page: number }
) & {
  /** The text of the page is known, so only its codes are read. */
  readonly hasText: boolean;
};

/** The result for a page. */
export type ReadPage =
  | Pick<RecognizedPage, 'text' | 'totals' | 'bills' | 'pages'>
  | { readonly fault: Exclude<ScanFault, 'gave_up'> };

/**
 * The answer of the worker. `isBroken` means that the recognition itself could not be started,
 * which is not the page's fault.
 */
export type ScanAnswer = ReadPage | { readonly isBroken: true };

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
  let worker: Worker | null = null;
  const rest = () => {
    worker?.terminate();
    worker = null;
  };
  async function ask(task: ScanTask): Promise<ReadPage> {
    if (!worker) assertCodeIsSafe();
    worker ??= new Worker(new URL('./scan-worker.ts', import.meta.url), {
      type: 'module',
      name: 'scan-worker',
    });
    const transfer = 'picture' in task ? [task.picture] : [];
    const answer = await askWorker<ScanAnswer>(worker, task, { timeoutMs, transfer });
    if (typeof answer === 'object' && !('isBroken' in answer)) return answer;
    rest();
    if (answer === 'late') return { fault: 'too_slow' };
    throw new Error('the recognition does not work');
  }
  return {
    async read({ contentType, page, hasText }, url) {
      if (contentType === 'application/pdf') {
        const { drawPdfPage } = await import('../pdf/open-pdf.ts');
        const drawn = await drawPdfPage(url, page, drawing);
        return 'fault' in drawn ? drawn : ask({ picture: await createImageBitmap(drawn), hasText });
      }
      return ask({ content: await readWhole(url), page, hasText });
    },
    rest,
  };
}

let recognizer: Recognizer | null = null;

/** Returns the window's own recognizer, unless another one is provided. */
export const useRecognizer = (): Recognizer =>
  inject(recognizerKey, () => (recognizer ??= createRecognizer()), true);
