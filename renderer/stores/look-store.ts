import { useEventListener, useStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { CaseSort } from '#shared/desk/cases.ts';
import type { Look, ThemeChoice } from '#shared/desk/look.ts';
import { firstColumns, knownColumns } from '../composables/case-columns.ts';
import { storedTheme, storeTheme } from '../theme/theme-choice.ts';
import { useTransport } from '../transport/transport.ts';

/**
 * How the window looks and listens. The browser keeps it for the next window, which has it at once;
 * the desk keeps it for the next start, when the browser knows nothing of the address before.
 */
export const useLookStore = defineStore('look', () => {
  const { client } = useTransport();
  const theme = shallowRef<ThemeChoice>(storedTheme());
  /** Whether shortcuts of a single key apply (WCAG 2.2, 2.1.4: they can be turned off). */
  const singleKeys = useStorage('single-keys', true);

  /** The list as a table of its own, or as cards beside the case. */
  const asTable = useStorage('list-as-table', false);
  const storedColumns = useStorage<string[]>('list-columns', [...firstColumns]);
  /** Of the table, in its order. */
  const columns = computed<readonly CaseSort[]>(() => knownColumns(storedColumns.value));

  const nameTemplate = useStorage('report-name-template', '{key}_{n}_{kind}');

  let isChosenHere = false;

  /** What was chosen at an earlier start, unless a person was quicker. */
  async function load(): Promise<void> {
    // Without an answer the window looks as the browser remembers.
    const kept = await client.desk.look().catch((): Look => ({}));
    if (!isChosenHere) show(kept);
  }

  function show(look: Look): void {
    if (look.theme !== undefined) {
      theme.value = look.theme;
      storeTheme(look.theme);
    }
    if (look.singleKeys !== undefined) singleKeys.value = look.singleKeys;
    if (look.asTable !== undefined) asTable.value = look.asTable;
    if (look.columns !== undefined) storedColumns.value = [...look.columns];
    if (look.nameTemplate !== undefined) nameTemplate.value = look.nameTemplate;
  }

  /** A person's choice holds in this window even where it cannot be kept for the next start. */
  function choose(look: Look): void {
    isChosenHere = true;
    show(look);
    client.desk.setLook(look).catch(() => undefined);
  }

  // Another window chose.
  useEventListener(window, 'storage', () => (theme.value = storedTheme()));

  return { theme, singleKeys, asTable, columns, nameTemplate, load, choose };
});
