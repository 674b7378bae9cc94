import { inject, type InjectionKey, shallowRef, type ShallowRef } from 'vue';

/** Whether all of the window is there; before that only the frame and the list of cases are. */
export const wholeKey: InjectionKey<Readonly<ShallowRef<boolean>>> = Symbol('whole window');

/** Parts that need Vuetify are drawn when this is true (decision 0054). */
export function useWholeWindow(): Readonly<ShallowRef<boolean>> {
  return inject(wholeKey, () => shallowRef(true), true);
}
