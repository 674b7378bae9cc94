import { usePreferredDark } from '@vueuse/core';
import { computed, type ComputedRef } from 'vue';
import type { ThemeChoice } from '#shared/desk/look.ts';

/** The theme that a choice means on this system, now and when the system changes its own. */
export function useThemeName(
  choice: () => ThemeChoice,
): ComputedRef<Exclude<ThemeChoice, 'system'>> {
  const prefersDark = usePreferredDark();
  return computed(() => {
    const chosen = choice();
    if (chosen !== 'system') return chosen;
    return prefersDark.value ? 'dark' : 'light';
  });
}
