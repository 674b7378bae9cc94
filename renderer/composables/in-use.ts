import { useActiveElement, useEventListener } from '@vueuse/core';
import { computed, type ComputedRef, type Ref, shallowRef } from 'vue';

/**
 * Whether the user is working in an element: it has the focus (even if another program is in
 * front), or a mouse button is down. Then its content must not move.
 */
export function useInUse(element: Readonly<Ref<HTMLElement | null>>): ComputedRef<boolean> {
  const active = useActiveElement({ triggerOnRemoval: true });
  const isPressed = shallowRef(false);
  const capture = { capture: true };
  useEventListener(window, 'pointerdown', () => (isPressed.value = true), capture);
  // The click event follows in the same task.
  const release = () => setTimeout(() => (isPressed.value = false));
  useEventListener(window, ['pointerup', 'pointercancel'], release, capture);
  return computed(() => isPressed.value || element.value?.contains(active.value ?? null) === true);
}
