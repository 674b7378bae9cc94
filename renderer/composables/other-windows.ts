import { computed, onScopeDispose, type Ref, shallowReactive, watch } from 'vue';

/**
 * Reports whether a state is on in another window of this desk; `isOn` is the state of this window.
 * A lock represents the state, and is released when its window closes. A message announces it.
 * @param name the name of the lock, the same in all windows
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

  /**
   * Windows that wait for the release hold the lock in shared mode, which does not count as the
   * state.
   */
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
