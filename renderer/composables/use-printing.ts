import { useEventListener } from '@vueuse/core';
import { shallowRef, type ShallowRef } from 'vue';

/**
 * Whether the page is being printed. The paper shows the whole list and not only what is in sight.
 */
export function usePrinting(): ShallowRef<boolean> {
  const isPrinting = shallowRef(false);
  useEventListener(window, 'beforeprint', () => (isPrinting.value = true));
  useEventListener(window, 'afterprint', () => (isPrinting.value = false));
  return isPrinting;
}
