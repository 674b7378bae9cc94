import { inject, type InjectionKey } from 'vue';
import type {
  RecognizedPage,
  ScanFault,
  ScannedDocument,
  ScannedPage,
} from '#shared/desk/scans.ts';
import { readWhole } from '../desk-bytes.ts';
import type { Problem } from '../problem.ts';
import { askWorker } from '../tasks.ts';

/** What the worker is asked for: a drawn page, or a page of a picture file. */
export type ScanTask =
  | { readonly picture: ImageBitmap }
  | { readonly content: Blob; readonly page: number };

/** What became of a page. */
export type ReadPage =
  | Pick<RecognizedPage, 'text' | 'totals' | 'pages'>
  | { readonly fault: Exclude<ScanFault, 'gave_up'> };

/** The recognition itself could not be started: not the page's fault. */
export type ScanAnswer = ReadPage | { readonly isBroken: true };

/** How far the recognition of a document is. */
export interface ScanView extends Omit<ScannedDocument, 'documentId'> {
  /** The user asked for it. */
  readonly isBusy: boolean;
  readonly problem: Problem | null;
}

/** Recognizes one page at a time. */
export interface Recognizer {
  /** @throws if the bytes or the recognition itself are not given, which is not the page's fault */
  readonly read: (page: ScannedPage, url: string) => Promise<ReadPage>;
  /** Gives the memory back until the next page. */
  readonly rest: () => void;
}

export const recognizerKey: InjectionKey<Recognizer> = Symbol('recognizer');

/** A page is recognized best at 300 dots per inch. */
const drawing = {
  longEdge: 3508,
  scaleMax: 300 / 72,
  // As for a printer: a window that is out of sight draws nothing for the screen.
  intent: 'print',
  timeoutMs: 30_000,
} as const;

/** A page that takes longer is not worth its words. */
const timeoutMs = 120_000;

function createRecognizer(): Recognizer {
  let worker: Worker | null = null;
  const rest = () => {
    worker?.terminate();
    worker = null;
  };
  async function ask(task: ScanTask): Promise<ReadPage> {
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
    async read({ contentType, page }, url) {
      if (contentType === 'application/pdf') {
        const { drawPdfPage } = await import('../open-pdf.ts');
        const drawn = await drawPdfPage(url, page, drawing);
        return 'fault' in drawn ? drawn : ask({ picture: await createImageBitmap(drawn) });
      }
      return ask({ content: await readWhole(url), page });
    },
    rest,
  };
}

let recognizer: Recognizer | null = null;

/** The window's own, unless another is provided. */
export const useRecognizer = (): Recognizer =>
  inject(recognizerKey, () => (recognizer ??= createRecognizer()), true);
