import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { BatchMatch } from '#shared/desk/batch.ts';
import { assertFileName, assertFileSize } from '#shared/lib/file-type.ts';
import { useTransport } from '../transport/desk-client.ts';
import { toProblem, type Problem } from '../transport/problem.ts';

/** A file of the batch with the case that it goes to. */
export interface BatchRow {
  readonly path: string;
  readonly file: File;
  readonly match: BatchMatch;
  /** The case's key, as matched or as a person wrote it; empty where it goes nowhere. */
  readonly externalKey: string;
  readonly isSalvageSale: boolean;
  readonly state: 'open' | 'adding' | 'queued';
  readonly problem: Problem | null;
}

/** Many files of many cases, matched by their names, queued as one report per case. */
export const useBatchStore = defineStore('batch', () => {
  const { client, files } = useTransport();
  const rows = shallowRef<readonly BatchRow[]>([]);
  const problem = shallowRef<Problem | null>(null);
  const busy = shallowRef(false);

  const open = computed(() => rows.value.filter(({ state }) => state !== 'queued'));
  const ready = computed(() => open.value.filter(({ externalKey }) => externalKey.trim() !== ''));
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
          return [{ path, file, match, externalKey: externalKey ?? '', isSalvageSale, ...fresh }];
        }),
      ];
    } catch (error) {
      problem.value = toProblem(error);
    }
  }

  function change(path: string, part: Partial<BatchRow>): void {
    rows.value = rows.value.map((row) => (row.path === path ? { ...row, ...part } : row));
  }

  const remove = (path: string): void => {
    rows.value = rows.value.filter((row) => row.path !== path);
  };

  /** One report per case; a case with a file that is refused keeps its draft and is not queued. */
  async function queueAll(comment: string): Promise<void> {
    if (busy.value) return;
    busy.value = true;
    try {
      for (const key of new Set(ready.value.map(({ externalKey }) => externalKey)))
        await queueReport(
          key,
          ready.value.filter(({ externalKey }) => externalKey === key),
          comment,
        );
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
      if (comment.trim() !== '') await client.reports.updateDraft({ draftId, comment });
    } catch (error) {
      for (const { path } of group) fail(path, error);
      return;
    }
    let isWhole = true;
    for (const { path, file, isSalvageSale } of group) {
      change(path, { state: 'adding', problem: null });
      try {
        await files.addAttachment(draftId, file, isSalvageSale);
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

  return { rows, open, ready, reports, problem, busy, add, change, remove, queueAll };
});

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
