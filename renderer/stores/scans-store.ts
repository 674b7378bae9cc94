import { defineStore } from 'pinia';
import { shallowReactive } from 'vue';
import type { ScannedPage } from '#shared/desk/reports/scans.ts';
import { toProblem, type Problem } from '../lib/problem.ts';
import { useRecognizer, type ScanView } from '../lib/scans/recognizer.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveData, useLiveMap } from './live-data.ts';
import { useLiveStore } from './live-store.ts';

type Asked = Pick<ScannedPage, 'caseId' | 'documentId'>;

/** The scans and photos whose text is recognized on this laptop, page by page. */
export const useScansStore = defineStore('scans', () => {
  const { client, files } = useTransport();
  const recognizer = useRecognizer();
  /** The documents of the open cases that have pages without text, by the id of the case. */
  const { data: byCase, load } = useLiveMap(async (id) => (await client.scans.of({ id })).items, {
    changedBy: (event) => (event.type === 'documents.changed' ? [event.caseId] : []),
  });
  const read = useLiveData(() => client.scans.state(), {
    changedBy: ({ type }) => type === 'documents.changed' || type === 'desk.changed',
    everyMs: 1000,
  });
  const state = read.data;
  /** The ids of the documents whose recognition the user asked for and is not done. */
  const asked = shallowReactive(new Set<string>());
  const problems = shallowReactive(new Map<string, Problem>());

  /** Reads what is known of the documents of a case, and updates it from now on. */
  async function open(caseId: string): Promise<void> {
    // Without this state the viewer offers no recognition, and the case can still be worked on.
    await Promise.all([load(caseId), state.value ?? read.load()]);
    opened.add(caseId);
    void readBills(caseId);
  }
  const opened = new Set<string>();

  /** Reads the QR-bills in the documents of a case that have the text of one. */
  async function readBills(billsOf: string): Promise<void> {
    try {
      await repeatInTurn(() => recognizeNext({ billsOf }));
    } catch {
      // Nobody asked for it, and it is tried again when the case is opened again.
    }
  }
  async function setAutomatic(isAutomatic: boolean): Promise<void> {
    state.value = await client.scans.setAutomatic({ isAutomatic });
  }

  /** Recognizes the next page. @returns whether there was one */
  async function recognizeNext(
    wanted: { document?: Asked; billsOf?: string } = {},
  ): Promise<boolean> {
    const { page } = await client.scans.next(wanted);
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
      await repeatInTurn(() => recognizeNext({ document: { caseId, documentId } }));
    } catch (error) {
      problems.set(documentId, toProblem(error));
    } finally {
      asked.delete(documentId);
    }
  }

  let mayGoOn = (): Promise<boolean> => Promise.resolve(false);
  let isRunning = false;
  /** Recognizes the waiting pages and new pages from now on, as long as `may` allows it. */
  async function recognizeWhile(may: () => Promise<boolean>): Promise<void> {
    mayGoOn = may;
    if (isRunning) return;
    isRunning = true;
    try {
      await repeatInTurn(async () => (await mayGoOn()) && recognizeNext());
    } catch {
      // The user did not ask for this recognition, and the next attempt may succeed.
    } finally {
      isRunning = false;
    }
  }

  /**
   * Recognizes one page at a time across all windows. A page that the user asked for can come
   * between two others.
   */
  async function repeatInTurn(step: () => Promise<boolean>): Promise<void> {
    let hasRead = false;
    for (let goesOn = true; goesOn;)
      goesOn = await navigator.locks.request('recognition', async () => {
        const isMore = await step();
        // Who found nothing to read leaves the recognizer to the others.
        if (!isMore && hasRead) recognizer.rest();
        hasRead ||= isMore;
        return isMore;
      });
  }

  useLiveStore().on((event) => {
    if (event.type !== 'documents.changed') return;
    void recognizeWhile(mayGoOn);
    if (opened.has(event.caseId)) void readBills(event.caseId);
  });
  /** The state of a document for the viewer; null if the document has no page to be recognized. */
  function viewOf(caseId: string, documentId: string): ScanView | null {
    const document = byCase.get(caseId)?.find((one) => one.documentId === documentId);
    if (!document || state.value?.isAllowed !== true) return null;
    const isBusy = asked.has(documentId);
    return { ...document, isBusy, problem: problems.get(documentId) ?? null };
  }
  return {
    state,
    loadState: read.load,
    stateProblem: read.problem,
    open,
    viewOf,
    setAutomatic,
    recognize,
    recognizeWhile,
  };
});
