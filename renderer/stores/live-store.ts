import { defineStore } from 'pinia';
import { onScopeDispose, shallowRef } from 'vue';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { throttleByKey } from '../lib/tasks.ts';
import { useTransport } from '../transport/transport.ts';

/**
 * The engine states every 15 s that it is alive. After this time without a message the line is
 * dead.
 */
const silenceMs = 40_000;
/**
 * The delay before another attempt. The transport itself waits for a connection, with growing
 * pauses.
 */
const retryDelayMs = 300;
/** The minimum interval between two readings of a list while cases and documents arrive. */
const changesEveryMs = 1000;
/** If more cases than this have changed, the event stands for any case. */
const changedMax = 1000;

type Listener = (event: DeskEvent) => void;

/**
 * The only subscription to the engine's events. Other stores listen here. A component that shows a
 * list reads it again on `onResumed`, because events are lost while there is no line.
 */
export const useLiveStore = defineStore('live', () => {
  const { client } = useTransport();
  /** The state is `starting` until the first event, and `lost` if the line broke. */
  const state = shallowRef<'starting' | 'linked' | 'lost'>('starting');
  const listeners = new Set<Listener>();
  const resumers = new Set<() => void>();
  const linkers = new Set<() => void>();

  const pass = (event: DeskEvent) => {
    for (const listener of listeners) listener(event);
  };
  /** The cases that changed since the last event was passed on. Null stands for any case. */
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

  /**
   * Passes the first change on immediately. Changes of the second after it are passed on together.
   */
  function receive(event: DeskEvent): void {
    if (event.type === 'work.restored' || event.type === 'events.missed')
      for (const resume of resumers) resume();
    if (event.type === 'cases.changed') {
      if (event.caseIds === null) changedCases = null;
      else for (const id of event.caseIds) changedCases?.add(id);
      if (changedCases && changedCases.size > changedMax) changedCases = null;
    } else if (event.type === 'documents.changed') changedDocuments.add(event.caseId);
    else {
      if (event.type === 'workspace.changed') {
        // The changes belong to the previous workspace.
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
        if (before !== 'linked') for (const hear of linkers) hear();
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
      // `state` shows the failure. The reason is always that the engine does not answer.
      await follow().catch(() => undefined);
      state.value = 'lost';
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }

  return {
    state,
    /** The id of this window, which is valid as long as the window is open. */
    windowId: crypto.randomUUID(),
    start,
    on: (listener: Listener) => void listeners.add(listener),
    /** Calls when events may have been missed. */
    onResumed: (resume: () => void) => void resumers.add(resume),
    /** Calls at the first event of each line. What was asked before may have failed without one. */
    onLinked: (hear: () => void) => void linkers.add(hear),
  };
});
