import { useEventListener, useStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { storedTheme, storeTheme } from '../theme/theme-choice.ts';
import type { CaseSort } from '#shared/desk/cases.ts';
import { firstColumns, knownColumns } from '../composables/case-columns.ts';
import type { ThemeChoice } from '../theme/themes.ts';

/** How the window looks and listens: kept by the browser, the same in every window. */
export const useLookStore = defineStore('look', () => {
  const theme = shallowRef<ThemeChoice>(storedTheme());
  /** Whether shortcuts of a single key apply (WCAG 2.2, 2.1.4: they can be turned off). */
  const singleKeys = useStorage('single-keys', true);

  /** The list as a table of its own, or as cards beside the case. */
  const asTable = useStorage('list-as-table', false);
  const storedColumns = useStorage<string[]>('list-columns', [...firstColumns]);
  /** Of the table, in its order. */
  const columns = computed<readonly CaseSort[]>({
    get: () => knownColumns(storedColumns.value),
    set: (names) => (storedColumns.value = [...names]),
  });

  function setTheme(choice: ThemeChoice): void {
    theme.value = choice;
    storeTheme(choice);
  }
  // Another window chose.
  useEventListener(window, 'storage', () => (theme.value = storedTheme()));

  return { theme, singleKeys, asTable, columns, setTheme };
});
