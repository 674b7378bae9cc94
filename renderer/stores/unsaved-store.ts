import { useTimeoutFn } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, type ComputedRef, shallowReactive, shallowRef, watch } from 'vue';
import { useLiveStore } from './live-store.ts';

/** The engine may come back by itself; after this long the user has to do something. */
const patientMs = 10_000;

/** Whether a text is stored on this laptop. */
export type Stored = 'stored' | 'storing' | 'notStored';

interface Source {
  readonly isAny: ComputedRef<boolean>;
  readonly texts: ComputedRef<readonly string[]>;
}

/** What is in this window only, texts and files on their way: it must not be closed then. */
export const useUnsavedStore = defineStore('unsaved', () => {
  const live = useLiveStore();
  const sources = shallowReactive(new Set<Source>());
  const any = computed(() => [...sources].some(({ isAny }) => isAny.value));
  const texts = computed(() => [...sources].flatMap((source) => source.texts.value));
  const add = (source: Source): void => void sources.add(source);

  const intakes = shallowReactive(new Set<ComputedRef<boolean>>());
  /** Files that were chosen, or changed, are not all stored by the engine yet. */
  const adding = computed(() => [...intakes].some(({ value }) => value));
  const addIntake = (isAdding: ComputedRef<boolean>): void => void intakes.add(isAdding);

  /** The engine does not answer: nothing is stored until it does. */
  const isCutOff = computed(() => live.state === 'lost');
  const isLongCutOff = shallowRef(false);
  const { start, stop } = useTimeoutFn(() => (isLongCutOff.value = true), patientMs, {
    immediate: false,
  });
  watch(isCutOff, (now) => {
    stop();
    isLongCutOff.value = false;
    if (now) start();
  });

  return { any, texts, add, adding, addIntake, isCutOff, isLongCutOff };
});
