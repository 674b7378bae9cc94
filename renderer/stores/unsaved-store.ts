import { defineStore } from 'pinia';
import { computed, type ComputedRef, shallowReactive } from 'vue';

/** Whether some text is in this window only: it must not be closed then. */
export const useUnsavedStore = defineStore('unsaved', () => {
  const sources = shallowReactive(new Set<ComputedRef<boolean>>());
  const any = computed(() => [...sources].some(({ value }) => value));
  const add = (source: ComputedRef<boolean>): void => void sources.add(source);
  return { any, add };
});
