import { computed, type ComputedRef, shallowRef, watch } from 'vue';
import { type Problem, toProblem } from './problem.ts';

export interface Attempt {
  /** Why the last act failed; null if it did not, or if it was about another subject. */
  readonly problem: ComputedRef<Problem | null>;
  /** Whether an act is under way. */
  readonly busy: ComputedRef<boolean>;
  /** Runs an act; whether it succeeded. */
  readonly attempt: (act: () => Promise<unknown>) => Promise<boolean>;
}

/**
 * What the user asks for, with its outcome.
 * @param subject what the acts are about; an outcome is dropped once that is another
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
  };
}
