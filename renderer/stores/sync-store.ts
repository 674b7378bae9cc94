import { useEventListener } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { useTransport } from '../transport/transport.ts';
import { setClockDifference } from '../lib/present.ts';
import { toProblem } from '../lib/problem.ts';
import { useLiveData } from './live-data.ts';
import { useLiveStore } from './live-store.ts';

/** The state of the sync with the partner: the network, the present round, and the waiting work. */
export const useSyncStore = defineStore('sync', () => {
  const { client } = useTransport();
  /** `problem` is also that of the last round, because nobody awaits the round after an act. */
  const { data: status, load, problem } = useLiveData(() => client.sync.status(), { ofDesk: true });
  /** The number of rounds that this window requested and that are not over. */
  const asked = shallowRef(0);
  watch(status, (known) => setClockDifference(known?.clock ?? null), { flush: 'sync' });
  const phase = computed(() => status.value?.phase ?? 'idle');
  /**
   * Whether a round is running. Fetching documents does not count, because it can take minutes and
   * blocks no other round.
   */
  const running = computed(
    () => phase.value !== 'fetching' && (asked.value > 0 || phase.value !== 'idle'),
  );
  const offline = computed(() => status.value?.network === 'offline');
  let last = Promise.resolve();

  /**
   * Runs one whole round. The status shows its result. Behind the present round only one other
   * waits, which serves all requests in the meantime.
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
  // This event is only about this laptop's network. The engine finds out whether the partner can be
  // reached.
  useEventListener(
    window,
    'online',
    () => void client.sync.networkChanged().catch(() => undefined),
  );
  return { status, running, offline, problem, load, run, setPaused };
});
