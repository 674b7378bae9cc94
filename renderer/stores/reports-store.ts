import { defineStore } from 'pinia';
import { computed, shallowReactive, shallowRef } from 'vue';
import type { CaseSummary } from '#shared/desk/cases.ts';
import type { ReportDraft, ReportList } from '#shared/desk/reports.ts';
import { assertFileName, assertFileSize } from '#shared/lib/file-type.ts';
import { useTransport } from '../transport/desk-client.ts';
import { toProblem, type Problem } from '../transport/problem.ts';
import { useLiveStore } from './live-store.ts';

/** A file on its way into a draft, or refused. */
export interface IncomingFile {
  readonly key: number;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly problem: Problem | null;
}

/** Reports of cases, and drafts that are being put together. Drafts are kept by the engine. */
export const useReportsStore = defineStore('reports', () => {
  const { client, files } = useTransport();
  const live = useLiveStore();
  const lists = shallowReactive(new Map<string, ReportList>());
  const drafts = shallowReactive(new Map<string, ReportDraft>());
  const problems = shallowReactive(new Map<string, Problem>());
  const incoming = shallowReactive(new Map<string, readonly IncomingFile[]>());
  /** Files are on their way into some draft. */
  const adding = computed(() =>
    [...incoming.values()].some((list) => list.some(({ problem }) => problem === null)),
  );
  let nextKey = 0;

  /** @param refresh asks the server first; without a network the laptop's knowledge is given. */
  async function load(caseId: string, refresh = false): Promise<void> {
    try {
      lists.set(caseId, await client.reports.list({ id: caseId, refresh }));
      problems.delete(caseId);
    } catch (error) {
      problems.set(caseId, toProblem(error));
    }
  }

  async function open(caseId: string): Promise<void> {
    await load(caseId);
    await load(caseId, true);
  }

  const keep = (draft: ReportDraft): ReportDraft => {
    drafts.set(draft.id, draft);
    return draft;
  };

  async function openDraft(draftId: string): Promise<void> {
    try {
      keep(await client.reports.getDraft({ draftId }));
      problems.delete(draftId);
    } catch (error) {
      problems.set(draftId, toProblem(error));
    }
  }

  /** Every open draft, with the case that it belongs to. */
  const openDrafts = shallowRef<readonly { draft: ReportDraft; summary: CaseSummary }[]>([]);
  async function loadDrafts(): Promise<void> {
    const { items } = await client.reports.drafts();
    openDrafts.value = await Promise.all(
      items.map(async (draft) => ({
        draft,
        summary: await client.cases.get({ id: draft.caseId }),
      })),
    );
  }

  async function createDraft(caseId: string): Promise<ReportDraft> {
    const draft = keep(await client.reports.createDraft({ id: caseId }));
    await load(caseId);
    return draft;
  }

  const setIncoming = (
    draftId: string,
    change: (entries: readonly IncomingFile[]) => readonly IncomingFile[],
  ): void => void incoming.set(draftId, change(incoming.get(draftId) ?? []));

  /** Adds files one after the other in the given order; a refused one stays listed with its reason. */
  async function addFiles(draftId: string, added: readonly File[]): Promise<void> {
    const entries = added.map((file) => ({
      file,
      entry: { key: nextKey++, fileName: file.name, sizeBytes: file.size, problem: null },
    }));
    setIncoming(draftId, (list) => [...list, ...entries.map(({ entry }) => entry)]);
    for (const { file, entry } of entries) {
      try {
        // What size and name already tell is said before any byte is moved.
        assertFileName(file.name);
        assertFileSize(file.name, file.size);
        await files.addAttachment(draftId, file, false);
        setIncoming(draftId, (list) => list.filter(({ key }) => key !== entry.key));
        await openDraft(draftId);
      } catch (error) {
        const problem = toProblem(error);
        setIncoming(draftId, (list) =>
          list.map((old) => (old.key === entry.key ? { ...old, problem } : old)),
        );
      }
    }
  }

  const dismiss = (draftId: string, key: number): void =>
    setIncoming(draftId, (list) => list.filter((entry) => entry.key !== key));

  async function update(
    draftId: string,
    change: { comment?: string; order?: string[] },
  ): Promise<void> {
    keep(await client.reports.updateDraft({ draftId, ...change }));
  }

  async function updateAttachment(
    draftId: string,
    attachmentId: string,
    change: { fileName?: string; isSalvageSale?: boolean },
  ): Promise<void> {
    keep(await client.reports.updateAttachment({ draftId, attachmentId, ...change }));
  }

  async function removeAttachment(draftId: string, attachmentId: string): Promise<void> {
    keep(await client.reports.removeAttachment({ draftId, attachmentId }));
  }

  async function discard(draftId: string): Promise<void> {
    await client.reports.discardDraft({ draftId });
    drafts.delete(draftId);
    incoming.delete(draftId);
  }

  /** Puts the draft into the queue; from then on it no longer changes. */
  async function submit(draftId: string): Promise<void> {
    await client.reports.submitDraft({ draftId });
    await openDraft(draftId);
  }

  live.on((event) => {
    if (event.type === 'reports.changed') {
      if (lists.has(event.caseId)) void load(event.caseId);
      for (const draft of drafts.values())
        if (draft.caseId === event.caseId) void openDraft(draft.id);
    }
    if (event.type === 'workspace.changed') {
      lists.clear();
      drafts.clear();
      incoming.clear();
    }
  });
  live.onResumed(() => {
    for (const id of lists.keys()) void load(id);
  });

  return {
    lists,
    drafts,
    problems,
    incoming,
    adding,
    openDrafts,
    loadDrafts,
    load,
    open,
    openDraft,
    createDraft,
    addFiles,
    dismiss,
    update,
    updateAttachment,
    removeAttachment,
    discard,
    submit,
    attachmentUrl: files.attachmentUrl,
  };
});
