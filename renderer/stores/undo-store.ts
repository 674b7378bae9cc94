import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { MessageKey } from '#shared/i18n/texts.ts';
import { toProblem, type Problem } from '../composables/problem.ts';
import { useLiveStore } from './live-store.ts';

/** An act that was done and how it is taken back. */
export interface UndoStep {
  /** What was done, as a text's key with its parameters. */
  readonly key: MessageKey;
  readonly params: Readonly<Record<string, string | number>>;
  readonly undo: () => unknown;
}

/** Steps that are remembered. */
const undoMax = 50;
/** As long as the user needs to see what they did. */
const shownMs = 10_000;

/** What the user removed, renamed, discarded or cleared in this window, to be taken back. */
export const useUndoStore = defineStore('undo', () => {
  const steps = shallowRef<readonly UndoStep[]>([]);
  const shown = shallowRef<UndoStep | null>(null);
  /** Why the last step could not be taken back. */
  const problem = shallowRef<Problem | null>(null);
  const canUndo = computed(() => steps.value.length > 0);

  let timer: ReturnType<typeof setTimeout> | undefined;
  function show(step: UndoStep | null): void {
    clearTimeout(timer);
    shown.value = step;
    problem.value = null;
    if (step) timer = setTimeout(() => show(null), shownMs);
  }

  function offer(step: UndoStep): void {
    steps.value = [...steps.value, step].slice(-undoMax);
    show(step);
  }

  /** Takes the last step back; rejects never. */
  async function undo(): Promise<void> {
    const step = steps.value.at(-1);
    if (!step) return;
    steps.value = steps.value.slice(0, -1);
    show(null);
    try {
      await step.undo();
    } catch (error) {
      show(step);
      problem.value = toProblem(error);
    }
  }

  useLiveStore().on((event) => {
    if (event.type !== 'workspace.changed') return;
    // They are about another workspace.
    steps.value = [];
    show(null);
  });
  return { canUndo, shown, problem, offer, undo };
});
