import { useStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { Appearance, ThemeChoice } from '#shared/desk/appearance.ts';
import type { CaseSort } from '#shared/desk/case-choices.ts';
import type { PhotoRule } from '../composables/photos/photo-tasks.ts';
import { firstColumns, knownColumns } from '../composables/case-columns.ts';
import { isThemeChoice } from '../theme/themes.ts';
import { useTransport } from '../transport/transport.ts';

/**
 * How the window looks and listens. The browser keeps it for the next window, which has it at once;
 * the desk keeps it for the next start, whose address is another for the browser.
 */
export const useAppearanceStore = defineStore('appearance', () => {
  const { client } = useTransport();
  const storedTheme = useStorage<string>('theme', 'system');
  const theme = computed<ThemeChoice>(() =>
    isThemeChoice(storedTheme.value) ? storedTheme.value : 'system',
  );
  /** Whether shortcuts of a single key apply (WCAG 2.2, 2.1.4: they can be turned off). */
  const singleKeys = useStorage('single-keys', true);

  /** The list as a table of its own, or as cards beside the case. */
  const asTable = useStorage('list-as-table', false);
  const storedColumns = useStorage<string[]>('list-columns', [...firstColumns]);
  /** Of the table, in its order. */
  const columns = computed<readonly CaseSort[]>(() => knownColumns(storedColumns.value));

  /** Share of the width that a document takes beside its case, in percent. */
  const documentPercent = useStorage('document-percent', 58);

  const nameTemplate = useStorage('report-name-template', '{key}_{n}_{kind}');

  /** What is sent of photos: sharp on paper, and without their place. */
  const photos = shallowRef<PhotoRule>({ longEdge: 2400, keepPlace: false });

  /** Of the office, on photo sheets: a small JPEG as a data address. */
  const sheetLogo = shallowRef<string | null>(null);

  let isChosenHere = false;

  /** Shows what was chosen at an earlier start, unless a person was quicker. */
  async function load(): Promise<void> {
    // Without an answer the window looks as the browser remembers.
    const kept = await client.desk.appearance().catch((): Appearance => ({}));
    if (!isChosenHere) show(kept);
  }

  function show(appearance: Appearance): void {
    if (appearance.theme !== undefined) storedTheme.value = appearance.theme;
    if (appearance.singleKeys !== undefined) singleKeys.value = appearance.singleKeys;
    if (appearance.asTable !== undefined) asTable.value = appearance.asTable;
    if (appearance.documentPercent !== undefined)
      documentPercent.value = appearance.documentPercent;
    if (appearance.columns !== undefined) storedColumns.value = [...appearance.columns];
    if (appearance.photos !== undefined) photos.value = appearance.photos;
    if (appearance.sheetLogo !== undefined) sheetLogo.value = appearance.sheetLogo;
    if (appearance.nameTemplate !== undefined) nameTemplate.value = appearance.nameTemplate;
  }

  /** A person's choice holds in this window even if it cannot be kept for the next start. */
  function choose(appearance: Appearance): void {
    isChosenHere = true;
    show(appearance);
    client.desk.setAppearance(appearance).catch(() => undefined);
  }

  return {
    ...{ theme, singleKeys, asTable, columns, documentPercent, nameTemplate, photos },
    ...{ sheetLogo, load, choose },
  };
});
