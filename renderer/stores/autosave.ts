import { computed, shallowReactive } from 'vue';
import type { StoredText, TypedBy, TypedText } from '#shared/desk/cases/typed-text.ts';
import { toProblem, type Problem } from '../lib/problem.ts';
import { createTaskQueue } from '../lib/tasks.ts';
import { useLiveStore } from './live-store.ts';
import { arrived, type Arrived, stored, typed, untyped, type WindowText } from './typed-text.ts';
import { useUndoStore } from './undo-store.ts';
import { type Stored, useUnsavedStore } from './unsaved-store.ts';

/** The time after which a typed letter is stored, which is well within a second. */
const storeAfterMs = 400;
const retryAfterMs = 2000;
const goneCodes: ReadonlySet<string> = new Set([
  'case_not_found',
  'draft_not_found',
  'document_not_found',
]);

interface TypedTexts {
  /** Stores a text under its key. A null means that the user took the text back. */
  readonly save: (key: string, text: string | null, by: TypedBy) => Promise<StoredText>;
  /** Shows a text that was typed in another window, or taken back into this one. */
  readonly show: (key: string, text: string | null) => void;
  /** Reads the engine's text, which replaces a text that arrived there too late. */
  readonly readAgain: (key: string) => unknown;
  /**
   * Returns the key of a text that changed. It is null if the text does not belong to these texts.
   */
  readonly keyOf: (changed: TypedText) => string | null;
}

/**
 * Stores texts as they are typed: comments, amounts and reasons of cases, notes, comments and
 * captions of drafts. A text that cannot be stored stays in this window, is stored at a later
 * attempt, and is reported by `useUnsavedStore`. A text that is typed in another window is shown in
 * this one (`typed-text.ts`).
 */
export function useAutosave({ save, show, readAgain, keyOf }: TypedTexts) {
  const live = useLiveStore();
  const undos = useUndoStore();
  const typedTexts = new Map<string, WindowText>();
  /** The texts that differ from those of the engine. */
  const unstored = shallowReactive(new Map<string, string | null>());
  const typedAtMs = new Map<string, number>();
  /** Why texts could not be stored. */
  const problems = shallowReactive(new Map<string, Problem>());
  const problem = computed(() => [...problems.values()][0] ?? null);
  const unsaved = useUnsavedStore();
  const texts = computed(() => [...unstored.values()].filter((text) => text !== null));
  unsaved.add({ isAny: computed(() => texts.value.length > 0), texts });
  const storedOf = (key: string): Stored => {
    if (!unstored.has(key)) return 'stored';
    return unsaved.isCutOff || problems.has(key) ? 'notStored' : 'storing';
  };

  /**
   * The number of changes, typed or arrived. With it, an answer that was requested earlier is
   * recognized as older.
   */
  let changes = 0;
  const changedAt = new Map<string, number>();
  function set(key: string, text: WindowText): void {
    changedAt.set(key, (changes += 1));
    typedTexts.set(key, text);
    if (text.unstored === undefined) unstored.delete(key);
    else unstored.set(key, text.unstored);
  }
  function take(key: string, { after, shown, lost }: Arrived): void {
    set(key, after);
    if (shown) show(key, shown.text);
    if (lost === undefined) return;
    const undo = () => {
      show(key, lost);
      change(key, lost);
    };
    undos.offer({ key: 'undo.otherWindow', params: {}, undo });
  }

  /**
   * Accepts a text that was read from the engine.
   * @param since the result of `mark` when the text was requested
   * @returns false if the text of this window is newer, because it changed since or is not stored
   *   yet
   */
  function answered(key: string, text: string | null, since: number): boolean {
    if (unstored.has(key) || (changedAt.get(key) ?? 0) > since) return false;
    take(key, arrived(typedTexts.get(key) ?? untyped, { text, isOwn: false }));
    return true;
  }
  const mark = (): number => changes;

  /** The queue makes one call at a time, so that an older text never arrives after a newer one. */
  const inTurn = createTaskQueue();
  /** Stores a text now. @returns whether the engine has it */
  const flush = (key: string): Promise<boolean> =>
    inTurn(async () => {
      const text = unstored.get(key);
      if (text === undefined) return true;
      try {
        const agoMs = Math.round(performance.now() - (typedAtMs.get(key) ?? performance.now()));
        const { isLate } = await save(key, text, { window: live.windowId, agoMs });
        take(key, stored(typedTexts.get(key) ?? untyped, text));
        for (const one of Array.from(problems.keys()))
          if (one === key || !unstored.has(one)) problems.delete(one);
        // The event about the other window's text may have been missed.
        if (isLate && !unstored.has(key)) void readAgain(key);
      } catch (error) {
        const found = toProblem(error);
        problems.set(key, found);
        // If what the text belongs to no longer exists, the text is not stored and stays only in
        // this window. After any other error, storing is tried again later.
        if (!goneCodes.has(found.code)) return false;
        if (unstored.get(key) === text) drop(key);
      }
      return true;
    });

  let timer: ReturnType<typeof setTimeout> | undefined;
  function storeIn(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void storeAll();
    }, ms);
  }
  async function storeAll(): Promise<void> {
    let isAnyLeft = false;
    for (const key of Array.from(unstored.keys())) {
      if (await flush(key)) continue;
      isAnyLeft = true;
      // Without an engine no other text would arrive either.
      if (problems.get(key)?.code === 'desk_unreachable') break;
    }
    if (isAnyLeft) storeIn(retryAfterMs);
  }

  function change(key: string, text: string | null): void {
    typedAtMs.set(key, performance.now());
    set(key, typed(typedTexts.get(key) ?? untyped, text));
    storeIn(storeAfterMs);
  }

  /** Forgets a text that nobody needs any more. */
  const drop = (key: string): void => set(key, untyped);

  live.on((event) => {
    if (event.type === 'typed.changed') {
      const key = keyOf(event);
      const isOwn = event.window === live.windowId;
      if (key !== null)
        take(key, arrived(typedTexts.get(key) ?? untyped, { text: event.text, isOwn }));
    }
    if (event.type !== 'workspace.changed') return;
    // The texts belong to another workspace, whose store has them.
    for (const texts of [typedTexts, unstored, typedAtMs, problems]) texts.clear();
  });
  live.onResumed(() => storeIn(0));

  return { unstored, storedOf, problem, change, flush, drop, answered, mark };
}
