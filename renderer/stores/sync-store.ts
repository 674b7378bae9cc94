import { useEventListener } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { useTransport } from '../transport/transport.ts';
import { toProblem } from '../composables/problem.ts';
import { useLiveData } from './live-data.ts';
import { useLiveStore } from './live-store.ts';

/** How the laptop stands to the partner: network, running round, what waits. */
export const useSyncStore = defineStore('sync', () => {
  const { client } = useTransport();
  /** `problem` is that of the last round, too: nobody awaits the one after an act. */
  const { data: status, load, problem } = useLiveData(() => client.sync.status(), { ofDesk: true });
  /** Rounds that this window asked for and that are not over. */
  const asked = shallowRef(0);
  const phase = computed(() => status.value?.phase ?? 'idle');
  /** Not while documents are fetched, which can take minutes and hinders no other round. */
  const running = computed(
    () => phase.value !== 'fetching' && (asked.value > 0 || phase.value !== 'idle'),
  );
  const offline = computed(() => status.value?.network === 'offline');
  let last = Promise.resolve();

  /**
   * One whole round; the status shows its outcome. Behind the one that is under way only one waits,
   * for everyone who asks in the meantime.
   */
  function run(): Promise<void> {
    if (!running.value || asked.value < 2) last = round();
    return last;
  }

  async function round(): Promise<void> {
    asked.value += 1;
    problem.value = null;
    try {
      await client.sync.run({ documents: 'due' });
    } catch (error) {
      problem.value = toProblem(error);
    } finally {
      asked.value -= 1;
    }
  }

  async function setPaused(paused: boolean): Promise<void> {
    status.value = await client.sync.setPaused({ paused });
  }

  useLiveStore().on((event) => {
    if (event.type !== 'sync.changed') return;
    status.value = event.status;
    if (event.status.network === 'online') problem.value = null;
  });
  // Only this laptop's network; whether the partner is reached the engine finds out.
  useEventListener(
    window,
    'online',
    () => void client.sync.networkChanged().catch(() => undefined),
  );
  return { status, running, offline, problem, load, run, setPaused };
});
