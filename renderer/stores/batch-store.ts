import { defineStore } from 'pinia';
import { computed, shallowReactive, shallowRef } from 'vue';
import type {
  Batch,
  BatchAttachment,
  BatchCase,
  BatchRow,
  SheetChoice,
} from '#shared/desk/batch.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { sheetMaxBytes } from '#shared/desk/message-limit.ts';
import { isSystemFile } from '#shared/lib/safe-file-name.ts';
import { base64Of, type PlacedFile } from '../composables/files.ts';
import { type Problem, toProblem } from '../composables/problem.ts';
import { throttleByKey } from '../composables/tasks.ts';
import { useAttempt } from '../composables/use-attempt.ts';
import { useTransport } from '../transport/transport.ts';
import { useBatchIntake } from './batch-intake.ts';
import { useLiveStore } from './live-store.ts';
import { useUndoStore } from './undo-store.ts';

/** The batch is long; its files announce themselves one by one. */
const readEveryMs = 500;

const saveEveryMs = 300;
/** Stands for every report in the place of a path. */
export const forAll = '';

/** A row as this window shows it. */
export interface ShownRow extends BatchRow {
  readonly state: 'open' | 'adding' | 'queued';
  /** Of the search for its case. */
  readonly searchProblem: Problem | null;
}

/** What the user looks for in the field of a row; the engine knows it once a case is chosen. */
interface Search {
  readonly typed: string;
  readonly choices: readonly BatchCase[];
  readonly problem: Problem | null;
}

/** What a file, its case or the search has against a row; empty if nothing is known. */
export const problemsOf = (row: ShownRow): readonly Problem[] =>
  row.problems.length > 0 ? row.problems : row.searchProblem ? [row.searchProblem] : [];

/** Whether the row does not go with what is queued now, although nobody has queued it. */
export const staysBehind = (row: ShownRow): boolean =>
  row.state === 'open' && row.outcome !== 'ready';

/** @throws {DeskError} file_too_large */
function assertSheetSize({ name: fileName, size: sizeBytes }: File): void {
  if (sizeBytes > sheetMaxBytes)
    throw new DeskError('file_too_large', { fileName, sizeBytes, maxBytes: sheetMaxBytes });
}

/**
 * Many files of many cases, matched by their names, queued as one report per case. The batch is the
 * engine's from the drop on; this window takes its files in.
 */
export const useBatchStore = defineStore('batch', () => {
  const { client, files } = useTransport();
  const live = useLiveStore();
  const undos = useUndoStore();
  const batch = shallowRef<Batch | null>(null);
  /** Paths in the order in which they are shown: none moves while the user works at it. */
  const order = shallowRef<ReadonlyMap<string, number>>(new Map());
  const searches = shallowReactive(new Map<string, Search>());
  /** Comments as they are typed, by path, `forAll` for all: until the engine has them. */
  const typing = shallowReactive(new Map<string, string>());
  const queueing = shallowRef(false);
  /** When all would be delivered; null if nothing is sent now. */
  const doneAt = shallowRef<string | null>(null);
  const { problem, attempt } = useAttempt();
  const intake = useBatchIntake(take);
  const { adding, isTaking } = intake;

  const rows = computed<readonly ShownRow[]>(() =>
    (batch.value?.rows ?? [])
      .map((row): ShownRow => {
        const search = searches.get(row.path);
        const state = adding.has(row.path) ? 'adding' : row.outcome === 'added' ? 'queued' : 'open';
        const shown = { ...row, state, searchProblem: search?.problem ?? null } as const;
        const texts = { comment: typing.get(row.path) ?? row.comment };
        const choices = search && { typed: search.typed, choices: [...search.choices] };
        return { ...shown, ...texts, ...choices };
      })
      .sort((a, b) => placeOf(a) - placeOf(b)),
  );
  const placeOf = ({ path }: BatchRow) => order.value.get(path) ?? Number.MAX_SAFE_INTEGER;
  const open = computed(() => rows.value.filter(({ state }) => state !== 'queued'));
  const ready = computed(() => rows.value.filter(({ outcome }) => outcome === 'ready'));
  /** What does not go now: the count that is shown and the rows of the filter are these. */
  const left = computed(() => rows.value.filter(staysBehind));
  const reportsOf = (shown: readonly ShownRow[]) => new Set(shown.map(({ caseId }) => caseId)).size;
  const reports = computed(() => reportsOf(ready.value));
  const sheet = computed(() => batch.value?.sheet ?? null);
  const isSheetBad = computed(() => (sheet.value?.read.problems.length ?? 0) > 0);
  const isUnfinished = computed(() => open.value.length > 0 || sheet.value !== null);

  /** What would go out now; what waits for the insurer would not. */
  const going = computed(() => ready.value.filter((row) => !row.case?.awaits));
  const awaiting = computed(() => reportsOf(ready.value) - reportsOf(going.value));
  const plan = computed(() => ({
    reports: reportsOf(going.value),
    files: going.value.length,
    bytes: going.value.reduce((sum, { attachment }) => sum + (attachment?.sizeBytes ?? 0), 0),
    values: (sheet.value?.read.items ?? [])
      .filter((item) => !item.case.awaits)
      .reduce(
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

  function take(answer: { batch: Batch | null }): void {
    batch.value = answer.batch;
    intake.noteRead(answer.batch?.rows ?? []);
    const paths = new Set(answer.batch?.rows.map(({ path }) => path));
    if ([...paths].some((path) => !order.value.has(path))) sortRows();
    for (const path of searches.keys()) if (!paths.has(path)) searches.delete(path);
  }

  async function load(): Promise<void> {
    await attempt(async () => take(await client.batch.get()));
    // Its photos that a kill left unmade.
    if (batch.value) void intake.finishPhotos(batch.value);
  }

  /** Only when rows come or were tried. */
  function sortRows(): void {
    const rank = ({ outcome, isCorrected, confidence }: BatchRow) => {
      if (outcome === 'added') return 3;
      if (outcome !== 'ready') return 0;
      return isCorrected || confidence === 'certain' ? 2 : 1;
    };
    const sorted = (batch.value?.rows ?? []).toSorted((a, b) => rank(a) - rank(b));
    order.value = new Map(sorted.map(({ path }, index) => [path, index]));
  }

  /** The names first, so that the drop is on record before any byte is read. */
  async function add(placed: readonly PlacedFile[]): Promise<void> {
    const files = placed.filter(({ path }) => !isSystemFile(path) && !adding.has(path));
    const leftOut = placed.filter(({ path }) => isSystemFile(path)).length;
    if (files.length === 0 && leftOut === 0) return;
    await attempt(async () => {
      const announced = files.map(({ path, file }) => ({ path, sizeBytes: file.size }));
      const answer = await client.batch.announce({ files: announced, leftOut });
      if (answer.batch) {
        const taking = intake.takeAll(answer.batch.id, files);
        take(answer);
        sortRows();
        await taking;
      }
    });
    sortRows();
  }

  const change = (path: string, part: Omit<Parameters<typeof client.batch.change>[0], 'paths'>) =>
    attempt(async () => take(await client.batch.change({ paths: [path], ...part })));

  /** Cases by what the user has typed so far; null if they typed on in the meantime. */
  async function search(path: string, typed: string): Promise<readonly BatchCase[] | null> {
    const entry: Search = { typed, choices: searches.get(path)?.choices ?? [], problem: null };
    searches.set(path, entry);
    const isStale = () => searches.get(path)?.typed !== typed;
    try {
      const q = typed.trim();
      const items = q === '' ? [] : (await client.batch.search({ q })).items;
      return isStale() ? null : items;
    } catch (error) {
      if (!isStale()) searches.set(path, { ...entry, problem: toProblem(error) });
      return null;
    }
  }

  async function suggest(path: string, typed: string): Promise<void> {
    const choices = await search(path, typed);
    if (choices) searches.set(path, { typed, choices, problem: null });
  }

  /** Gives a file to the case that the user typed, and reports at once if no case matches. */
  async function assign(path: string, typed: string): Promise<void> {
    const choices = await search(path, typed);
    if (!choices) return;
    const [only] = choices;
    if (only && choices.length === 1) await choose(path, only);
    else {
      const none = { code: 'case_not_found', params: { id: typed.trim() } } as const;
      const isUnknown = choices.length === 0 && typed.trim() !== '';
      searches.set(path, { typed, choices, problem: isUnknown ? none : null });
      await change(path, { caseId: null, typed });
    }
  }

  async function choose(path: string, target: BatchCase): Promise<void> {
    searches.delete(path);
    await change(path, { caseId: target.id, typed: target.externalKey });
  }

  /** The user's choices for every file that is not queued yet. */
  const setSalvageForAll = (isSalvageSale: boolean) =>
    attempt(async () => {
      const paths = open.value.map(({ path }) => path);
      take(await client.batch.change({ paths, isSalvageSale }));
    });

  /** @param path of a file; `forAll` for the comment on every other report */
  function type(path: string, text: string): void {
    typing.set(path, text);
    saveSoon(path);
  }
  const saveSoon = throttleByKey(saveEveryMs, (path) => void attempt(() => save(path)));
  async function save(path: string): Promise<void> {
    const comment = typing.get(path);
    if (comment === undefined) return;
    const answer =
      path === forAll
        ? await client.batch.setComment({ comment })
        : await client.batch.change({ paths: [path], comment });
    take(answer);
    // What was typed since is saved by its own call.
    if (typing.get(path) === comment) typing.delete(path);
  }
  const comment = computed(() => typing.get(forAll) ?? batch.value?.comment ?? '');

  const removeQueued = () => attempt(async () => take(await client.batch.removeQueued()));

  /** Takes files out of the batch; can be taken back. */
  const remove = (path: string) =>
    attempt(async () => {
      take(await client.batch.remove({ paths: [path] }));
      const undo = async () => take(await client.batch.restore({ paths: [path] }));
      undos.offer({ key: 'undo.batch', params: { n: 1 }, undo });
    });

  /** Only the user discards a batch; can be taken back. */
  const discard = () =>
    attempt(async () => {
      const n = rows.value.length;
      take(await client.batch.discard());
      const undo = async () => take(await client.batch.takeBack());
      undos.offer({ key: 'undo.batch', params: { n }, undo });
    });

  const readSheet = (file: File) =>
    attempt(async () => {
      assertSheetSize(file);
      const input = { fileName: file.name, contentBase64: await base64Of(file) };
      take(await client.batch.setSheet(input));
    });
  const chooseLines = (choice: SheetChoice) =>
    attempt(async () => take(await client.batch.chooseLines(choice)));
  const removeSheet = () => attempt(async () => take(await client.batch.removeSheet()));

  async function queueAll(): Promise<void> {
    if (queueing.value || isTaking.value) return;
    queueing.value = true;
    await attempt(async () => {
      for (const path of typing.keys()) await save(path);
      take(await client.batch.queue());
    });
    queueing.value = false;
    sortRows();
  }

  const readSoon = throttleByKey(
    readEveryMs,
    () => void client.batch.get().then(take, () => undefined),
  );
  live.on((event) => {
    // A failure is shown by what the user does next.
    if (event.type === 'batch.changed') readSoon('batch');
    if (event.type === 'workspace.changed') void load();
  });
  live.onResumed(() => void load());

  return {
    batch,
    rows,
    open,
    left,
    ready,
    reports,
    awaiting,
    plan,
    doneAt,
    forecast,
    problem,
    busy: queueing,
    isTaking,
    adding,
    isUnfinished,
    comment,
    typing,
    type,
    sheet,
    isSheetBad,
    load,
    addressOf: ({ draftId, id }: BatchAttachment) => files.attachmentUrl(draftId, id),
    readSheet,
    chooseLines,
    removeSheet,
    add,
    change,
    suggest,
    assign,
    choose,
    setSalvageForAll,
    remove,
    removeQueued,
    discard,
    queueAll,
  };
});
