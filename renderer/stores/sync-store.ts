import { useEventListener } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { SyncStatus } from '#shared/desk/sync.ts';
import { useTransport } from '../transport/transport.ts';
import { toProblem, type Problem } from '../composables/problem.ts';
import { useLiveStore } from './live-store.ts';

/** How the laptop stands to the partner: network, running round, what waits. */
export const useSyncStore = defineStore('sync', () => {
  const { client } = useTransport();
  const live = useLiveStore();
  const status = shallowRef<SyncStatus | null>(null);
  /** Rounds that this window asked for and that are not over. */
  const asked = shallowRef(0);
  const phase = computed(() => status.value?.phase ?? 'idle');
  const problem = shallowRef<Problem | null>(null);
  /** Not while documents are fetched, which can take minutes and hinders no other round. */
  const running = computed(
    () => phase.value !== 'fetching' && (asked.value > 0 || phase.value !== 'idle'),
  );
  const offline = computed(() => status.value?.network === 'offline');

  async function load(): Promise<void> {
    try {
      status.value = await client.sync.status();
    } catch (error) {
      problem.value = toProblem(error);
    }
  }

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

  live.on((event) => {
    if (event.type === 'sync.changed') {
      status.value = event.status;
      if (event.status.network === 'online') problem.value = null;
    }
    if (event.type === 'workspace.changed') void load();
  });
  live.onResumed(() => void load());
  // Only this laptop's network; whether the partner is reached the engine finds out.
  useEventListener(
    window,
    'online',
    () => void client.sync.networkChanged().catch(() => undefined),
  );
  return { status, running, offline, problem, load, run, setPaused };
});
