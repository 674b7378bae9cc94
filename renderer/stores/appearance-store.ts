import { useStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { type Appearance, themeChoices } from '#shared/desk/setup/appearance.ts';
import { sentPhotos } from '#shared/photos/picture-kinds.ts';
import { firstColumns, knownColumns } from '../lib/case-columns.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveStore } from './live-store.ts';

/** Every part of the appearance, with the value that it has until the user chooses. */
type Whole = { readonly [Part in keyof Appearance]-?: Exclude<Appearance[Part], undefined> };
const atFirst: Whole = {
  theme: 'system',
  started: false,
  singleKeys: true,
  asTable: false,
  documentPercent: 58,
  columns: [...firstColumns],
  nameTemplate: '{key}_{n}_{kind}',
  // Sent photos are sharp on paper, and are without their place.
  photos: sentPhotos,
  photosAsRows: false,
  sheetLogo: null,
};

/** The theme that the shell wrote into the page; undefined if it wrote none. */
const firstTheme = () =>
  themeChoices.find((known) => known === document.documentElement.dataset['theme']);

/**
 * The look of the window and its keyboard shortcuts. The browser stores them, so that the next
 * window has them immediately. The desk stores them for the next start, which has another address
 * for the browser.
 */
export const useAppearanceStore = defineStore('appearance', () => {
  const { client } = useTransport();
  const stored = useStorage('appearance', atFirst, undefined, {
    mergeDefaults: true,
    shallow: true,
  });
  let isChosenHere = false;
  let isMissing = false;
  useLiveStore().onLinked(() => {
    if (isMissing) void load();
  });
  /** The theme until the engine answers: the page's is newer than what the browser has stored. */
  const first = shallowRef(firstTheme());

  /**
   * Shows what was chosen at an earlier start, unless the user has already chosen in this window.
   */
  async function load(): Promise<void> {
    // Without an answer the window looks as the browser has stored it.
    const chosen = await client.desk.appearance().catch(() => null);
    isMissing = chosen === null;
    if (chosen !== null && !isChosenHere) show(chosen);
  }

  function show(chosen: Appearance): void {
    first.value = undefined;
    stored.value = Object.assign({ ...stored.value }, chosen);
  }

  /** The user's choice is valid in this window even if it cannot be stored for the next start. */
  function choose(chosen: Appearance): void {
    isChosenHere = true;
    show(chosen);
    client.desk.setAppearance(chosen).catch(() => undefined);
  }

  return {
    theme: computed(() => first.value ?? stored.value.theme),
    /** Whether the user has used or closed the first steps of a new desk. */
    started: computed(() => stored.value.started),
    /** Whether shortcuts of a single key apply. The user can turn them off (WCAG 2.2, 2.1.4). */
    singleKeys: computed(() => stored.value.singleKeys),
    /** True if the list is a separate table, and false if it consists of cards next to the case. */
    asTable: computed(() => stored.value.asTable),
    /** The columns of the table, in its order. */
    columns: computed(() => knownColumns(stored.value.columns)),
    documentPercent: computed(() => stored.value.documentPercent),
    nameTemplate: computed(() => stored.value.nameTemplate),
    photos: computed(() => stored.value.photos),
    photosAsRows: computed(() => stored.value.photosAsRows),
    sheetLogo: computed(() => stored.value.sheetLogo),
    load,
    choose,
  };
});
