import { computed, onScopeDispose, type Ref, shallowReactive, watch } from 'vue';

/**
 * Whether something is so in another window of this desk; `isOn` says it of this one. A lock stands
 * for it, which ends with its window; a message announces it.
 * @param name the same in all windows
 */
export function useOtherWindows(
  name: string,
  isOn: Readonly<Ref<boolean>>,
): Readonly<Ref<boolean>> {
  const own = `${name} ${crypto.randomUUID()}`;
  const others = shallowReactive(new Set<string>());
  const windows = new BroadcastChannel(`desk-${name}`);

  let release: () => void = () => undefined;
  watch(
    isOn,
    (now) => {
      release();
      if (!now) return;
      const over = new Promise<void>((resolve) => (release = resolve));
      void navigator.locks.request(own, () => {
        windows.postMessage(null);
        return over;
      });
    },
    { immediate: true },
  );

  /** Those who wait for the end share the lock; it is not theirs. */
  async function look(): Promise<void> {
    const { held = [] } = await navigator.locks.query();
    for (const { name: lock = '', mode } of held) {
      const isOther = mode === 'exclusive' && lock.startsWith(`${name} `) && lock !== own;
      if (!isOther || others.has(lock)) continue;
      others.add(lock);
      void navigator.locks.request(lock, { mode: 'shared' }, () => void others.delete(lock));
    }
  }
  windows.onmessage = () => void look();
  void look();

  onScopeDispose(() => {
    release();
    windows.close();
  });
  return computed(() => others.size > 0);
}
