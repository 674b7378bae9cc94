import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { DeskEvent } from '#shared/desk/events.ts';
import { useTransport } from '../transport/transport.ts';

/** The engine says that it is alive every 15 s; after this long without a word the line is dead. */
const silenceMs = 40_000;
const firstDelayMs = 300;
const longestDelayMs = 5_000;

type Listener = (event: DeskEvent) => void;

/** Asked anew each time, because the signal fires while the events are awaited. */
const isOver = (signal: AbortSignal): boolean => signal.aborted;

/**
 * The one subscription to the engine's events. Other stores listen here; whoever shows a list
 * reads it again on `onResumed`, because events of the time without a line are lost.
 */
export const useLiveStore = defineStore('live', () => {
  const { client } = useTransport();
  /** `starting` until the first word, `lost` when the line broke. */
  const state = shallowRef<'starting' | 'linked' | 'lost'>('starting');
  const listeners = new Set<Listener>();
  const resumers = new Set<() => void>();

  async function follow(signal: AbortSignal): Promise<void> {
    const line = new AbortController();
    const stop = () => line.abort();
    signal.addEventListener('abort', stop);
    let silence = setTimeout(stop, silenceMs);
    try {
      for await (const event of await client.events(undefined, { signal: line.signal })) {
        clearTimeout(silence);
        silence = setTimeout(stop, silenceMs);
        const before = state.value;
        state.value = 'linked';
        if (before === 'lost') for (const resume of resumers) resume();
        for (const listener of listeners) listener(event);
      }
    } finally {
      clearTimeout(silence);
      signal.removeEventListener('abort', stop);
    }
  }

  /** Follows the events until the signal fires, and begins anew whenever the line breaks. */
  async function start(signal: AbortSignal): Promise<void> {
    let delayMs = firstDelayMs;
    while (!isOver(signal)) {
      try {
        await follow(signal);
        delayMs = firstDelayMs;
      } catch {
        // Said by `state`; the reason is always the same: the engine does not answer.
      }
      if (isOver(signal)) return;
      state.value = 'lost';
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      delayMs = Math.min(delayMs * 2, longestDelayMs);
    }
  }

  return {
    state,
    start,
    on: (listener: Listener) => void listeners.add(listener),
    onResumed: (resume: () => void) => void resumers.add(resume),
  };
});
