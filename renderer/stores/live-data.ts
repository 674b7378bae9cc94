import { useIntervalFn } from '@vueuse/core';
import { shallowReactive, shallowRef, type ShallowReactive, type ShallowRef } from 'vue';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import { presentMs } from '../lib/present.ts';
import { toProblem, type Problem } from '../lib/problem.ts';
import { throttleByKey } from '../lib/tasks.ts';
import { useLiveStore } from './live-store.ts';

/**
 * The interval at which the day is checked. What depends on it is shown for the next day soon after
 * midnight.
 */
const dayEveryMs = 15_000;

/**
 * A value of the engine that a store shows. `load` never rejects: `problem` has the reason of a
 * failure, and the previous value stays. Acts are different: they reject, and the page shows the
 * reason (`useAttempt`).
 */
export interface LiveRead {
  /** Reads the value. From then on it is read again whenever it may have changed. */
  readonly load: () => Promise<void>;
  readonly problem: ShallowRef<Problem | null>;
}

interface LiveOptions {
  /** Whether an event makes the value out of date. */
  readonly changedBy?: (event: DeskEvent) => boolean;
  /**
   * True if the value belongs to the desk and not to the workspace. It then stays until the next
   * answer.
   */
  readonly ofDesk?: boolean;
  /** The minimum interval between two readings after events. */
  readonly everyMs?: number;
  /** For a value that depends on the day: whether it is shown, so that it follows midnight. */
  readonly followsDay?: () => boolean;
}

/**
 * Reads a value. It is read again after an event, after a time without events, and in another
 * workspace. An answer to an older question is dropped.
 * @param show receives each answer, and null if the previous answer belongs to another workspace
 */
export function useLiveRead<T>(
  read: () => Promise<T>,
  show: (answer: T | null) => void,
  { changedBy = () => false, ofDesk = false, everyMs = 0, followsDay }: LiveOptions = {},
): LiveRead {
  const live = useLiveStore();
  const problem = shallowRef<Problem | null>(null);
  let isAsked = false;
  let question = 0;
  /** The day of the last answer, by the desk's clock. */
  let readOn = '';

  async function load(): Promise<void> {
    isAsked = true;
    const asked = (question += 1);
    const day = zurichDay(presentMs());
    try {
      const answer = await read();
      if (asked !== question) return;
      // A reading that fails at midnight is repeated, because its day is not noted.
      readOn = day;
      show(answer);
      problem.value = null;
    } catch (error) {
      if (asked === question) problem.value = toProblem(error);
    }
  }

  const loadAgain = (): void => {
    if (isAsked) void load();
  };
  const loadSoon = everyMs === 0 ? loadAgain : throttleByKey(everyMs, loadAgain);
  live.on((event) => {
    if (event.type === 'workspace.changed') {
      // An answer that is still to come belongs to the previous workspace.
      question += 1;
      if (!ofDesk) show(null);
      loadAgain();
    } else if (changedBy(event)) loadSoon('');
  });
  live.onResumed(loadAgain);
  live.onLinked(() => {
    if (problem.value !== null) loadAgain();
  });
  // The interval also covers the time after the laptop slept, when no timer is exact.
  if (followsDay)
    useIntervalFn(() => {
      if (followsDay() && zurichDay(presentMs()) !== readOn) loadAgain();
    }, dayEveryMs);
  return { load, problem };
}

export interface LiveData<T> extends LiveRead {
  /**
   * The value; null until it is read. If an act's answer is the new value, the act stores it here.
   */
  readonly data: ShallowRef<T | null>;
}

/** Does the same as `useLiveRead`, and stores the last answer. */
export function useLiveData<T>(read: () => Promise<T>, options?: LiveOptions): LiveData<T> {
  const data = shallowRef<T | null>(null);
  const show = (answer: T | null): void => {
    data.value = answer;
  };
  return { data, ...useLiveRead(read, show, options) };
}

export interface LiveMap<T> {
  /** @param refresh asks the insurer first, if the reading supports it */
  readonly load: (key: string, refresh?: boolean) => Promise<void>;
  /** The values that were read. A value that is removed from the map is not read again. */
  readonly data: ShallowReactive<Map<string, T>>;
  /** Stores the answer of an act, which is newer than a reading that is still running. */
  readonly show: (key: string, answer: T) => void;
  readonly problems: ShallowReactive<Map<string, Problem>>;
}

/**
 * Does the same as `useLiveData` for many values of one kind by their id.
 * @param changedBy returns the ids of the values that an event makes out of date; null for all
 * @param everyMs the minimum interval between two readings of one value
 */
export function useLiveMap<T>(
  read: (key: string, refresh?: boolean) => Promise<T>,
  {
    changedBy,
    everyMs = 0,
  }: {
    readonly changedBy: (
      event: DeskEvent,
      data: ReadonlyMap<string, T>,
    ) => readonly string[] | null;
    readonly everyMs?: number;
  },
): LiveMap<T> {
  const live = useLiveStore();
  const data = shallowReactive(new Map<string, T>());
  const problems = shallowReactive(new Map<string, Problem>());
  const questions = new Map<string, symbol>();

  function show(key: string, answer: T): void {
    questions.delete(key);
    data.set(key, answer);
    problems.delete(key);
  }

  async function load(key: string, refresh?: boolean): Promise<void> {
    const asked = Symbol(key);
    questions.set(key, asked);
    try {
      const answer = await read(key, refresh);
      if (questions.get(key) === asked) show(key, answer);
    } catch (error) {
      if (questions.get(key) === asked) problems.set(key, toProblem(error));
    }
  }

  const loadAgain = (key: string): void => {
    if (data.has(key)) void load(key);
  };
  const loadSoon = everyMs === 0 ? loadAgain : throttleByKey(everyMs, loadAgain);
  live.on((event) => {
    if (event.type === 'workspace.changed') {
      questions.clear();
      data.clear();
      problems.clear();
    } else (changedBy(event, data) ?? [...data.keys()]).forEach(loadSoon);
  });
  live.onResumed(() => [...data.keys()].forEach(loadAgain));
  live.onLinked(() => [...problems.keys()].forEach((key) => void load(key)));
  return { load, data, show, problems };
}
