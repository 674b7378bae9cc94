import { computedAsync } from '@vueuse/core';
import type { Ref } from 'vue';
import { loadHelp } from '../lib/help/load-help.ts';
import type { HelpText } from '../lib/help/read-help.ts';
import { useTexts } from './use-texts.ts';

/**
 * The help in the language of the window. It is loaded once `wanted` is true, and is null until
 * then.
 */
export function useHelp(wanted: Ref<boolean>): Ref<HelpText | null> {
  const { language } = useTexts();
  return computedAsync(
    () => (wanted.value ? loadHelp(language.value) : Promise.resolve(null)),
    null,
  );
}
