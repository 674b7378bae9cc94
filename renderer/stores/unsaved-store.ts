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

/** Texts that are in this window only: it must not be closed then. */
export const useUnsavedStore = defineStore('unsaved', () => {
  const live = useLiveStore();
  const sources = shallowReactive(new Set<Source>());
  const any = computed(() => [...sources].some(({ isAny }) => isAny.value));
  const texts = computed(() => [...sources].flatMap((source) => source.texts.value));
  const add = (source: Source): void => void sources.add(source);

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

  return { any, texts, add, isCutOff, isLongCutOff };
});
