import { defineStore } from 'pinia';
import { computed, shallowReactive, shallowRef } from 'vue';
import type { MessageKey } from '#shared/i18n/texts.ts';
import { toProblem, type Problem } from '../lib/problem.ts';
import { useLiveStore } from './live-store.ts';

/** An act that was done, and how it is taken back. */
export interface UndoStep {
  /** The key of the text that names the act; `params` are its parameters. */
  readonly key: MessageKey;
  readonly params: Readonly<Record<string, string | number>>;
  readonly undo: () => unknown;
}

/** A step with the page on which it was offered. */
interface PlacedStep extends UndoStep {
  readonly page: string;
}

/** The number of steps that are remembered. */
const undoMax = 50;
/** The time for which a step is shown, in which the user sees what they did. */
const shownMs = 10_000;

/**
 * The acts of the user in this window that can be taken back: removing, renaming, discarding and
 * clearing.
 */
export const useUndoStore = defineStore('undo', () => {
  const steps = shallowRef<readonly PlacedStep[]>([]);
  const shown = shallowRef<UndoStep | null>(null);
  /** The reason why the last step could not be taken back. */
  const problem = shallowRef<Problem | null>(null);
  const last = computed(() => steps.value.at(-1) ?? null);
  /** Acts of which the engine has not answered yet. They offer at their end how to take them back. */
  const underWay = shallowReactive(new Set<Promise<unknown>>());
  const canUndo = computed(() => last.value !== null || underWay.size > 0);

  let timer: ReturnType<typeof setTimeout> | undefined;
  function show(step: UndoStep | null): void {
    clearTimeout(timer);
    shown.value = step;
    problem.value = null;
    if (step) timer = setTimeout(() => show(null), shownMs);
  }

  /** Hides the message. The step can still be taken back. */
  const hide = (): void => show(null);

  let offers = 0;
  function offer(step: UndoStep): void {
    const placed = { ...step, page: location.hash };
    offers += 1;
    steps.value = [...steps.value, placed].slice(-undoMax);
    show(placed);
  }

  /** Runs an act that offers at its end how to take it back. A key that is pressed before waits. */
  async function acting<T>(act: () => Promise<T>): Promise<T> {
    const running = act();
    underWay.add(running);
    try {
      return await running;
    } finally {
      underWay.delete(running);
    }
  }

  /** Takes the last step back. It never rejects. */
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
      // Nothing was done, so the user can take the step back once the engine answers.
      if (problem.value.code === 'desk_unreachable') steps.value = [...steps.value, step];
    }
  }

  /**
   * Takes the last step back at a key of the user, but never unseen. A step of another page is
   * first shown, and is taken back if the user presses the key again. The user means an act that is
   * still under way, and not the one before it.
   */
  async function undoInSight(): Promise<void> {
    if (underWay.size > 0) {
      const known = offers;
      const begun = [...underWay];
      await Promise.allSettled(begun);
      // An act that did nothing has nothing to take back.
      if (offers === known) return;
    }
    const step = steps.value.at(-1);
    if (!step) return;
    if (shown.value === step || step.page === location.hash) await undo();
    else show(step);
  }

  useLiveStore().on((event) => {
    if (event.type !== 'workspace.changed') return;
    // The steps belong to another workspace.
    steps.value = [];
    show(null);
  });
  return { canUndo, last, shown, problem, offer, acting, hide, undo, undoInSight };
});
