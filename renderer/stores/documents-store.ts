import { defineStore } from 'pinia';
import { shallowReactive } from 'vue';
import type { CaseDocumentList } from '#shared/desk/documents.ts';
import { sameOr } from '../composables/same-or.ts';
import { useTransport } from '../transport/desk-client.ts';
import { toProblem, type Problem } from '../transport/problem.ts';
import { useLiveStore } from './live-store.ts';

/** The documents of the cases that are open. */
export const useDocumentsStore = defineStore('documents', () => {
  const { client, files } = useTransport();
  const live = useLiveStore();
  const lists = shallowReactive(new Map<string, CaseDocumentList>());
  const problems = shallowReactive(new Map<string, Problem>());
  /** Documents being brought onto the laptop. */
  const fetching = shallowReactive(new Set<string>());

  async function load(caseId: string, refresh = false): Promise<void> {
    try {
      const list = await client.documents.list({ id: caseId, refresh });
      lists.set(caseId, sameOr(lists.get(caseId), list));
      problems.delete(caseId);
    } catch (error) {
      problems.set(caseId, toProblem(error));
    }
  }

  /** Shows what the laptop knows at once, then what the server says. */
  async function open(caseId: string): Promise<void> {
    await load(caseId);
    await load(caseId, true);
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

  live.on((event) => {
    if (event.type === 'documents.changed' && lists.has(event.caseId)) void load(event.caseId);
    if (event.type === 'workspace.changed') lists.clear();
  });
  live.onResumed(() => {
    for (const id of lists.keys()) void load(id);
  });
  return { lists, problems, fetching, load, open, fetchDocument, url: files.documentUrl };
});
