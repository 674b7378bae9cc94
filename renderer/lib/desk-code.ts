import { DeskUnreachableError } from './problem.ts';

/**
 * Whether a worker may be started. The digests of the pages' chunks are in the import map of the
 * page, so that another server cannot provide them. No browser checks a digest for workers. So in
 * the browser shell a worker is started only while the engine has proved who it is, and the
 * workers' files are stored in the browser's cache, with a check of their digests, as soon as the
 * window is open.
 */
let state: 'safe' | 'unsafe' = 'safe';

export const setDeskCode = (now: typeof state): void => void (state = now);

export const isCodeSafe = (): boolean => state === 'safe';

export const notSafe = (): Error => new DeskUnreachableError('the desk does not answer');

/** @throws {DeskUnreachableError} if a worker's code could be another server's */
export function assertCodeIsSafe(): void {
  if (!isCodeSafe()) throw notSafe();
}

/** Whether the file belongs to the workers: their scripts, imports, and the decoders of pdf.js. */
const isOfWorkers = (path: string) =>
  /^\/(?:assets\/(?:in-worker-|[a-z]+-worker-)|pdfjs\/wasm\/)/.test(path);

/** Stores the workers' files in the browser's cache, after a check that each is the built one. */
export async function storeWorkers(page: Window): Promise<void> {
  const map = page.document.querySelector('script[type="importmap"]')?.textContent;
  if (map === undefined) return;
  // The desk writes the map into the page. The desktop shell and tests have no map.
  const { integrity } = JSON.parse(map) as { integrity: Record<string, string> };
  for (const [path, digest] of Object.entries(integrity))
    // A file that could not be stored is requested when it is needed.
    if (isOfWorkers(path))
      await page
        .fetch(path, { integrity: digest, priority: 'low' })
        .then((response) => response.arrayBuffer())
        .catch(() => undefined);
}
