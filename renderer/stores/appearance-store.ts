import { useStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed } from 'vue';
import type { Appearance } from '#shared/desk/appearance.ts';
import { firstColumns, knownColumns } from '../composables/case-columns.ts';
import { useTransport } from '../transport/transport.ts';

/** Every part, as it is until the user chooses. */
type Whole = { readonly [Part in keyof Appearance]-?: Exclude<Appearance[Part], undefined> };
const atFirst: Whole = {
  theme: 'system',
  singleKeys: true,
  asTable: false,
  documentPercent: 58,
  columns: [...firstColumns],
  nameTemplate: '{key}_{n}_{kind}',
  // Sharp on paper, and without their place.
  photos: { longEdge: 2400, keepPlace: false },
  sheetLogo: null,
};

/**
 * How the window looks and listens. The browser retains it for the next window, which has it at
 * once; the desk retains it for the next start, whose address is another for the browser.
 */
export const useAppearanceStore = defineStore('appearance', () => {
  const { client } = useTransport();
  const stored = useStorage('appearance', atFirst, undefined, {
    mergeDefaults: true,
    shallow: true,
  });
  let isChosenHere = false;

  /** Shows what was chosen at an earlier start, unless the user was quicker. */
  async function load(): Promise<void> {
    // Without an answer the window looks as the browser remembers.
    const chosen = await client.desk.appearance().catch((): Appearance => ({}));
    if (!isChosenHere) show(chosen);
  }

  function show(chosen: Appearance): void {
    stored.value = Object.assign({ ...stored.value }, chosen);
  }

  /** The user's choice is valid in this window even if it cannot be stored for the next start. */
  function choose(chosen: Appearance): void {
    isChosenHere = true;
    show(chosen);
    client.desk.setAppearance(chosen).catch(() => undefined);
  }

  return {
    theme: computed(() => stored.value.theme),
    /** Whether shortcuts of a single key apply (WCAG 2.2, 2.1.4: they can be turned off). */
    singleKeys: computed(() => stored.value.singleKeys),
    /** The list as a separate table, or as cards next to the case. */
    asTable: computed(() => stored.value.asTable),
    /** Of the table, in its order. */
    columns: computed(() => knownColumns(stored.value.columns)),
    documentPercent: computed(() => stored.value.documentPercent),
    nameTemplate: computed(() => stored.value.nameTemplate),
    photos: computed(() => stored.value.photos),
    sheetLogo: computed(() => stored.value.sheetLogo),
    load,
    choose,
  };
});
