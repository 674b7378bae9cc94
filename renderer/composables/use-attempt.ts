import { computed, type ComputedRef, shallowRef, watch } from 'vue';
import { type Problem, toProblem } from '../lib/problem.ts';

export interface Attempt {
  /**
   * The reason why the last act failed. It is null if the act succeeded, or if it concerned another
   * subject.
   */
  readonly problem: ComputedRef<Problem | null>;
  /** Whether an act is running. */
  readonly busy: ComputedRef<boolean>;
  /** Runs an act. @returns whether it succeeded */
  readonly attempt: (act: () => Promise<unknown>) => Promise<boolean>;
  /** Drops the outcome of the last act, once the user has read it. */
  readonly dismiss: () => void;
}

/**
 * Runs the acts of the user and stores their outcome.
 * @param subject the subject of the acts; if it changes, the outcome is dropped
 */
export function useAttempt(subject: () => unknown = () => null): Attempt {
  const failure = shallowRef<Problem | null>(null);
  const running = shallowRef(0);
  watch(subject, () => (failure.value = null), { flush: 'sync' });

  async function attempt(act: () => Promise<unknown>): Promise<boolean> {
    const about = subject();
    failure.value = null;
    running.value += 1;
    try {
      await act();
      return true;
    } catch (error) {
      if (subject() === about) failure.value = toProblem(error);
      return false;
    } finally {
      running.value -= 1;
    }
  }
  return {
    problem: computed(() => failure.value),
    busy: computed(() => running.value > 0),
    attempt,
    dismiss: () => (failure.value = null),
  };
}
