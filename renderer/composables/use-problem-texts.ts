import { sayBytes, sayProblem } from '#shared/desk/error-text.ts';
import type { DeskProblem } from '#shared/desk/errors.ts';
import type { ShownProblem } from './shown-problem.ts';
import { useTexts } from './use-texts.ts';

/**
 * What went wrong, and sizes, in the words that the command line has, too. Apart from the window's
 * other texts, because the first list says none of it (decision 0054).
 */
export function useProblemTexts() {
  const { language, t } = useTexts();
  /** What the person sees before them when they were too late needs no number to be found by. */
  function tooLate({ code, params }: ShownProblem): string | null {
    const state = params['state'];
    if (code !== 'queue_row_state') return null;
    if (state === 'sending' || state === 'unknown') return t('queueWork.tooLate.sending');
    return state === 'delivered' || state === 'discarded' ? t(`queueWork.tooLate.${state}`) : null;
  }
  return {
    problemText: (problem: ShownProblem): string =>
      problem.code === 'desk_unreachable'
        ? t('app.unreachableText')
        : (tooLate(problem) ?? sayProblem(problem as DeskProblem, language.value)),
    bytes: (bytes: number) => sayBytes(bytes, language.value),
  };
}
