import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { BatchMatch } from '#shared/desk/batch.ts';
import { assertFileName, assertFileSize } from '#shared/lib/file-type.ts';
import { useReportsStore } from './reports-store.ts';
import { useTransport } from '../transport/transport.ts';
import { toProblem, type Problem } from '../composables/problem.ts';

/** A file of the batch with the case that it goes to. */
export interface BatchRow {
  readonly path: string;
  readonly file: File;
  readonly match: BatchMatch;
  /** The case's key, as matched or as a person wrote it; empty if it goes nowhere. */
  readonly externalKey: string;
  readonly isSalvageSale: boolean;
  /** On the case of the file, instead of the comment for all. */
  readonly comment: string;
  /** The party of the case that a person typed; null if the match stands. */
  readonly correctedTo: string | null;
  readonly state: 'open' | 'adding' | 'queued';
  readonly problem: Problem | null;
}

/** Many files of many cases, matched by their names, queued as one report per case. */
export const useBatchStore = defineStore('batch', () => {
  const { client } = useTransport();
  const intake = useReportsStore();
  const rows = shallowRef<readonly BatchRow[]>([]);
  const problem = shallowRef<Problem | null>(null);
  const busy = shallowRef(false);
  /** On every report whose files have none of their own; stays when one looks at another page. */
  const comment = shallowRef('');

  const open = computed(() => rows.value.filter(({ state }) => state !== 'queued'));
  /** A file whose typed case is not here goes nowhere. */
  const ready = computed(() =>
    open.value.filter(
      ({ externalKey, problem: found }) =>
        externalKey.trim() !== '' && found?.code !== 'case_not_found',
    ),
  );
  const reports = computed(() => new Set(ready.value.map(({ externalKey }) => externalKey)).size);

  async function add(placed: readonly { path: string; file: File }[]): Promise<void> {
    const known = new Set(rows.value.map(({ path }) => path));
    const added = placed.filter(({ path }) => !known.has(path));
    if (added.length === 0) return;
    problem.value = null;
    try {
      const { items } = await client.tools.matchBatch({ paths: added.map(({ path }) => path) });
      const matches = new Map(items.map((match) => [match.path, match]));
      rows.value = [
        ...rows.value,
        ...added.flatMap(({ path, file }): BatchRow[] => {
          const match = matches.get(path);
          if (!match) return [];
          const { externalKey, isSalvageSale } = match;
          const fresh = { state: 'open', problem: refusal(file) } as const;
          const row = { path, file, match, externalKey: externalKey ?? '', isSalvageSale };
          return [{ ...row, comment: '', correctedTo: null, ...fresh }];
        }),
      ];
    } catch (error) {
      problem.value = toProblem(error);
    }
  }

  function change(path: string, part: Partial<BatchRow>): void {
    rows.value = rows.value.map((row) => (row.path === path ? { ...row, ...part } : row));
  }

  /** Gives a file to the case that a person typed, and reports at once if there is none. */
  async function assign(path: string, typed: string): Promise<void> {
    const externalKey = typed.trim();
    change(path, { externalKey, correctedTo: null, problem: null });
    if (externalKey === '') return;
    /** An answer to what was typed before says nothing of what stands there now. */
    const isStale = () => rows.value.find((row) => row.path === path)?.externalKey !== externalKey;
    try {
      const found = await client.cases.get({ id: externalKey });
      if (isStale()) return;
      change(path, {
        externalKey: found.externalKey,
        correctedTo: found.partyName || found.externalKey,
      });
    } catch (error) {
      if (!isStale()) change(path, { problem: toProblem(error) });
    }
  }

  /** What a person says for every file that is not queued yet. */
  function setSalvageForAll(isSalvageSale: boolean): void {
    rows.value = rows.value.map((row) => (row.state === 'open' ? { ...row, isSalvageSale } : row));
  }

  const removeQueued = (): void => {
    rows.value = open.value;
  };

  const remove = (path: string): void => {
    rows.value = rows.value.filter((row) => row.path !== path);
  };

  /** One report per case; a case with a file that is refused keeps its draft and is not queued. */
  async function queueAll(): Promise<void> {
    if (busy.value) return;
    busy.value = true;
    // What is typed meanwhile is for the next files.
    const forAll = comment.value;
    try {
      for (const key of new Set(ready.value.map(({ externalKey }) => externalKey)))
        await queueReport(
          key,
          ready.value.filter(({ externalKey }) => externalKey === key),
          forAll,
        );
      if (open.value.length === 0 && comment.value === forAll) comment.value = '';
    } finally {
      busy.value = false;
    }
  }

  async function queueReport(
    key: string,
    group: readonly BatchRow[],
    comment: string,
  ): Promise<void> {
    const fail = (path: string, error: unknown) =>
      change(path, { state: 'open', problem: toProblem(error) });
    let draftId: string;
    try {
      const { id } = await client.reports.createDraft({ id: key.trim() });
      draftId = id;
      const text = commentOf(group, comment);
      if (text !== '') await client.reports.updateDraft({ draftId, comment: text });
    } catch (error) {
      for (const { path } of group) fail(path, error);
      return;
    }
    let isWhole = true;
    for (const { path, file, isSalvageSale } of group) {
      change(path, { state: 'adding', problem: null });
      try {
        await intake.take(draftId, file, isSalvageSale);
      } catch (error) {
        isWhole = false;
        fail(path, error);
      }
    }
    try {
      if (!isWhole) {
        // Nothing half: the draft goes, the files stay in the table with what is wrong.
        await client.reports.discardDraft({ draftId });
        for (const { path } of group) change(path, { state: 'open' });
        return;
      }
      await client.reports.submitDraft({ draftId });
      for (const { path } of group) change(path, { state: 'queued' });
    } catch (error) {
      for (const { path } of group) fail(path, error);
    }
  }

  return {
    rows,
    open,
    ready,
    reports,
    problem,
    busy,
    comment,
    add,
    change,
    assign,
    setSalvageForAll,
    remove,
    removeQueued,
    queueAll,
  };
});

/** The comments on the files of one case, each once; the one for all if there is none. */
function commentOf(group: readonly BatchRow[], forAll: string): string {
  const own = new Set(group.map(({ comment }) => comment.trim()).filter((text) => text !== ''));
  return own.size > 0 ? [...own].join('\n') : forAll.trim();
}

/** What name and size already tell. */
function refusal(file: File): Problem | null {
  try {
    assertFileName(file.name);
    assertFileSize(file.name, file.size);
    return null;
  } catch (error) {
    return toProblem(error);
  }
}
