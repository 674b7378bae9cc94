import { type RouteLocationRaw, useRouter } from 'vue-router';
import { useGo } from './desk-pages.ts';

/**
 * Lets an act show another page when it is done. The returned function is called as the act begins.
 * What it returns shows the page and its heading gets the focus, unless the user has opened another
 * page in the meantime.
 */
export function useGoOn(): () => (to: RouteLocationRaw) => Promise<void> {
  const router = useRouter();
  const go = useGo();
  return () => {
    const { path } = router.currentRoute.value;
    return async (to) => {
      if (router.currentRoute.value.path === path) await go(to);
    };
  };
}
