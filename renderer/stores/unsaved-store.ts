import { useTimeoutFn } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, type ComputedRef, shallowReactive, shallowRef, watch } from 'vue';
import { useLiveStore } from './live-store.ts';

/**
 * The time after which the user has to do something. Before that, the engine may return without
 * help.
 */
const patientMs = 10_000;

/** Whether a text is stored on this laptop. */
export type Stored = 'stored' | 'storing' | 'notStored';

interface Source {
  readonly isAny: ComputedRef<boolean>;
  readonly texts: ComputedRef<readonly string[]>;
}

/** Texts and files that are only in this window, which must not be closed in the meantime. */
export const useUnsavedStore = defineStore('unsaved', () => {
  const live = useLiveStore();
  const sources = shallowReactive(new Set<Source>());
  const any = computed(() => [...sources].some(({ isAny }) => isAny.value));
  const texts = computed(() => [...sources].flatMap((source) => source.texts.value));
  const add = (source: Source): void => void sources.add(source);

  const intakes = shallowReactive(new Set<ComputedRef<boolean>>());
  /** Whether the engine has not yet stored all files that were chosen or changed. */
  const adding = computed(() => [...intakes].some(({ value }) => value));
  const addIntake = (isAdding: ComputedRef<boolean>): void => void intakes.add(isAdding);

  /** Whether the engine does not answer. Nothing is stored until it does. */
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
