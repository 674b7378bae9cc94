import { useMutationObserver } from '@vueuse/core';
import { nextTick } from 'vue';
import { type RouteLocationRaw, useRouter } from 'vue-router';

let stopWaiting: (() => void) | null = null;

/**
 * Shows a page that was chosen by a key or by name. Its heading gets the focus as soon as it is
 * there, unless the person has put the focus elsewhere meanwhile.
 */
export function useGo(): (to: RouteLocationRaw) => Promise<void> {
  const router = useRouter();
  return async (to) => {
    stopWaiting?.();
    const before = document.activeElement;
    await router.push(to);
    await nextTick();
    const focus = () => {
      const now = document.activeElement;
      const hasMoved = now !== before && now !== document.body && now !== null;
      const heading = document.querySelector<HTMLElement>('#content h1');
      if (!hasMoved && !heading) return;
      stopWaiting?.();
      if (hasMoved || !heading) return;
      heading.tabIndex = -1;
      heading.focus();
    };
    const { stop } = useMutationObserver(document.getElementById('content'), focus, {
      ...{ childList: true, subtree: true },
    });
    stopWaiting = stop;
    focus();
  };
}
