import { computed, shallowReactive, shallowRef } from 'vue';
import { toProblem, type Problem } from '../composables/problem.ts';
import { createTaskQueue } from '../composables/tasks.ts';
import { useLiveStore } from './live-store.ts';
import { type Stored, useUnsavedStore } from './unsaved-store.ts';

/** A typed letter is stored well within a second. */
const storeAfterMs = 400;
const retryAfterMs = 2000;

/**
 * Stores texts as they are typed: comments, amounts and reasons of cases, notes, comments of
 * drafts. What cannot be stored stays in this window, is tried again, and is reported by
 * `useUnsavedStore`.
 * @param save stores a text under its key; null if the user took it back
 * @param mayStore false for a text that the engine would refuse: it waits until it is another
 */
export function useAutosave(
  save: (key: string, text: string | null) => Promise<unknown>,
  mayStore: (text: string | null) => boolean = () => true,
) {
  const live = useLiveStore();
  /** Texts that the engine does not have as they are here. */
  const unstored = shallowReactive(new Map<string, string | null>());
  const storing = shallowRef(0);
  const problem = shallowRef<Problem | null>(null);
  const unsaved = useUnsavedStore();
  const texts = computed(() => [...unstored.values()].filter((text) => text !== null));
  unsaved.add({ isAny: computed(() => storing.value > 0 || texts.value.length > 0), texts });
  const storedOf = (key: string): Stored => {
    if (!unstored.has(key)) return 'stored';
    return unsaved.isCutOff || problem.value !== null ? 'notStored' : 'storing';
  };

  /** One call at a time, so that an older text never arrives after a newer one. */
  const inTurn = createTaskQueue();
  /** Stores a text now. @returns whether the engine has it */
  const flush = (key: string): Promise<boolean> =>
    inTurn(async () => {
      const text = unstored.get(key);
      if (text === undefined) return true;
      if (!mayStore(text)) return false;
      storing.value += 1;
      try {
        await save(key, text);
        problem.value = null;
      } catch (error) {
        problem.value = toProblem(error);
        // The text of a case that is not here any more stays in the window.
        if (problem.value.code !== 'case_not_found') return false;
      } finally {
        storing.value -= 1;
      }
      if (unstored.get(key) === text) unstored.delete(key);
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
    for (const [key, text] of [...unstored])
      if (mayStore(text) && !(await flush(key))) {
        storeIn(retryAfterMs);
        return;
      }
  }

  function change(key: string, text: string | null): void {
    unstored.set(key, text);
    storeIn(storeAfterMs);
  }

  /** Forgets a text that nobody needs any more. */
  const drop = (key: string): void => void unstored.delete(key);

  live.on((event) => {
    if (event.type !== 'workspace.changed') return;
    // They are another workspace's; its own store has them.
    unstored.clear();
    problem.value = null;
  });
  live.onResumed(() => storeIn(0));

  return { unstored, storedOf, problem, change, flush, drop };
}
