import { defineStore } from 'pinia';
import { shallowReactive } from 'vue';
import type { CaseDocument } from '#shared/desk/documents.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import { tagAddress } from '../composables/desk-bytes.ts';
import { forgetPdfPasswords } from '../composables/pdf-passwords.ts';
import { thumbnails } from '../composables/thumbnails.ts';
import { useTransport } from '../transport/transport.ts';
import { toProblem } from '../composables/problem.ts';
import { useLiveMap } from './live-data.ts';
import { useLiveStore } from './live-store.ts';

/** The documents of the cases that are open. */
export const useDocumentsStore = defineStore('documents', () => {
  const { client, files } = useTransport();
  /** Documents being brought onto the laptop. */
  const fetching = shallowReactive(new Set<string>());

  const changedBy = (event: DeskEvent) =>
    event.type === 'documents.changed' ? [event.caseId] : [];
  const {
    data: lists,
    problems,
    load: loadList,
  } = useLiveMap((id, refresh = false) => client.documents.list({ id, refresh }), { changedBy });
  /** Totals in the documents of the cases that are open, best first; without them none is offered. */
  const { data: totals, load: loadTotals } = useLiveMap(
    async (id) => (await client.documents.totals({ id })).items,
    { changedBy },
  );

  /** @param refresh asks the insurer first; without a network the laptop's knowledge is given */
  async function load(caseId: string, refresh = false): Promise<void> {
    await loadList(caseId, refresh);
    await loadTotals(caseId);
  }

  /** Brings one document onto the laptop. */
  async function fetchDocument(caseId: string, documentId: string): Promise<void> {
    fetching.add(documentId);
    try {
      await client.documents.fetch({ caseId, documentId });
      await load(caseId);
    } finally {
      fetching.delete(documentId);
    }
  }

  /** Gives a document to the program that the system has for its type. */
  async function openWith(caseId: string, documentId: string): Promise<void> {
    await client.documents.handOver({ caseId, documentId, to: 'program' });
  }

  /** A document that is dragged can be dropped on another program. */
  function drag(caseId: string, document: CaseDocument, dragged: DragEvent): void {
    const { id, fileName, contentType } = document;
    if (files.shellDrags) {
      dragged.preventDefault();
      void dragByShell(caseId, id);
    } else {
      // What Chromium's browsers fetch when it is dropped: type, name and address, by colons.
      const { address } = tagAddress(files.documentUrl(caseId, id));
      const { href } = new URL(address, location.href);
      const name = fileName.replaceAll(':', '_');
      dragged.dataTransfer?.setData('DownloadURL', `${contentType}:${name}:${href}`);
    }
  }

  /** The system's drag begins once the copy is ready; who has let go by then has nothing to drop. */
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
    ...{ lists, totals, problems, fetching, load, fetchDocument, openWith, drag },
    url: files.documentUrl,
  };
});
