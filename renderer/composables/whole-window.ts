import { inject, type InjectionKey, shallowRef, type ShallowRef } from 'vue';
import type * as rest from '../rest-of-window.ts';

type Rest = typeof rest;

/** What is shown beside the first list; before it is there, only the frame and that list are. */
export const wholeKey: InjectionKey<Readonly<ShallowRef<Rest | null>>> = Symbol('whole window');

/**
 * Parts that need Vuetify are drawn when this is there (decision 0054). They are parts of it and not
 * loaded by themselves, because the frame between would be without them and without their room.
 */
export function useWholeWindow(): Readonly<ShallowRef<Rest | null>> {
  return inject(wholeKey, () => shallowRef(null), true);
}
