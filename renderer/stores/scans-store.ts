import { defineStore } from 'pinia';
import { shallowReactive } from 'vue';
import type { ScannedPage } from '#shared/desk/scans.ts';
import { toProblem, type Problem } from '../composables/problem.ts';
import { useRecognizer, type ScanView } from '../composables/scans/recognizer.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveData, useLiveMap } from './live-data.ts';
import { useLiveStore } from './live-store.ts';

type Asked = Pick<ScannedPage, 'caseId' | 'documentId'>;

/** Scans and photos whose text is recognized on this laptop, page by page. */
export const useScansStore = defineStore('scans', () => {
  const { client, files } = useTransport();
  const recognizer = useRecognizer();
  /** Documents with pages without text, by case, of the cases that are open. */
  const { data: byCase, load } = useLiveMap(async (id) => (await client.scans.of({ id })).items, {
    changedBy: (event) => (event.type === 'documents.changed' ? [event.caseId] : []),
  });
  const read = useLiveData(() => client.scans.state(), {
    changedBy: ({ type }) => type === 'documents.changed' || type === 'desk.changed',
    everyMs: 1000,
  });
  const state = read.data;
  /** Documents that the user asked for and that are not done. */
  const asked = shallowReactive(new Set<string>());
  const problems = shallowReactive(new Map<string, Problem>());

  /** What is known of the documents of a case, updated from now on. */
  async function open(caseId: string): Promise<void> {
    // Without it the viewer offers nothing; the case can be worked on.
    await Promise.all([load(caseId), state.value ?? read.load()]);
  }
  async function setAutomatic(isAutomatic: boolean): Promise<void> {
    state.value = await client.scans.setAutomatic({ isAutomatic });
  }

  /** Recognizes the next page. @returns whether there was one */
  async function recognizeNext(document?: Asked): Promise<boolean> {
    const { page } = await client.scans.next({ ...(document && { document }) });
    if (!page) return false;
    const read = await recognizer.read(page, files.documentUrl(page.caseId, page.documentId));
    if ('fault' in read) await client.scans.refused({ ...page, ...read });
    else await client.scans.recognized({ ...page, ...read });
    return true;
  }

  /** Recognizes a document that the user asked for. */
  async function recognize(caseId: string, documentId: string): Promise<void> {
    if (asked.has(documentId)) return;
    asked.add(documentId);
    problems.delete(documentId);
    try {
      await repeatInTurn(() => recognizeNext({ caseId, documentId }));
    } catch (error) {
      problems.set(documentId, toProblem(error));
    } finally {
      asked.delete(documentId);
    }
  }

  let mayGoOn = (): Promise<boolean> => Promise.resolve(false);
  let isRunning = false;
  /** From now on recognizes what waits, and what comes, as long as it may. */
  async function recognizeWhile(may: () => Promise<boolean>): Promise<void> {
    mayGoOn = may;
    if (isRunning) return;
    isRunning = true;
    try {
      await repeatInTurn(async () => (await mayGoOn()) && recognizeNext());
    } catch {
      // Nobody asked for it: the next time may go better.
    } finally {
      isRunning = false;
    }
  }

  /** One page at a time in all windows; what the user asked for comes in between. */
  async function repeatInTurn(step: () => Promise<boolean>): Promise<void> {
    for (let goesOn = true; goesOn;)
      goesOn = await navigator.locks.request('recognition', async () => {
        const isMore = await step();
        if (!isMore) recognizer.rest();
        return isMore;
      });
  }

  useLiveStore().on(({ type }) => {
    if (type === 'documents.changed') void recognizeWhile(mayGoOn);
  });
  /** What the viewer shows about a document; null if it has no page to be recognized. */
  function viewOf(caseId: string, documentId: string): ScanView | null {
    const document = byCase.get(caseId)?.find((one) => one.documentId === documentId);
    if (!document || state.value?.isAllowed !== true) return null;
    const isBusy = asked.has(documentId);
    return { ...document, isBusy, problem: problems.get(documentId) ?? null };
  }
  return {
    ...{ state, loadState: read.load, stateProblem: read.problem },
    ...{ open, viewOf, setAutomatic, recognize, recognizeWhile },
  };
});
