import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { BatchCase, BatchMatch, BatchSheet } from '#shared/desk/batch.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { sheetMaxBytes } from '#shared/desk/message-limit.ts';
import { assertFileName, assertFileSize } from '#shared/lib/file-type.ts';
import { isSystemFile } from '#shared/lib/safe-file-name.ts';
import { useDraftFilesStore } from './draft-files-store.ts';
import { useUndoStore } from './undo-store.ts';
import { useTransport } from '../transport/transport.ts';
import { base64Of } from '../composables/files.ts';
import { toProblem, type Problem } from '../composables/problem.ts';
import { useAttempt } from '../composables/use-attempt.ts';

/** A file of the batch with the case that it belongs to. */
export interface BatchRow {
  readonly path: string;
  readonly file: File;
  readonly match: BatchMatch;
  /** The case's key, or the words that the user looks for it by. */
  readonly typed: string;
  /** Null if the file has no case yet. */
  readonly target: BatchCase | null;
  /** The user has typed or chosen; the match stands no more. */
  readonly isCorrected: boolean;
  /** Cases that may be meant. */
  readonly choices: readonly BatchCase[];
  readonly isSalvageSale: boolean;
  /** On the case of the file, instead of the comment for all. */
  readonly comment: string;
  readonly state: 'open' | 'adding' | 'queued';
  /** What name and size already show. */
  readonly fileProblem: Problem | null;
  /** Of the search for the case, or of the last try. */
  readonly problem: Problem | null;
}

/** What the file, its case or the last try has against a row; null if nothing is known. */
export const problemOf = (row: BatchRow): Problem | null =>
  row.fileProblem ?? row.target?.problem ?? row.problem;

/** Whether the user has to do something before the file can go out. */
export const isProblem = (row: BatchRow): boolean =>
  row.state === 'open' && (row.target === null || problemOf(row) !== null);

/** A sheet with amounts and comments, as it was read. */
interface ChosenSheet {
  readonly fileName: string;
  readonly contentBase64: string;
  readonly read: BatchSheet;
}

/** @throws {DeskError} file_too_large */
function assertSheetSize({ name: fileName, size: sizeBytes }: File): void {
  if (sizeBytes > sheetMaxBytes)
    throw new DeskError('file_too_large', { fileName, sizeBytes, maxBytes: sheetMaxBytes });
}

/** Many files of many cases, matched by their names, queued as one report per case. */
export const useBatchStore = defineStore('batch', () => {
  const { client } = useTransport();
  const intake = useDraftFilesStore();
  const undos = useUndoStore();
  const rows = shallowRef<readonly BatchRow[]>([]);
  const { problem, attempt } = useAttempt();
  const busy = shallowRef(false);
  /** On every report whose files have no comment; stays when one looks at another page. */
  const comment = shallowRef('');
  /** System files that were dropped with the others. */
  const leftOut = shallowRef(0);
  const sheet = shallowRef<ChosenSheet | null>(null);
  /** When all would be delivered; null if nothing is sent now. */
  const doneAt = shallowRef<string | null>(null);

  const open = computed(() => rows.value.filter(({ state }) => state !== 'queued'));
  const problems = computed(() => rows.value.filter(isProblem));
  /** Nothing of a case is sent if one of its files cannot, or the case takes none. */
  const groups = computed(() => {
    const byCase = Map.groupBy(
      open.value.filter(({ target }) => target !== null),
      ({ target }) => target?.id ?? '',
    );
    return new Map(
      [...byCase].filter(([, group]) =>
        group.every(({ fileProblem, target }) => !fileProblem && !target?.problem),
      ),
    );
  });
  const ready = computed(() => [...groups.value.values()].flat());
  const reports = computed(() => groups.value.size);
  const isSheetBad = computed(() => (sheet.value?.read.problems.length ?? 0) > 0);

  /** What would go out now. */
  const plan = computed(() => ({
    reports: reports.value,
    files: ready.value.length,
    bytes: ready.value.reduce((sum, { file }) => sum + file.size, 0),
    values: (sheet.value?.read.items ?? []).reduce(
      (sum, { costEstimateRappen, approvedRappen, comment: text }) =>
        sum +
        Number(costEstimateRappen !== null || approvedRappen !== null) +
        Number(text !== null),
      0,
    ),
  }));
  async function forecast(): Promise<void> {
    const asked = plan.value;
    const answer = await client.queue.forecast(asked).catch(() => ({ doneAt: null }));
    if (plan.value === asked) doneAt.value = answer.doneAt;
  }

  async function add(placed: readonly { path: string; file: File }[]): Promise<void> {
    const known = new Set(rows.value.map(({ path }) => path));
    const news = placed.filter(({ path }) => !known.has(path));
    const added = news.filter(({ path }) => !isSystemFile(path));
    leftOut.value += news.length - added.length;
    if (added.length === 0) return;
    await attempt(async () => {
      const { items } = await client.tools.matchBatch({ paths: added.map(({ path }) => path) });
      const matches = new Map(items.map((match) => [match.path, match]));
      const fresh = added.flatMap(({ path, file }): BatchRow[] => {
        const match = matches.get(path);
        if (!match) return [];
        const { choices, isSalvageSale } = match;
        const row = { path, file, match, target: match.case, choices, isSalvageSale };
        const typed = match.externalKey ?? '';
        const rest = { comment: '', isCorrected: false, state: 'open', problem: null } as const;
        return [{ ...row, ...rest, typed, fileProblem: refusal(file) }];
      });
      sortRows([...rows.value, ...fresh]);
    });
  }

  /** Only when rows come or were tried: none moves while the user works at it. */
  function sortRows(all: readonly BatchRow[]): void {
    const rank = (row: BatchRow) => {
      if (row.state === 'queued') return 3;
      if (isProblem(row)) return 0;
      return row.isCorrected || row.match.confidence === 'certain' ? 2 : 1;
    };
    rows.value = all.toSorted((a, b) => rank(a) - rank(b));
  }

  function change(path: string, part: Partial<BatchRow>): void {
    rows.value = rows.value.map((row) => (row.path === path ? { ...row, ...part } : row));
  }

  /** Cases by what the user has typed so far; null if they typed on in the meantime. */
  async function search(path: string, typed: string): Promise<readonly BatchCase[] | null> {
    change(path, { typed, target: null, isCorrected: true, problem: null });
    const isStale = () => rows.value.find((row) => row.path === path)?.typed !== typed;
    try {
      const q = typed.trim();
      const items = q === '' ? [] : (await client.tools.searchBatchCases({ q })).items;
      return isStale() ? null : items;
    } catch (error) {
      if (!isStale()) change(path, { problem: toProblem(error) });
      return null;
    }
  }

  async function suggest(path: string, typed: string): Promise<void> {
    const choices = await search(path, typed);
    if (choices) change(path, { choices });
  }

  /** Gives a file to the case that the user typed, and reports at once if no case matches. */
  async function assign(path: string, typed: string): Promise<void> {
    const choices = await search(path, typed);
    if (!choices) return;
    const [only] = choices;
    if (only && choices.length === 1) choose(path, only);
    else if (choices.length > 1 || typed.trim() === '') change(path, { choices });
    else {
      const none = { code: 'case_not_found', params: { id: typed.trim() } } as const;
      change(path, { choices, problem: none });
    }
  }

  function choose(path: string, target: BatchCase): void {
    const { externalKey: typed } = target;
    change(path, { typed, target, isCorrected: true, choices: [], problem: null });
  }

  /** The user's choices for every file that is not queued yet. */
  function setSalvageForAll(isSalvageSale: boolean): void {
    rows.value = rows.value.map((row) => (row.state === 'open' ? { ...row, isSalvageSale } : row));
  }

  /** Leaves these rows only; the others can be put back. */
  function keepOnly(left: readonly BatchRow[]): void {
    const gone = rows.value.filter((row) => !left.includes(row));
    rows.value = left;
    const undo = () => {
      const here = new Set(rows.value.map(({ path }) => path));
      sortRows([...rows.value, ...gone.filter(({ path }) => !here.has(path))]);
    };
    undos.offer({ key: 'undo.batch', params: { n: gone.length }, undo });
  }
  const removeQueued = (): void => keepOnly(open.value);
  const remove = (path: string): void => keepOnly(rows.value.filter((row) => row.path !== path));

  const readSheet = (file: File) =>
    attempt(async () => {
      assertSheetSize(file);
      const input = { fileName: file.name, contentBase64: await base64Of(file) };
      sheet.value = { ...input, read: await client.tools.batchSheet(input) };
    });

  const removeSheet = (): void => {
    sheet.value = null;
  };

  /** False if the sheet is refused: then nothing of it is queued. */
  async function applySheet(): Promise<boolean> {
    const chosen = sheet.value;
    if (!chosen) return true;
    const { fileName, contentBase64 } = chosen;
    const read = await client.tools.batchSheet({ fileName, contentBase64, apply: true });
    sheet.value = read.problems.length > 0 ? { ...chosen, read } : null;
    return read.problems.length === 0;
  }

  /** One report per case; of a case with a file that is refused nothing is queued. */
  async function queueAll(): Promise<void> {
    if (busy.value) return;
    busy.value = true;
    // What is typed in the meantime is for the next files.
    const forAll = comment.value;
    await attempt(async () => {
      if (!(await applySheet())) return;
      for (const [caseId, group] of groups.value) await queueReport(caseId, group, forAll);
      if (open.value.length === 0 && comment.value === forAll) comment.value = '';
      sortRows(rows.value);
    });
    busy.value = false;
  }

  async function queueReport(
    caseId: string,
    group: readonly BatchRow[],
    forAll: string,
  ): Promise<void> {
    const changeAll = (part: Partial<BatchRow>) => {
      for (const { path } of group) change(path, part);
    };
    try {
      const { id: draftId } = await client.reports.createDraft({ id: caseId });
      const text = commentOf(group, forAll);
      if (text !== '') await client.reports.updateDraft({ draftId, comment: text });
      if (await addFiles(draftId, group)) {
        await client.reports.submitDraft({ draftId });
        changeAll({ state: 'queued' });
      } else {
        // Nothing half: the draft is removed, the files stay in the table with what is wrong.
        await client.reports.discardDraft({ draftId });
        changeAll({ state: 'open' });
      }
    } catch (error) {
      changeAll({ state: 'open', problem: toProblem(error) });
    }
  }

  /** Whether every file was taken. */
  async function addFiles(draftId: string, group: readonly BatchRow[]): Promise<boolean> {
    let isWhole = true;
    for (const { path, file, isSalvageSale } of group) {
      change(path, { state: 'adding', problem: null });
      try {
        await intake.take(draftId, file, isSalvageSale);
      } catch (error) {
        isWhole = false;
        change(path, { state: 'open', problem: toProblem(error) });
      }
    }
    return isWhole;
  }

  return {
    rows,
    open,
    problems,
    ready,
    reports,
    plan,
    doneAt,
    forecast,
    problem,
    busy,
    comment,
    leftOut,
    sheet,
    isSheetBad,
    readSheet,
    removeSheet,
    add,
    change,
    suggest,
    assign,
    choose,
    setSalvageForAll,
    remove,
    removeQueued,
    queueAll,
  };
});

/** The comments on the files of one case, each once; the one for all if no file has one. */
function commentOf(group: readonly BatchRow[], forAll: string): string {
  const own = new Set(group.map(({ comment }) => comment.trim()).filter((text) => text !== ''));
  return own.size > 0 ? [...own].join('\n') : forAll.trim();
}

function refusal(file: File): Problem | null {
  try {
    assertFileName(file.name);
    assertFileSize(file.name, file.size);
    return null;
  } catch (error) {
    return toProblem(error);
  }
}
