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

/** A step with the page on which it was offered. */
interface PlacedStep extends UndoStep {
  readonly page: string;
}

/** Steps that are remembered. */
const undoMax = 50;
/** As long as the user needs to see what they did. */
const shownMs = 10_000;

/** What the user removed, renamed, discarded or cleared in this window, to be taken back. */
export const useUndoStore = defineStore('undo', () => {
  const steps = shallowRef<readonly PlacedStep[]>([]);
  const shown = shallowRef<UndoStep | null>(null);
  /** Why the last step could not be taken back. */
  const problem = shallowRef<Problem | null>(null);
  const last = computed(() => steps.value.at(-1) ?? null);
  const canUndo = computed(() => last.value !== null);

  let timer: ReturnType<typeof setTimeout> | undefined;
  function show(step: UndoStep | null): void {
    clearTimeout(timer);
    shown.value = step;
    problem.value = null;
    if (step) timer = setTimeout(() => show(null), shownMs);
  }

  function offer(step: UndoStep): void {
    const placed = { ...step, page: location.hash };
    steps.value = [...steps.value, placed].slice(-undoMax);
    show(placed);
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
      // Nothing was done: it can be taken back once the engine answers.
      if (problem.value.code === 'desk_unreachable') steps.value = [...steps.value, step];
    }
  }

  /**
   * What the user asks for by a key: of another page nothing is taken back unseen. The step is
   * shown first, and taken back if it is asked for once more.
   */
  async function undoInSight(): Promise<void> {
    const step = steps.value.at(-1);
    if (!step) return;
    if (shown.value === step || step.page === location.hash) await undo();
    else show(step);
  }

  useLiveStore().on((event) => {
    if (event.type !== 'workspace.changed') return;
    // They are about another workspace.
    steps.value = [];
    show(null);
  });
  return { canUndo, last, shown, problem, offer, undo, undoInSight };
});
