import { defineStore } from 'pinia';
import { shallowReactive } from 'vue';
import type { CaseDocument } from '#shared/desk/reports/documents.ts';
import type { CasePositions } from '#shared/desk/reports/positions.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { dropAddress } from '../lib/desk-bytes.ts';
import { forgetPdfPasswords } from '../lib/pdf/pdf-passwords.ts';
import { thumbnails } from '../lib/thumbnails.ts';
import { useTransport } from '../transport/transport.ts';
import { toProblem } from '../lib/problem.ts';
import { useLiveMap } from './live-data.ts';
import { useLiveStore } from './live-store.ts';

/** The documents of the cases that are open. */
export const useDocumentsStore = defineStore('documents', () => {
  const { client, files } = useTransport();
  /** The ids of the documents that are being fetched to the laptop. */
  const fetching = shallowReactive(new Set<string>());

  const changedBy = (event: DeskEvent) =>
    event.type === 'documents.changed' ? [event.caseId] : [];
  const {
    data: lists,
    problems,
    load: loadList,
  } = useLiveMap((id, refresh = false) => client.documents.list({ id, refresh }), { changedBy });
  /**
   * The totals in the documents of the open cases, the best first. Without them no total is
   * offered.
   */
  const { data: totals, load: loadTotals } = useLiveMap(
    async (id) => (await client.documents.totals({ id })).items,
    { changedBy },
  );

  /** The lines of estimates and invoices in the documents of the open cases. */
  const { data: positions, load: loadPositions } = useLiveMap(
    (id) => client.documents.positions({ id }),
    { changedBy },
  );
  /** Chooses what the reports of a case print. A null takes the choice back. */
  const choosePositions = (
    id: string,
    documentId: string | null,
    against: string | null = null,
  ): Promise<CasePositions> => client.documents.choosePositions({ id, documentId, against });

  /** @param refresh asks the insurer first; without a network the laptop's knowledge is used */
  async function load(caseId: string, refresh = false): Promise<void> {
    await loadList(caseId, refresh);
    await Promise.all([loadTotals(caseId), loadPositions(caseId)]);
  }

  /** Fetches one document to the laptop. */
  async function fetchDocument(caseId: string, documentId: string): Promise<void> {
    fetching.add(documentId);
    try {
      await client.documents.fetch({ caseId, documentId });
      await load(caseId);
    } finally {
      fetching.delete(documentId);
    }
  }

  /** Opens a document in the program that the system has for its type. */
  async function openWith(caseId: string, documentId: string): Promise<void> {
    await client.documents.handOver({ caseId, documentId, to: 'program' });
  }

  /** Begins to drag a document, which can be dropped on another program. */
  function drag(caseId: string, document: CaseDocument, dragged: DragEvent): void {
    const { id, fileName, contentType } = document;
    if (files.shellDrags) {
      dragged.preventDefault();
      void dragByShell(caseId, id);
    } else {
      // Chromium's browsers fetch this on a drop: type, name and address, separated by colons.
      const { href } = new URL(dropAddress(files.documentUrl(caseId, id)), location.href);
      const name = fileName.replaceAll(':', '_');
      dragged.dataTransfer?.setData('DownloadURL', `${contentType}:${name}:${href}`);
    }
  }

  /**
   * Starts the system's drag once the copy is ready. If the user has released the button by then,
   * nothing is dropped.
   */
  async function dragByShell(caseId: string, documentId: string): Promise<void> {
    const listening = new AbortController();
    const { signal } = listening;
    const letGo = () => void client.documents.letGo({ caseId, documentId }).catch(() => undefined);
    window.addEventListener('pointerup', letGo, { once: true, signal });
    try {
      await client.documents.handOver({ caseId, documentId, to: 'drop' });
    } catch (error) {
      problems.set(caseId, toProblem(error));
    } finally {
      listening.abort();
    }
  }

  useLiveStore().on(({ type }) => {
    if (type !== 'workspace.changed') return;
    thumbnails.forget();
    forgetPdfPasswords();
  });
  return {
    lists,
    totals,
    positions,
    choosePositions,
    problems,
    fetching,
    load,
    fetchDocument,
    openWith,
    drag,
    url: files.documentUrl,
  };
});
