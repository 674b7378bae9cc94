import { type RouteLocationRaw, useRouter } from 'vue-router';

/**
 * Lets an act show another page when it is done. The returned function is called as the act begins.
 * What it returns shows the page, unless the user has opened another one in the meantime.
 */
export function useGoOn(): () => (to: RouteLocationRaw) => Promise<void> {
  const router = useRouter();
  return () => {
    const { path } = router.currentRoute.value;
    return async (to) => {
      if (router.currentRoute.value.path === path) await router.push(to);
    };
  };
}
