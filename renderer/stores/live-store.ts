import { defineStore } from 'pinia';
import { onScopeDispose, shallowRef } from 'vue';
import type { DeskEvent } from '#shared/desk/events.ts';
import { throttleByKey } from '../composables/tasks.ts';
import { useTransport } from '../transport/transport.ts';

/**
 * The engine states that it is alive every 15 s; after this long without a word the line is dead.
 */
const silenceMs = 40_000;
/** The transport itself waits for a connection, with growing pauses. */
const retryDelayMs = 300;
/** Lists are read again at most this often while cases and documents come in. */
const changesEveryMs = 1000;
/** More changed cases than this are any. */
const changedMax = 1000;

type Listener = (event: DeskEvent) => void;

/**
 * The one subscription to the engine's events. Other stores listen here; a component that shows a
 * list reads it again on `onResumed`, because events of the time without a line are lost.
 */
export const useLiveStore = defineStore('live', () => {
  const { client } = useTransport();
  /** `starting` until the first word, `lost` when the line broke. */
  const state = shallowRef<'starting' | 'linked' | 'lost'>('starting');
  const listeners = new Set<Listener>();
  const resumers = new Set<() => void>();

  const pass = (event: DeskEvent) => {
    for (const listener of listeners) listener(event);
  };
  /** What changed since it was last passed on; null: any case. */
  let changedCases: Set<string> | null = new Set();
  const changedDocuments = new Set<string>();
  const passCases = () => {
    const caseIds = changedCases && [...changedCases];
    changedCases = new Set();
    if (caseIds?.length !== 0) pass({ type: 'cases.changed', caseIds });
  };
  const passDocuments = () => {
    const caseIds = [...changedDocuments];
    changedDocuments.clear();
    for (const caseId of caseIds) pass({ type: 'documents.changed', caseId });
  };
  const passChanges = throttleByKey(changesEveryMs, (type) =>
    type === 'cases.changed' ? passCases() : passDocuments(),
  );

  /** The first change is passed on at once, those of the second after it together. */
  function receive(event: DeskEvent): void {
    if (event.type === 'work.restored') for (const resume of resumers) resume();
    if (event.type === 'cases.changed') {
      if (event.caseIds === null) changedCases = null;
      else for (const id of event.caseIds) changedCases?.add(id);
      if (changedCases && changedCases.size > changedMax) changedCases = null;
    } else if (event.type === 'documents.changed') changedDocuments.add(event.caseId);
    else {
      if (event.type === 'workspace.changed') {
        // They were the other workspace's.
        changedCases = new Set();
        changedDocuments.clear();
      }
      pass(event);
      return;
    }
    passChanges(event.type);
  }

  let line = new AbortController();
  let isClosed = false;
  onScopeDispose(() => {
    isClosed = true;
    line.abort();
  });

  async function follow(): Promise<void> {
    line = new AbortController();
    const { signal } = line;
    const stop = () => line.abort();
    let silence = setTimeout(stop, silenceMs);
    try {
      for await (const event of await client.events(undefined, { signal })) {
        clearTimeout(silence);
        silence = setTimeout(stop, silenceMs);
        const before = state.value;
        state.value = 'linked';
        if (before === 'lost') for (const resume of resumers) resume();
        receive(event);
      }
    } finally {
      clearTimeout(silence);
    }
  }

  /** Follows the events as long as the store is used, and subscribes again when the line breaks. */
  async function start(): Promise<void> {
    while (!isClosed) {
      // Shown by `state`; the reason is always the same: the engine does not answer.
      await follow().catch(() => undefined);
      state.value = 'lost';
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }

  return {
    state,
    /** Of this window alone, as long as it is open. */
    windowId: crypto.randomUUID(),
    start,
    on: (listener: Listener) => void listeners.add(listener),
    onResumed: (resume: () => void) => void resumers.add(resume),
  };
});
