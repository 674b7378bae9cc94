import { useStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed } from 'vue';
import type { Appearance } from '#shared/desk/appearance.ts';
import { firstColumns, knownColumns } from '../composables/case-columns.ts';
import { useTransport } from '../transport/transport.ts';

/** Every part, as it is until a person chooses. */
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
 * How the window looks and listens. The browser keeps it for the next window, which has it at once;
 * the desk keeps it for the next start, whose address is another for the browser.
 */
export const useAppearanceStore = defineStore('appearance', () => {
  const { client } = useTransport();
  const kept = useStorage('appearance', atFirst, undefined, { mergeDefaults: true, shallow: true });
  let isChosenHere = false;

  /** Shows what was chosen at an earlier start, unless a person was quicker. */
  async function load(): Promise<void> {
    // Without an answer the window looks as the browser remembers.
    const chosen = await client.desk.appearance().catch((): Appearance => ({}));
    if (!isChosenHere) show(chosen);
  }

  function show(chosen: Appearance): void {
    kept.value = Object.assign({ ...kept.value }, chosen);
  }

  /** A person's choice holds in this window even if it cannot be kept for the next start. */
  function choose(chosen: Appearance): void {
    isChosenHere = true;
    show(chosen);
    client.desk.setAppearance(chosen).catch(() => undefined);
  }

  return {
    theme: computed(() => kept.value.theme),
    /** Whether shortcuts of a single key apply (WCAG 2.2, 2.1.4: they can be turned off). */
    singleKeys: computed(() => kept.value.singleKeys),
    /** The list as a table of its own, or as cards beside the case. */
    asTable: computed(() => kept.value.asTable),
    /** Of the table, in its order. */
    columns: computed(() => knownColumns(kept.value.columns)),
    documentPercent: computed(() => kept.value.documentPercent),
    nameTemplate: computed(() => kept.value.nameTemplate),
    photos: computed(() => kept.value.photos),
    sheetLogo: computed(() => kept.value.sheetLogo),
    load,
    choose,
  };
});
